import { fromUnits, nearestUnits, priceDigits } from "../decimal"
import {
  beforeDiscount,
  type Discount,
  discountBy,
  spreadDiscount,
  spreadRest,
  sumBeforeDiscount,
} from "./discount"
import { figuresBy } from "./line"
import { applyTax, fullAmount, totalsOf } from "../money"
import { categoryByRate, type TaxCategory } from "./tax"

/** A line in plain numbers, as entered in the inputs. Discount and tax rate are percentages. */
export type PlainLine = {
  quantity: number
  rate: number
  discount: number
  /** The discount as an amount, if it was entered so. */
  discountAmount?: number | null
  /** Its share of the discount of the document, if that is fixed. */
  documentDiscount?: number | null
  taxRate: number
  taxCategory?: TaxCategory | null
}

/** The totals of a document, in plain numbers. */
export type PlainTotals = {
  /** One amount per line, before the discount of the document; with tax if the prices include it. */
  amounts: number[]
  subtotal: number
  /** The discounts of the lines and of the document. */
  discountTotal: number
  /** The discount of the document. */
  discount: number
  discountAmount: number
  /** The part of each line in it, and the tax rate of the line. */
  shares: { documentDiscount: number; taxRate: number }[]
  /** The highest rate first. */
  taxes: { category: TaxCategory | null; rate: number; base: number; tax: number }[]
  taxTotal: number
  total: number
}

/** The discount of a document: a percentage, or an amount if it was entered so. */
export type PlainDiscount = { discount: number; discountAmount?: number | null }

type Sense = { digits: number; pricesIncludeTax?: boolean; discount?: PlainDiscount }

/** Computes the totals of lines that are not saved yet, with the functions that the server uses when it saves them. */
export function plainTotals(entered: readonly PlainLine[], sense: Sense): PlainTotals {
  const { digits, pricesIncludeTax = false, discount: given = { discount: 0 } } = sense
  const full = entered.map((line) => counted(line, sense))
  const held = new Set(full.filter((_, i) => entered[i]?.documentDiscount != null))
  const discount = carried(enteredDiscount(given, sumBeforeDiscount(full), digits), full, held)
  const spread =
    held.size > 0
      ? spreadRest(full, discount.discountAmount, (line) => held.has(line))
      : spreadDiscount(full, discount.discountAmount)
  const { lines, taxes } = applyTax(spread, pricesIncludeTax)
  const { subtotal, discountTotal, taxTotal, total } = totalsOf(lines, taxes)
  const plain = (minor: number) => fromUnits(minor, digits)
  return {
    amounts: lines.map((line) => plain(beforeDiscount(line))),
    subtotal: plain(subtotal),
    discountTotal: plain(discountTotal),
    discount: fromUnits(discount.discount, priceDigits),
    discountAmount: plain(discount.discountAmount),
    shares: lines.map(({ documentDiscount, taxRate }) => ({ documentDiscount, taxRate })),
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
  const documentDiscount = Math.min(amount, nearestUnits(line.documentDiscount ?? 0, digits))
  const charged = amount - documentDiscount
  const grossAmount = pricesIncludeTax ? charged : null
  return { amount: charged, grossAmount, discountAmount, documentDiscount, taxCategory, taxRate }
}

type CountedLine = ReturnType<typeof counted>

/** The part of a discount that lines with fixed shares and the others can carry. */
function carried(
  discount: Discount,
  lines: readonly CountedLine[],
  held: ReadonlySet<CountedLine>,
): Discount {
  if (held.size === 0) return discount
  const least = [...held].reduce((sum, { documentDiscount }) => sum + documentDiscount, 0)
  const most = least + sumBeforeDiscount(lines.filter((line) => !held.has(line)))
  return { ...discount, discountAmount: Math.max(least, Math.min(most, discount.discountAmount)) }
}

/** The server refuses a discount that is negative or larger than the lines. */
function enteredDiscount({ discount, discountAmount }: PlainDiscount, full: number, digits: number) {
  const given = discountAmount ?? NaN
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value))
  return Number.isFinite(given)
    ? discountBy(full, { discountAmount: within(nearestUnits(given, digits), full) })
    : discountBy(full, { discount: within(inUnits(discount), inUnits(100)) })
}

/**
 * Converts a value to units. NaN counts as zero. A value with too many decimals is rounded; the server will reject it.
 */
const inUnits = (value: number): number => (Number.isFinite(value) ? nearestUnits(value, priceDigits) : 0)
