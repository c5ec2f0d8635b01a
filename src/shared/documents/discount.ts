// The discount on a whole document. The server stores what these functions return, and the console shows it while the user
// types. Percentages are in 1/10000, amounts in the minor unit, in the sense of the prices of the document.
import { chargedBy, discountOf, shareOf, spread, withoutTax } from "../money"

export type Discount = {
  discount: number
  discountAmount: number
  /** 1 when the discount was given as an amount, not as a percentage. */
  isDiscountAmount: number
}

export const noDiscount: Discount = { discount: 0, discountAmount: 0, isDiscountAmount: 0 }

/** A discount as it is given. */
export type GivenDiscount = { discount: number } | { discountAmount: number }

const hundredPercent = 1_000_000

/** Returns the discount on an amount. What a percentage leaves of the amount is rounded, as in a line. */
export function discountBy(full: number, given: GivenDiscount): Discount {
  if ("discount" in given) {
    const left = shareOf(full, hundredPercent - given.discount, hundredPercent)
    return { discount: given.discount, discountAmount: full - left, isDiscountAmount: 0 }
  }
  const { discountAmount } = given
  if (discountAmount === 0) return noDiscount
  return { discount: discountOf(discountAmount, full), discountAmount, isDiscountAmount: 1 }
}

type Charging = { amount: number; grossAmount: number | null }
/** A line with its share of the discount of the document, which its amounts do not contain. */
type Discounted = Charging & { documentDiscount: number }

/** The amount of a line before its share of the discount of the document: with tax if prices include it. */
export const beforeDiscount = (line: Discounted): number => chargedBy(line) + line.documentDiscount

export const sumBeforeDiscount = (lines: readonly Discounted[]): number =>
  lines.reduce((sum, line) => sum + beforeDiscount(line), 0)

/**
 * Spreads the discount of a document over its lines by their amounts, whatever share they had before. If prices include
 * tax, `amount` is still to be set.
 */
export function spreadDiscount<L extends Discounted>(
  lines: readonly L[],
  discountAmount: number,
): readonly L[] {
  if (discountAmount === 0 && lines.every(({ documentDiscount }) => documentDiscount === 0)) return lines
  const amounts = lines.map(beforeDiscount)
  const shares = spread(discountAmount, amounts)
  return lines.map((line, i) => {
    const documentDiscount = shares[i] ?? 0
    const amount = (amounts[i] ?? 0) - documentDiscount
    return { ...line, documentDiscount, amount, grossAmount: line.grossAmount === null ? null : amount }
  })
}

/**
 * Spreads a discount over some lines of a document: those that are held keep their shares, and the others carry the rest,
 * which is neither negative nor more than they cost.
 */
export function spreadRest<L extends Discounted>(
  lines: readonly L[],
  discountAmount: number,
  isHeld: (line: L) => boolean,
): readonly L[] {
  const kept = lines.filter(isHeld).reduce((sum, { documentDiscount }) => sum + documentDiscount, 0)
  const spreadLines = spreadDiscount(
    lines.filter((line) => !isHeld(line)),
    discountAmount - kept,
  )
  let next = 0
  return lines.map((line) => (isHeld(line) ? line : (spreadLines[next++] ?? line)))
}

type Share = { documentDiscount: number; taxRate: number }

/** Returns the discount of a document with its shares converted by the tax of their lines: without it, or with it. */
export const convertedDiscount = (shares: readonly Share[], convert = withoutTax): number =>
  shares.reduce((sum, { documentDiscount, taxRate }) => sum + convert(documentDiscount, taxRate), 0)

/** Returns a converted discount of a document. Rounding must not make it larger than the lines that it is on. */
export const withinLines = (discountAmount: number, full: number, lines: number): number =>
  discountAmount > full && discountAmount - full <= lines ? full : discountAmount
