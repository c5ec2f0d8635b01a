import { isExact } from "../../shared/money"
import { toUnits } from "../../shared/decimal"

/** The currency of the amounts in the database, and its number of decimals. */
export type Money = { currency: string; digits: number }

/** A number without thousands separators, and at most one point or comma. */
const single = /^(0|[1-9]\d*)(?:[.,](\d+))?$/
/** A number with one kind of thousands separators, and another sign before the decimals. */
const grouped = /^([1-9]\d{0,2}(?:([.,\s'’])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/u

/**
 * Returns the amounts that a person may mean, in the minor unit of the currency: `4413.97`, `4,413.97`, `4.413,97` and
 * `€4,413.97` are 441397 cents. `1,234` can be more than a thousand, or, in a currency with three decimals, a little
 * more than one. Without an amount above 0 the result is empty.
 */
export function amountsOf(typed: string, { currency, digits }: Money): number[] {
  const number = withoutCurrency(typed.trim(), currency).trim()
  const readings = [single, grouped].flatMap((form) => {
    const match = form.exec(number)
    if (!match) return []
    const decimals = form === single ? match[2] : match[3]
    return Number(`${match[1]?.replace(/\D/g, "")}.${decimals ?? 0}`)
  })
  const units = readings.map((value) => toUnits(value, digits))
  return [...new Set(units)].filter((value) => value !== null && value > 0 && isExact(value)) as number[]
}

/** Removes a currency sign, or the code of the currency, before or after the number. */
function withoutCurrency(typed: string, currency: string): string {
  const sign = `(?:\\p{Sc}|${currency})`
  return typed.replace(new RegExp(`^${sign}|${sign}$`, "iu"), "")
}
