import { fromUnits, largestPrice, nearestUnits, priceDigits, roundedTo } from "../../../shared/decimal"
import { fullAmount, withoutTax, withTax } from "../../../shared/money"
import type { Typed } from "../../../console/forms/number"
import { counted, inUnits, type LineValues, rateOf } from "./line-values"

/** How prices are converted: they get or lose the tax of their line, whose rate is a percentage. */
type Conversion = { addsTax: boolean; taxRate: number }

/**
 * Returns a price with tax as one without it, or the other way round. Of the prices that are exactly this one in the
 * other sense, it returns a known one, or else the one with the fewest decimals: 19.99 with tax is 16.7983 without, and
 * that is 19.99 again.
 */
export function converted(
  price: Typed,
  { addsTax, taxRate }: Conversion,
  digits: number,
  known: readonly (Typed | undefined)[] = [],
): Typed {
  // The server refuses larger prices.
  if (typeof price !== "number" || taxRate === 0 || !(Math.abs(price) <= largestPrice)) return price
  const tax = inUnits(taxRate)
  const units = nearestUnits(price, digits)
  const isSame = (other: number) =>
    (addsTax ? withoutTax : withTax)(nearestUnits(other, digits), tax) === units
  const nearest = fromUnits((addsTax ? withTax : withoutTax)(units, tax), digits)
  const shorter = Array.from({ length: digits }, (_, i) => roundedTo(nearest, i))
  const candidates = [...known.filter((each) => typeof each === "number"), ...shorter]
  return candidates.find(isSame) ?? nearest
}

/** The prices of a line: its rate, and its discount if that is an amount. */
export type LinePrices = Pick<LineValues, "rate" | "discount">

type Priced = {
  taxRate: number
  /** The rate of the item in the sense of `addsTax`; undefined without an item. */
  usualRate: number | undefined
  /** The prices of the line before they were converted the last time. */
  before: LinePrices | undefined
}

/**
 * Returns the line with its prices in the other sense. A percentage stays, and rounding makes no discount larger than
 * its price. `digits` are the decimals of the currency.
 */
export function inOtherSense(line: LineValues, addsTax: boolean, priced: Priced, digits: number): LineValues {
  const { taxRate, usualRate, before } = priced
  const sense = { addsTax, taxRate }
  const rate = converted(line.rate, sense, priceDigits, [before?.rate, usualRate])
  const defaultRate = counted(converted(line.defaultRate, sense, priceDigits, [rate, usualRate]))
  const next = { ...line, rate, defaultRate }
  if (!line.isAmount) return next
  const discount = converted(line.discount, sense, digits, [before?.discount])
  const full = fullOf(next, digits)
  const isOver = counted(line.discount) <= fullOf(line, digits) && counted(discount) > full
  return { ...next, discount: isOver ? full : discount }
}

/** The amount of a line without its discount. */
function fullOf(line: LineValues, digits: number): number {
  const priced = { quantity: inUnits(counted(line.quantity)), rate: inUnits(rateOf(line)) }
  return fromUnits(fullAmount(priced, digits), digits)
}
