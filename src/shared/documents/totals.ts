import { fromUnits, nearestUnits, priceDigits } from "../decimal"
import { figuresBy } from "./line"
import { applyTax, chargedBy, fullAmount, totalsOf } from "../money"
import { categoryByRate, type TaxCategory } from "./tax"

/** A line in plain numbers, as entered in the inputs. Discount and tax rate are percentages. */
export type PlainLine = {
  quantity: number
  rate: number
  discount: number
  /** The discount as an amount, if it was entered so. */
  discountAmount?: number | null
  taxRate: number
  taxCategory?: TaxCategory | null
}

/** The totals of a document, in plain numbers. */
export type PlainTotals = {
  /** One amount per line, in the order of the lines; with tax if the prices include it. */
  amounts: number[]
  subtotal: number
  discountTotal: number
  /** The highest rate first. */
  taxes: { category: TaxCategory | null; rate: number; base: number; tax: number }[]
  taxTotal: number
  total: number
}

type Sense = { digits: number; pricesIncludeTax?: boolean }

/** Computes the totals of lines that are not saved yet, with the functions that the server uses when it saves them. */
export function plainTotals(entered: readonly PlainLine[], sense: Sense): PlainTotals {
  const { digits, pricesIncludeTax = false } = sense
  const { lines, taxes } = applyTax(
    entered.map((line) => counted(line, sense)),
    pricesIncludeTax,
  )
  const { subtotal, discountTotal, taxTotal, total } = totalsOf(lines, taxes)
  const plain = (minor: number) => fromUnits(minor, digits)
  return {
    amounts: lines.map((line) => plain(chargedBy(line))),
    subtotal: plain(subtotal),
    discountTotal: plain(discountTotal),
    taxes: taxes.map(({ category, rate, base, tax }) => ({
      category,
      rate: fromUnits(rate, priceDigits),
      base: plain(base),
      tax: plain(tax),
    })),
    taxTotal: plain(taxTotal),
    total: plain(total),
  }
}

function counted(line: PlainLine, { digits, pricesIncludeTax }: Sense) {
  const priced = { quantity: inUnits(line.quantity), rate: inUnits(line.rate) }
  const given = line.discountAmount ?? NaN
  const discount = Number.isFinite(given)
    ? { discountAmount: Math.min(fullAmount(priced, digits), nearestUnits(given, digits)) }
    : { discount: inUnits(line.discount) }
  const { amount, discountAmount } = figuresBy(priced, discount, digits)
  const taxRate = inUnits(line.taxRate)
  const taxCategory = line.taxCategory === undefined ? categoryByRate(taxRate) : line.taxCategory
  return { amount, grossAmount: pricesIncludeTax ? amount : null, discountAmount, taxCategory, taxRate }
}

/**
 * Converts a value to units. NaN counts as zero. A value with too many decimals is rounded; the server will reject it.
 */
const inUnits = (value: number): number => (Number.isFinite(value) ? nearestUnits(value, priceDigits) : 0)
