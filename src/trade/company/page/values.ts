import type { UseFormReturnType } from "@mantine/form"
import type { Settings } from "../../../console/api/types"
import type { Typed } from "../../../console/forms/number"
import { addressValuesOf } from "../../../console/forms/address-fields"
import { defaultFormats, numberKinds, type NumberKind } from "./numbering"

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
  "defaultUnit",
] as const satisfies (keyof Settings)[]

const textsOf = (settings: Settings | null) =>
  Object.fromEntries(texts.map((name) => [name, settings?.[name] ?? ""])) as Record<
    (typeof texts)[number],
    string
  >

const startsOf = (settings: Settings | null) =>
  Object.fromEntries(numberKinds.map((kind) => [kind, settings?.numberStarts[kind] ?? 1])) as Record<
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
  numberFormats: { ...defaultFormats, ...settings?.numberFormats },
  numberStarts: startsOf(settings),
  lockedUntil: settings?.lockedUntil ?? null,
  currency: settings?.currency ?? "USD",
  timeZone: settings?.timeZone ?? "UTC",
  defaultPlan: settings?.defaultPlan ?? "enterprise",
  correctBy: settings?.correctBy ?? "cancel",
  invoiceFrom: settings?.invoiceFrom ?? "ordered",
  creditPolicy: settings?.creditPolicy ?? "block",
  allowNegativeStock: settings?.allowNegativeStock ?? true,
  requireSecondFactor: settings?.requireSecondFactor ?? "nobody",
  publicPages: settings?.publicPages ?? false,
  sessionIdleMinutes: settings?.sessionIdleMinutes ?? 43_200,
})

type CompanyValues = UseFormReturnType<ReturnType<typeof valuesOf>>

export type SectionProps = { form: CompanyValues }

/** One row of the table of units: a word of the shop, and its UN/ECE code. */
export type UnitRow = { key: string; word: string; code: string }

let rows = 0

/** Keys keep the focus in a row when a row before it is removed. */
export const unitRow = (word: string, code = ""): UnitRow => ({ key: `unit-${++rows}`, word, code })

export const unitRowsOf = (codes: Settings["unitCodes"] = {}): UnitRow[] =>
  Object.entries(codes).map(([word, code]) => ({ key: word, word, code }))

/** Returns the codes for the request body. An update merges them, so null removes a stored word. */
export function unitCodesOf(units: readonly UnitRow[], stored: Settings["unitCodes"] = {}) {
  const typed = units
    .map(({ word, code }) => [word.trim(), code.trim()] as const)
    .filter(([word, code]) => word !== "" || code !== "")
  const removed = Object.keys(stored).map((word) => [word, null] as const)
  return { ...Object.fromEntries(removed), ...Object.fromEntries(typed) }
}
