import { namedMethods, usualMethods } from "../../shared/suggestions"
import { shown } from "../../console/parts/shown"
import { language } from "../../console/texts"
import { t } from "./texts"
import type { Typed } from "../../console/forms/number"

/** Suggestions. The method of a payment or of a refund is a free text; only a voucher has a word of its own in the API. */
export const paymentMethods: readonly string[] = [
  ...usualMethods.map((method) => method[language]),
  ...namedMethods,
]

/** A method in the language of the user, and what is stored for one that was typed. */
export const methodInWords = (method: string | null): string => (method ? shown("method", method) : "")
export const methodOf = (typed: string): string =>
  namedMethods.find((method) => methodInWords(method) === typed) ?? typed

/** How a payment or a refund was made, in a line. */
export const howPaid = ({ method, reference }: { method: string | null; reference: string | null }): string =>
  [methodInWords(method), reference].filter(Boolean).join(" · ") || "–"

/** The suggested payment terms, in words that set a due date. Any other text is allowed. */
export const paymentTerms = Object.values(t(($) => $.documents.terms, { returnObjects: true }))

/** The values that this device remembers as the default of the next new record. */
type Name = "paymentMethod" | "taxCode" | "taxRate"

const keyOf = (name: Name) => `kontor.last.${name}`

const remembered = (name: Name): string | null => localStorage.getItem(keyOf(name))

const remember = (name: Name, value: string | number | null): void =>
  localStorage.setItem(keyOf(name), String(value ?? ""))

/** The payment method that was remembered last. */
export const lastMethod = (): string => remembered("paymentMethod") ?? ""

/** Remembers a payment method if it is one of the usual ones or was used twice, so that a typing error is not offered. */
export function rememberMethod(method: string | null): void {
  const onceKey = `${keyOf("paymentMethod")}.once`
  const isKnown =
    method === null || paymentMethods.includes(method) || localStorage.getItem(onceKey) === method
  if (isKnown) remember("paymentMethod", method)
  else localStorage.setItem(onceKey, method)
}

/**
 * The unit of a new item. It is never that of the item before, which often has another one: nobody looks at a field that is
 * filled, and a wrong unit is on every invoice.
 */
export const newUnit = (ofCompany: string | null): string => ofCompany || t(($) => $.pickers.defaultUnit)

/** The tax of the last item that was created on this device. Without one, the server has a default. */
export const lastTax = (): { taxCode: string; taxRate: Typed } => ({
  taxCode: remembered("taxCode") || "",
  taxRate: remembered("taxRate") ? Number(remembered("taxRate")) || 0 : "",
})

type Remembered = { taxCode: string | null; taxRate: number }

export function rememberTax({ taxCode, taxRate }: Remembered): void {
  remember("taxCode", taxCode)
  remember("taxRate", taxCode !== null || taxRate > 0 ? taxRate : null)
}
