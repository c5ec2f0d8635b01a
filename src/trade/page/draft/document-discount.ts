import { fromUnits, nearestUnits } from "../../../shared/decimal"
import { convertedDiscount, withinLines } from "../../../shared/documents/discount"
import type { PlainDiscount, PlainTotals } from "../../../shared/documents/totals"
import { withoutTax, withTax } from "../../../shared/money"
import type { Typed } from "../../../console/forms/number"
import { counted, inUnits } from "../lines/line-values"

/** The discount of a document in a form: a percentage, or an amount if `isDiscountAmount` is true. The other one is empty. */
export type DiscountValues = { discount: Typed; discountAmount: Typed; isDiscountAmount: boolean }

type StoredDiscount = { discount: number; discountAmount: number; isDiscountAmount: boolean }

export const discountValuesOf = (record: StoredDiscount | null): DiscountValues => ({
  discount: (!record?.isDiscountAmount && record?.discount) || "",
  discountAmount: (record?.isDiscountAmount && record.discountAmount) || "",
  isDiscountAmount: record?.isDiscountAmount ?? false,
})

/** Returns the one of the two that is entered. The server counts it, because it differs from what is stored. */
export const documentDiscountBody = ({ discount, discountAmount, isDiscountAmount }: DiscountValues) =>
  isDiscountAmount ? { discountAmount: orNull(discountAmount) } : { discount: orNull(discount) }

const orNull = (value: Typed): Typed | null => (value === "" ? null : value)

/** Returns the discount for the totals. */
export const discountForTotals = (values: DiscountValues): PlainDiscount =>
  values.isDiscountAmount
    ? { discount: 0, discountAmount: counted(values.discountAmount) }
    : { discount: counted(values.discount) }

/** Returns the same discount as an amount instead of a percentage, or the other way round. */
export function inOtherForm(
  { discount, discountAmount, isDiscountAmount }: DiscountValues,
  totals: Pick<PlainTotals, "discount" | "discountAmount">,
): DiscountValues {
  const isTyped = typeof (isDiscountAmount ? discountAmount : discount) === "number"
  return {
    discount: isDiscountAmount && isTyped ? totals.discount : "",
    discountAmount: !isDiscountAmount && isTyped ? totals.discountAmount : "",
    isDiscountAmount: !isDiscountAmount,
  }
}

/** An amount that was converted, and what it was before. */
export type Conversion = { from: Typed; to: Typed }

type Converting = {
  addsTax: boolean
  /** The shares of the lines in the discount, in the minor unit, and the tax rates of the lines in percent. */
  shares: readonly number[]
  taxRates: readonly number[]
  /** The sum of the lines after the conversion. */
  full: number
  digits: number
  /** The last conversion. */
  before: Conversion | null
}

/** Returns the amount of a discount with prices of the other sense: each share gets or loses the tax of its line. */
export function discountInOtherSense(
  amount: Typed,
  { addsTax, shares, taxRates, full, digits, before }: Converting,
): Typed {
  if (typeof amount !== "number") return amount
  if (before && before.to === amount) return before.from
  const taxed = shares.map((documentDiscount, i) => ({
    documentDiscount,
    taxRate: inUnits(taxRates[i] ?? 0),
  }))
  const converted = convertedDiscount(taxed, addsTax ? withTax : withoutTax)
  return fromUnits(withinLines(converted, nearestUnits(full, digits), shares.length), digits)
}
