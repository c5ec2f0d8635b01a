import { fromUnits, nearestUnits, priceDigits } from "./decimal"
import { applyTax, chargedBy, fullAmount, lineAmounts, totalsOf } from "./money"
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
  const figures = {
    quantity: inUnits(line.quantity),
    rate: inUnits(line.rate),
    discount: inUnits(line.discount),
  }
  const { amount, discountAmount } = amountsOf(figures, line.discountAmount ?? null, digits)
  const taxRate = inUnits(line.taxRate)
  const taxCategory = line.taxCategory === undefined ? categoryByRate(taxRate) : line.taxCategory
  return { amount, grossAmount: pricesIncludeTax ? amount : null, discountAmount, taxCategory, taxRate }
}

function amountsOf(figures: Parameters<typeof lineAmounts>[0], given: number | null, digits: number) {
  if (given === null || !Number.isFinite(given)) return lineAmounts(figures, digits)
  const full = fullAmount(figures, digits)
  const discountAmount = Math.min(full, nearestUnits(given, digits))
  return { amount: full - discountAmount, discountAmount }
}

/**
 * Converts a value to units. NaN counts as zero. A value with too many decimals is rounded; the server will reject it.
 */
const inUnits = (value: number): number => (Number.isFinite(value) ? nearestUnits(value, priceDigits) : 0)
