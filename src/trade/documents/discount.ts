import { fieldError, type FieldError } from "../../core/lib/refusal"
import { amountText, fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import {
  convertedDiscount,
  type Discount,
  discountBy,
  type GivenDiscount,
  noDiscount,
  sumBeforeDiscount,
  withinLines,
} from "../../shared/documents/discount"
import type { PriceSense } from "../../shared/documents/line"
import { discountOf } from "../../shared/money"
import type { Head, Values } from "./kind"
import type { Line } from "./model"
import { mismatch } from "./rules"

/** A percentage and an amount in plain numbers, as a body gives them. What it leaves out stays. */
export type AskedDiscount = { discount?: number | null; discountAmount?: number | null }

/** What a discount is on: its amount in the minor unit, and what a percentage in 1/10000 takes off it. */
type Base = { full(): number; amountBy(percent: number): number }

type Context = {
  /** The field of the amount. */
  field: string
  digits: number
  currency: string
  errors: FieldError[]
}

/**
 * Returns the discount that a body gives: of the percentage and the amount, the one that differs from the stored value
 * counts. If both differ, they must agree. Null after an error.
 */
export function chosenDiscount(
  { discount, discountAmount }: AskedDiscount,
  stored: Discount,
  base: Base,
  { field, digits, currency, errors }: Context,
): GivenDiscount | null {
  const percent = discount == null ? stored.discount : (toUnits(discount, priceDigits) ?? 0)
  const amount = discountAmount == null ? stored.discountAmount : toUnits(discountAmount, digits)
  if (amount === null) {
    const message = `must have at most ${digits} decimals`
    errors.push(fieldError(field, "FORMAT", message, { decimals: digits }))
    return null
  }
  const percentDiffers = percent !== stored.discount
  const amountDiffers = amount !== stored.discountAmount
  const isAmount = amountDiffers ? base.amountBy(percent) !== amount : isKeptAmount(stored, percentDiffers)
  if (!isAmount) return { discount: percent }
  const full = base.full()
  if (percentDiffers && amountDiffers && discountOf(amount, full) !== percent)
    errors.push(mismatch(field, "is not the amount of discount; send one of the two"))
  if (amount > full) {
    const max = fromUnits(full, digits)
    const message = `must be at most ${amountText(max, { digits, currency })}`
    errors.push(fieldError(field, "TOO_LARGE", message, { max, currency }))
    return null
  }
  return { discountAmount: amount }
}

const isKeptAmount = ({ isDiscountAmount }: Discount, percentDiffers: boolean): boolean =>
  isDiscountAmount === 1 && !percentDiffers

/** The fields of a document with its discount: the percentage is a plain number, the amount in the minor unit. */
export type HeadDiscount = Pick<Head, "discount" | "discountAmount" | "isDiscountAmount">

const inUnits = ({ discount, discountAmount, isDiscountAmount }: HeadDiscount): Discount => ({
  discount: toUnits(discount, priceDigits) ?? 0,
  discountAmount,
  isDiscountAmount: isDiscountAmount ? 1 : 0,
})

export const inFields = ({ discount, discountAmount, isDiscountAmount }: Discount): HeadDiscount => ({
  discount: fromUnits(discount, priceDigits),
  discountAmount,
  isDiscountAmount: isDiscountAmount === 1,
})

export const withoutDiscount: HeadDiscount = inFields(noDiscount)

/** Returns the discount of a part of a document: of an amount, its lines have shares. */
export const partOfDiscount = (
  { discount, isDiscountAmount }: HeadDiscount,
  lines: readonly Pick<Line, "documentDiscount">[],
): HeadDiscount => ({
  discount,
  isDiscountAmount,
  discountAmount: lines.reduce((sum, { documentDiscount }) => sum + documentDiscount, 0),
})

/** The discount of a document before a change, and what a body changes in it. */
export type DiscountChange = { asked: AskedDiscount; stored: Discount; isTaxRemoved: boolean }

/** A document whose discount is kept, or copied. */
export type Discounted = HeadDiscount & { lines: readonly Line[] }

/**
 * Reads the discount of a document. `before` is the stored document, or the one that is copied. When tax is removed from
 * its prices, its amount loses the tax of its lines, also if the body sends it back.
 */
export function discountChange(
  before: Discounted | null,
  { discount, discountAmount }: AskedDiscount,
  { isTaxRemoved }: PriceSense,
  digits: number,
): DiscountChange {
  if (!before) return { asked: { discount, discountAmount }, stored: noDiscount, isTaxRemoved }
  const stored = inUnits(before)
  if (!isTaxRemoved) return { asked: { discount, discountAmount }, stored, isTaxRemoved }
  const isSentBack = discountAmount != null && toUnits(discountAmount, digits) === stored.discountAmount
  return {
    asked: { discount, discountAmount: isSentBack ? null : discountAmount },
    stored: { ...stored, discountAmount: convertedDiscount(before.lines) },
    isTaxRemoved,
  }
}

/** Takes the discount out of the values of an update, because it depends on the lines. */
export function takeDiscount(change: Values): AskedDiscount {
  const { discount, discountAmount } = change as AskedDiscount
  delete change.discount
  delete change.discountAmount
  return { discount, discountAmount }
}

/** Returns the discount of a document by its lines. If there are errors in its lines, its amount is not compared. */
export function documentDiscount(
  lines: readonly Line[],
  { asked, stored: kept, isTaxRemoved }: DiscountChange,
  { digits, currency, errors }: { digits: number; currency: string; errors: FieldError[] },
): HeadDiscount {
  const full = sumBeforeDiscount(lines)
  const discountAmount = isTaxRemoved
    ? withinLines(kept.discountAmount, full, lines.length)
    : kept.discountAmount
  const own: FieldError[] = []
  const given = chosenDiscount(
    asked,
    { ...kept, discountAmount },
    { full: () => full, amountBy: (discount) => discountBy(full, { discount }).discountAmount },
    { field: "discountAmount", digits, currency, errors: own },
  )
  const areLinesRight = !errors.some(({ field }) => field.startsWith("items"))
  errors.push(...own.filter(({ code }) => areLinesRight || code === "FORMAT"))
  return inFields(given ? discountBy(full, given) : noDiscount)
}
