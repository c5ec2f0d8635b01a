import type { UseFormReturnType } from "@mantine/form"
import { defaultNumberFormats, numberKindNames, type NumberKind } from "../../../shared/number-format"
import type { Settings } from "../../../console/api/types"
import type { Typed } from "../../../console/forms/number"
import { addressValuesOf } from "../../../console/forms/address-fields"
import { unitRowsOf } from "./units"

/** The fields that are plain texts. */
const texts = [
  "companyName",
  "companyAddress",
  "companyTaxId",
  "legalName",
  "email",
  "phone",
  "website",
  "vatId",
  "taxNumber",
  "registrationId",
  "iban",
  "bic",
  "bankName",
  "documentFooter",
  "defaultPaymentTerms",
  "defaultTaxCode",
] as const satisfies (keyof Settings)[]

const textsOf = (settings: Settings | null) =>
  Object.fromEntries(texts.map((name) => [name, settings?.[name] ?? ""])) as Record<
    (typeof texts)[number],
    string
  >

const startsOf = (settings: Settings | null) =>
  Object.fromEntries(numberKindNames.map((kind) => [kind, settings?.numberStarts[kind] ?? 1])) as Record<
    NumberKind,
    Typed
  >

/** The values of the form. */
export const valuesOf = (settings: Settings | null) => ({
  ...textsOf(settings),
  address: addressValuesOf(settings?.address),
  defaultLanguage: settings?.defaultLanguage ?? "en",
  pricesIncludeTax: settings?.pricesIncludeTax ?? false,
  unitCodes: unitRowsOf(settings?.unitCodes),
  numberFormats: { ...defaultNumberFormats, ...settings?.numberFormats },
  numberStarts: startsOf(settings),
  lockedUntil: settings?.lockedUntil ?? null,
  currency: settings?.currency ?? "USD",
  timeZone: settings?.timeZone ?? "UTC",
  defaultPlan: settings?.defaultPlan ?? "enterprise",
  correctBy: settings?.correctBy ?? "cancel",
  creditPolicy: settings?.creditPolicy ?? "block",
  allowNegativeStock: settings?.allowNegativeStock ?? true,
  sessionIdleMinutes: settings?.sessionIdleMinutes ?? 43_200,
})

type CompanyValues = UseFormReturnType<ReturnType<typeof valuesOf>>

export type SectionProps = { form: CompanyValues }
