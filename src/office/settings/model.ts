import { Type } from "@sinclair/typebox"
import { once } from "../../core/lib/shared-runs"
import { address } from "../../core/kind/address"
import { bic, iban } from "../../core/kind/bank-fields"
import { planNames } from "../../shared/plans"
import { defineResource, type RecordOf, type Resource } from "../../core/kind/define"
import {
  boolean,
  withDefault,
  choice,
  date,
  integer,
  readOnly,
  readOnlyNullable,
  reference,
  type Given,
} from "../../core/kind/field"
import { pairs } from "../../core/kind/object"
import { email, text } from "../../core/kind/text-field"
import { currencyCodes } from "../../shared/countries"
import { languages } from "../../shared/languages"
import { adminRights } from "../../shared/rights"
import { setUpSteps, type SetUpStep } from "../../shared/set-up"
import { isUnitCode } from "../../shared/documents/unit-codes"
import { type Mailed, mailTextsField } from "./mail-texts"
import { indexedMetadata } from "./metadata-field"
import { numberFormats, numberStarts, type NumberedKinds } from "./number-fields"
import { reminderLevelsField } from "./reminder-levels"
import { signInWithField } from "./sign-in-with"
import { smtpField } from "./smtp-field"

/** Created on first use, because building the list takes time and startup must be fast. */
const currencies = once(() => new Set(currencyCodes()))
const timeZones = once(() => new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]))

const currency = text({
  max: 3,
  examples: ["EUR"],
  description: "ISO 4217; cannot be updated after a document was created",
  check: (value) =>
    currencies().has(value.toUpperCase())
      ? { value: value.toUpperCase() }
      : { error: "must be a currency code of ISO 4217, such as EUR", format: "currency" },
})

const timeZone = text({
  max: 64,
  examples: ["Europe/Berlin"],
  description: "IANA name; determines the current date",
  check: (value) =>
    timeZones().has(value)
      ? { value }
      : { error: "must be a time zone such as Europe/Berlin", format: "time-zone" },
})

const lockedAbout = "Documents and payments up to this date are closed. It cannot be in the future."

/** The data of the company that documents are issued with. */
const company = {
  companyName: text({ examples: ["Nordlicht GmbH"] }),
  companyAddress: text({ max: 500, multiline: true, examples: ["Hafenstraße 12\n20457 Hamburg"] }),
  companyTaxId: text({ max: 64, examples: ["DE136695976"] }),
  legalName: text({ examples: ["Nordlicht Handels GmbH"] }),
  address: address(),
  email: email(),
  phone: text({ max: 40, examples: ["+49 40 1234567"] }),
  website: text({ examples: ["www.example.com"] }),
  vatId: text({ max: 64, examples: ["DE136695976"] }),
  taxNumber: text({ max: 64, examples: ["22/815/08154"] }),
  registrationId: text({ max: 64, examples: ["HRB 12345"] }),
  iban: iban(),
  bic: bic(),
  bankName: text({ examples: ["Commerzbank"] }),
  logo: readOnlyNullable(text({ max: 64, description: "The SHA-256 of the logo; see PUT /settings/logo" })),
  documentFooter: text({ max: 2_000, multiline: true, examples: ["Managing director: Anna Petersen"] }),
}

/** The UN/ECE codes of units of the shop. Those of common words are known. */
const unitCodes = pairs({
  mostPairs: 100,
  longestKey: 20,
  longestValue: 3,
  examples: [{ Coil: "XCL" }],
  description:
    "The codes of UN/ECE Recommendation 20, or 21 with an X before them, for your own units in e-invoices. Those of common words are known. Null removes a unit.",
  check: (value) =>
    isUnitCode(value)
      ? null
      : { error: "must be a code of UN/ECE Recommendation 20 or 21, such as C62", format: "unit-code" },
})

/** Where the set-up in the console goes on. */
function setUpStep(): Given<SetUpStep> {
  const field = choice(setUpSteps)
  const description =
    "The step at which the set-up in the console goes on; null before the first step is saved, and after the last one"
  return { ...field, schema: Type.Unsafe<SetUpStep>({ ...field.schema, description }) }
}

/** Who may sign in with a password, if not everybody. */
function passwordSignInFor(): Given<string> {
  const field = reference("usr")
  const description =
    "The only admin who may still sign in with a password, when others use a provider; null for everybody. While that user is not an active admin, every admin may"
  return { ...field, schema: Type.Unsafe<string>({ ...field.schema, description }) }
}

/** The settings of the instance, with the number formats of the given kinds. There is one record. */
export const settingsKind = <K extends string>(
  numbered: NumberedKinds<K>,
  all: readonly Resource[],
  letters: readonly Mailed[],
) =>
  defineResource({
    name: "settings",
    table: "settings",
    isWrittenByModule: true,
    idPrefix: "set",
    noun: "settings record",
    title: "Settings",
    about: "The settings of this instance. For admins.",
    menu: {
      group: "settings",
      place: 1,
      path: "/settings/company",
      recordPath: "/settings/company",
      icon: "building-store",
    },
    names: {
      en: { title: "Company", one: "setting", many: "settings", the: "the settings", audited: "Settings" },
      de: {
        title: "Firma",
        one: "Einstellung",
        many: "Einstellungen",
        the: "die Einstellungen",
        audited: "Einstellungen",
      },
    },
    rights: adminRights,
    search: [],
    fields: {
      // There is only one record, so its id is a word.
      id: readOnly(text({ examples: ["settings"] })),
      ...company,
      currency: withDefault(currency, "USD"),
      timeZone: withDefault(timeZone, "UTC"),
      defaultPlan: withDefault(choice(planNames), "enterprise"),
      invoiceFrom: withDefault(choice(["ordered", "delivered"]), "ordered"),
      correctBy: withDefault(choice(["cancel", "credit-note"]), "cancel"),
      creditPolicy: withDefault(choice(["block", "warn", "off"]), "block"),
      allowNegativeStock: withDefault(boolean(), true),
      defaultPaymentTerms: text({
        max: 64,
        examples: ["Net 30"],
        description: "For customers without payment terms",
      }),
      defaultLanguage: withDefault(choice(languages), "en"),
      defaultUnit: text({
        max: 20,
        examples: ["Stk"],
        description: "The unit that the console proposes for new items",
      }),
      pricesIncludeTax: withDefault(boolean(), false),
      defaultTaxCode: reference("tax"),
      unitCodes: withDefault(unitCodes, {}),
      numberFormats: numberFormats(numbered),
      numberStarts: numberStarts(numbered),
      lockedUntil: { ...date(), schema: Type.String({ format: "date", description: lockedAbout }) },
      indexedMetadata: indexedMetadata(all),
      smtp: smtpField(),
      signInWith: signInWithField(),
      passwordSignInFor: passwordSignInFor(),
      mailTexts: mailTextsField([...all, ...letters]),
      reminderLevels: reminderLevelsField(),
      remindersAutomatic: withDefault(boolean(), false),
      publicPages: withDefault(
        boolean({
          description: "Whether customers can be given links to pages on which they answer quotations",
        }),
        false,
      ),
      sessionIdleMinutes: withDefault(integer({ min: 60, max: 129_600 }), 43_200),
      requireSecondFactor: withDefault(choice(["nobody", "admins", "everybody"]), "nobody"),
      setUpStep: setUpStep(),
    },
  })

export type SettingsKind = ReturnType<typeof settingsKind<string>>

/** The settings as responses show them. */
export type ShownSettings = RecordOf<SettingsKind>

/** The settings that are stored in the record. The starts of series are stored with the series. */
export type Settings = Omit<ShownSettings, "numberStarts">
