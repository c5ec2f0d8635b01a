import { fieldError, type FieldError } from "../../core/lib/refusal"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { discountOf, fullAmount, lineAmounts, withoutTax, withTax } from "../../shared/money"
import type { SoldItem } from "../needs"
import { mismatch } from "./line-item"
import type { GivenLine, Line } from "./model"

/** Whether the prices of a document include tax, and whether selling prices do. */
export type PriceSense = {
  includesTax: boolean
  sellingPricesIncludeTax: boolean
  /** True when an update makes a document net whose prices included tax: rates that are kept are converted. */
  isTaxRemoved: boolean
}

export type Figures = Pick<
  Line,
  "quantity" | "rate" | "discount" | "amount" | "discountAmount" | "isDiscountAmount"
>

type Context = { sense: PriceSense; digits: number; errors: FieldError[] }

/**
 * Returns the figures of a line, or null after reporting an error. `known` is the stored line with the same item: it
 * keeps its rate and its discount, unless the body sets new ones.
 */
export function figuresOf(
  line: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  at: string,
  { sense, digits, errors }: Context,
): Figures | null {
  if (line.quantity == null) return null
  const quantity = inUnits(line.quantity)
  const rate = rateOf(line, known, item, sense)
  if (rate === null) {
    // An invalid rate has its error already.
    if (line.rate === null) errors.push(fieldError(`${at}.rate`, "REQUIRED", "is required"))
    return null
  }
  const stored = storedDiscount(known, sense, digits)
  return discounted({ quantity, rate }, withoutKept(line, known, sense, digits), stored, {
    at,
    digits,
    errors,
  })
}

function rateOf(
  { rate: given }: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  sense: PriceSense,
): number | null {
  const rate = given == null ? null : inUnits(given)
  if (known && sense.isTaxRemoved && (rate ?? known.rate) === known.rate)
    return withoutTax(known.rate, known.taxRate)
  return rate ?? known?.rate ?? defaultRate(item, sense)
}

/** The selling price of an item, in the sense of the document. */
function defaultRate(
  item: SoldItem | null,
  { includesTax, sellingPricesIncludeTax }: PriceSense,
): number | null {
  if (!item || includesTax === sellingPricesIncludeTax) return item?.sellingPrice ?? null
  return (includesTax ? withTax : withoutTax)(item.sellingPrice, item.taxRate)
}

/** A discount amount that is sent back while tax is removed is converted like one that is not sent. */
function withoutKept(
  line: GivenLine,
  known: Line | undefined,
  { isTaxRemoved }: PriceSense,
  digits: number,
): GivenLine {
  const { discountAmount } = line
  const isKept = isTaxRemoved && known && discountAmount != null
  return isKept && toUnits(discountAmount, digits) === known.discountAmount
    ? { ...line, discountAmount: null }
    : line
}

type Discount = Pick<Line, "discount" | "discountAmount" | "isDiscountAmount">

const noDiscount: Discount = { discount: 0, discountAmount: 0, isDiscountAmount: 0 }

function storedDiscount(known: Line | undefined, { isTaxRemoved }: PriceSense, digits: number): Discount {
  if (!known) return noDiscount
  const { discount, discountAmount, isDiscountAmount } = known
  return {
    discount,
    discountAmount: isTaxRemoved ? discountWithoutTax(known, digits) : discountAmount,
    isDiscountAmount,
  }
}

/** Rounding must not make the discount larger than the price. */
const discountWithoutTax = ({ quantity, rate, discountAmount, taxRate }: Line, digits: number): number =>
  Math.min(
    withoutTax(discountAmount, taxRate),
    fullAmount({ quantity, rate: withoutTax(rate, taxRate) }, digits),
  )

/**
 * Computes the discount of a line. Of the percentage and the amount, the one that differs from the stored value counts.
 * If both differ, they must agree.
 */
function discounted(
  figures: { quantity: number; rate: number },
  line: GivenLine,
  stored: Discount,
  { at, digits, errors }: { at: string; digits: number; errors: FieldError[] },
): Figures | null {
  const percent = line.discount == null ? stored.discount : inUnits(line.discount)
  const amount = line.discountAmount == null ? stored.discountAmount : toUnits(line.discountAmount, digits)
  if (amount === null) {
    errors.push(
      fieldError(`${at}.discountAmount`, "FORMAT", `must have at most ${digits} decimals`, {
        decimals: digits,
      }),
    )
    return null
  }
  const byPercent = lineAmounts({ ...figures, discount: percent }, digits)
  const percentDiffers = percent !== stored.discount
  const amountDiffers = amount !== stored.discountAmount
  const isAmount = amountDiffers ? byPercent.discountAmount !== amount : isKeptAmount(stored, percentDiffers)
  if (!isAmount) return { ...figures, discount: percent, ...byPercent, isDiscountAmount: 0 }
  const full = fullAmount(figures, digits)
  if (percentDiffers && amountDiffers && discountOf(amount, full) !== percent)
    errors.push(mismatch(`${at}.discountAmount`, "is not the amount of discount; send one of the two"))
  if (amount > full) {
    const max = fromUnits(full, digits)
    errors.push(fieldError(`${at}.discountAmount`, "TOO_LARGE", `must be at most ${max}`, { max }))
    return null
  }
  const discount = discountOf(amount, full)
  return { ...figures, discount, amount: full - amount, discountAmount: amount, isDiscountAmount: 1 }
}

const isKeptAmount = ({ isDiscountAmount }: Discount, percentDiffers: boolean): boolean =>
  isDiscountAmount === 1 && !percentDiffers

const inUnits = (value: number): number => toUnits(value, priceDigits) ?? 0
