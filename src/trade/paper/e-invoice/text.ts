import { xmlTextOf } from "../../../shared/sheet-escape"
import { roundedTo } from "../../../shared/decimal"

/** Bun escapes a megabyte of the reserved characters in some milliseconds. Old programs know only decimal references. */
const escaped = (text: string): string => Bun.escapeHTML(text).replaceAll("&#x27;", "&#39;")

/** Writes an element with a text. An absent text gives no element: empty elements are invalid in an e-invoice. */
export function textElement(name: string, text: string | null, attributes = ""): string {
  const clean = xmlTextOf(text)
  return clean === null ? "" : `<${name}${attributes}>${escaped(clean)}</${name}>`
}

/** Writes an element around others. Without content it is left out. */
export const group = (name: string, content: string): string =>
  content === "" ? "" : `<${name}>${content}</${name}>`

/** The decimals that EN 16931 allows in amounts. */
export const amountDigits = 2
const unitPriceDigits = 8

/** Writes an amount with the decimals of its currency, at most two. */
export const amountText = (amount: number, digits: number): string =>
  roundedTo(amount, amountDigits).toFixed(Math.min(digits, amountDigits))

/** Writes a quantity, a price or a percentage: at most eight decimals, without zeros at the end, never as 1e-7. */
export function decimalText(value: number): string {
  const text = String(value)
  if (/^\d+(?:\.\d{1,8})?$/.test(text)) return text
  return value.toFixed(unitPriceDigits).replace(/\.?0+$/, "")
}

/** An e-invoice has three lines for a street. */
const most = 3

/** Returns the lines of a street. What does not fit is appended to the last line. */
export function addressLines(street: string | null): [string | null, string | null, string | null] {
  const lines = (street ?? "").split("\n").flatMap((line) => line.trim() || [])
  const [one = null, two = null] = lines
  const rest = lines.slice(most - 1).join(", ")
  return [one, two, rest || null]
}
