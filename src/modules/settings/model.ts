import { once } from "../../lib/once"
import { planNames } from "../../shared/plans"
import { defineResource, type RecordOf } from "../../resource/define"
import { boolean, withDefault, choice, integer, readOnly } from "../../resource/field"
import { text } from "../../resource/text-field"
import { currencyCodes } from "../../shared/currencies"
import { adminRights } from "../../shared/rights"

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

/** The settings of the instance. There is one record. */
export const settings = defineResource({
  name: "settings",
  table: "settings",
  idPrefix: "set",
  noun: "settings record",
  title: "Settings",
  about: "The settings of this instance. For admins.",
  rights: adminRights,
  search: [],
  fields: {
    // There is only one record, so its id is a word.
    id: readOnly(text({ examples: ["settings"] })),
    companyName: text({ examples: ["Nordlicht GmbH"] }),
    companyAddress: text({ max: 500, multiline: true, examples: ["Hafenstraße 12\n20457 Hamburg"] }),
    companyTaxId: text({ max: 64, examples: ["DE123456789"] }),
    currency: withDefault(currency, "USD"),
    timeZone: withDefault(timeZone, "UTC"),
    defaultPlan: withDefault(choice(planNames), "enterprise"),
    creditPolicy: withDefault(choice(["block", "warn", "off"]), "block"),
    allowNegativeStock: withDefault(boolean(), true),
    sessionIdleMinutes: withDefault(integer({ min: 60, max: 129_600 }), 43_200),
  },
})

export type Settings = RecordOf<typeof settings>
