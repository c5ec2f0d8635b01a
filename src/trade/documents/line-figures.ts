import { fieldError, type FieldError } from "../../core/lib/refusal"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { type Figures, figuresBy, keptDiscount, type PriceSense, usualRate } from "../../shared/line"
import { discountOf, fullAmount } from "../../shared/money"
import type { SoldItem } from "../needs"
import { mismatch } from "./line-item"
import type { GivenLine, Line } from "./model"

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

/** A rate that is sent back while tax is removed is converted like one that is not sent. */
function rateOf(
  { rate: given }: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  sense: PriceSense,
): number | null {
  const rate = given == null ? null : inUnits(given)
  const isKept = rate === null || (sense.isTaxRemoved && rate === known?.rate)
  return isKept ? usualRate(known ?? null, item, sense) : rate
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

function storedDiscount(known: Line | undefined, sense: PriceSense, digits: number): Discount {
  if (!known) return noDiscount
  const { discount, isDiscountAmount } = known
  return { discount, discountAmount: keptDiscount(known, sense, digits), isDiscountAmount }
}

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
  const byPercent = figuresBy(figures, { discount: percent }, digits)
  const percentDiffers = percent !== stored.discount
  const amountDiffers = amount !== stored.discountAmount
  const isAmount = amountDiffers ? byPercent.discountAmount !== amount : isKeptAmount(stored, percentDiffers)
  if (!isAmount) return byPercent
  const full = fullAmount(figures, digits)
  if (percentDiffers && amountDiffers && discountOf(amount, full) !== percent)
    errors.push(mismatch(`${at}.discountAmount`, "is not the amount of discount; send one of the two"))
  if (amount > full) {
    const max = fromUnits(full, digits)
    errors.push(fieldError(`${at}.discountAmount`, "TOO_LARGE", `must be at most ${max}`, { max }))
    return null
  }
  return figuresBy(figures, { discountAmount: amount }, digits)
}

const isKeptAmount = ({ isDiscountAmount }: Discount, percentDiffers: boolean): boolean =>
  isDiscountAmount === 1 && !percentDiffers

const inUnits = (value: number): number => toUnits(value, priceDigits) ?? 0
