import { priceDigits, roundedTo } from "../../../shared/decimal"
import type { Typed } from "../../../console/forms/number"
import { number } from "../../../console/format"

/** The difference of a count to the stock with its sign: +3, −3, =. Null if the count is not a number. */
export function differenceInWords(counted: Typed, stock: number): string | null {
  if (typeof counted !== "number") return null
  const difference = roundedTo(counted - stock, priceDigits)
  if (difference === 0) return "="
  return `${difference > 0 ? "+" : "−"}${number(Math.abs(difference))}`
}
