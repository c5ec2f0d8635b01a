import { fromUnits, nearestUnits, priceDigits } from "./decimal"
import { lineAmounts, taxesOf, totalsOf } from "./money"

/** A line in plain numbers, as entered in the inputs. Discount and tax rate are percentages. */
export type PlainLine = { quantity: number; rate: number; discount: number; taxRate: number }

/** The totals of a document, in plain numbers. */
export type PlainTotals = {
  /** One amount per line, in the order of the lines. */
  amounts: number[]
  subtotal: number
  discountTotal: number
  /** Without the rate of zero; the lowest rate first. */
  taxes: { taxRate: number; tax: number }[]
  taxTotal: number
  total: number
}

/** Computes the totals of lines that are not saved yet, with the functions that the server uses when it saves them. */
export function plainTotals(lines: readonly PlainLine[], digits: number): PlainTotals {
  const counted = lines.map((line) => {
    const figures = {
      quantity: inUnits(line.quantity),
      rate: inUnits(line.rate),
      discount: inUnits(line.discount),
    }
    return { taxRate: inUnits(line.taxRate), ...lineAmounts(figures, digits) }
  })
  const taxes = taxesOf(counted)
  const { subtotal, discountTotal, taxTotal, total } = totalsOf(counted, taxes)
  const plain = (minor: number) => fromUnits(minor, digits)
  return {
    amounts: counted.map(({ amount }) => plain(amount)),
    subtotal: plain(subtotal),
    discountTotal: plain(discountTotal),
    taxes: [...taxes]
      .filter(([taxRate]) => taxRate > 0)
      .map(([taxRate, tax]) => ({ taxRate: fromUnits(taxRate, priceDigits), tax: plain(tax) }))
      .sort((a, b) => a.taxRate - b.taxRate),
    taxTotal: plain(taxTotal),
    total: plain(total),
  }
}

/**
 * Converts a value to units. NaN counts as zero. A value with too many decimals is rounded; the server will reject it.
 */
const inUnits = (value: number): number => (Number.isFinite(value) ? nearestUnits(value, priceDigits) : 0)
