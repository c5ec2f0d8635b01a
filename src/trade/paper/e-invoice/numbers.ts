import { roundedTo } from "../../../shared/decimal"

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
