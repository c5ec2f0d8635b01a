// The tax and the price of a line of a document. The server stores what these functions return, and the console shows it
// while the user types. Prices are in 1/10000, amounts in the minor unit. `taxOfLine` and `withReasons` only compare tax
// rates, so these may be plain numbers.
import type { Language } from "../languages"
import { discountOf, fullAmount, lineAmounts, taxKeyOf, type TaxSum, withoutTax, withTax } from "../money"
import { categoryByRate, categoryByTreatment, type TaxCategory, taxReasons, type TaxTreatment } from "./tax"

/** A tax code as far as lines need it. */
export type LineCode = { id: string; category: TaxCategory | null; rate: number; reason: string | null }

/** An item as far as the tax of its lines depends on it. Services have no stock. */
export type TaxedItem = { taxCode: string | null; taxRate: number; hasStock: boolean }

/** How the lines of a document are taxed. */
export type TaxRules = {
  treatment: TaxTreatment
  /** The tax code of a line without an item that names none. */
  defaultTaxCode: string | null
  /** True when stored lines are taxed again, because the customer of the document has another treatment. */
  isRetaxed: boolean
  /** Finds a tax code of a line, or of the item of a line. */
  findCode(id: string, item: TaxedItem | null): LineCode | null
}

export type StoredTax = { taxCode: string | null; taxCategory: TaxCategory | null; taxRate: number }

/** The tax of a line, and what it follows from. */
export type LineTax = StoredTax & { from: "code" | "stored" | "customer" | "item" | "default" }

type TaxedLine = {
  /** The tax code that the line is given now. */
  code: string | null
  /** The tax of the stored line, if it sells the same. */
  stored: StoredTax | null
  /** True when the stored line was given its tax code. */
  hasOwnCode: boolean
  /** Null in a line without an item. */
  item: TaxedItem | null
}

/** Returns the tax of a line. A tax code of the line itself wins, then the treatment of the customer, then the item. */
export function taxOfLine({ code, stored, hasOwnCode, item }: TaxedLine, rules: TaxRules): LineTax {
  if (code !== null) return { ...taxByCode(rules.findCode(code, null)), from: "code" }
  if (stored && (hasOwnCode || !rules.isRetaxed)) {
    const { taxCode, taxCategory, taxRate } = stored
    return { taxCode, taxCategory, taxRate, from: "stored" }
  }
  const category = categoryByTreatment(rules.treatment, !item?.hasStock)
  if (category) return { taxCode: null, taxCategory: category, taxRate: 0, from: "customer" }
  const from = item ? "item" : "default"
  const usual = item ? item.taxCode : rules.defaultTaxCode
  if (usual !== null) return { ...taxByCode(rules.findCode(usual, item)), from }
  const taxRate = item?.taxRate ?? 0
  return { taxCode: null, taxCategory: categoryByRate(taxRate), taxRate, from }
}

const taxByCode = (code: LineCode | null): StoredTax => ({
  taxCode: code?.id ?? null,
  taxCategory: code?.category ?? null,
  taxRate: code?.rate ?? 0,
})

/** What says why no tax is charged. */
export type Reasons = {
  findCode(id: string, item: null): { reason: string | null } | null
  /** Why sales to an exempt customer are not taxed. */
  taxReason: string | null
  /** The language of the document. */
  language: Language
}

/** Adds to each tax why it is not charged: the reasons of its tax codes, or the built-in text of its category. */
export function withReasons<T extends Pick<TaxSum, "category" | "rate">>(
  taxes: readonly T[],
  lines: readonly StoredTax[],
  reasons: Reasons,
): (T & { reason: string | null })[] {
  if (taxes.every(({ category }) => category === null || category === "S"))
    return taxes.map((tax) => ({ ...tax, reason: null }))
  const byKey = Map.groupBy(lines, taxKeyOf)
  return taxes.map((tax) => {
    const ofLines = byKey.get(taxKeyOf({ taxCategory: tax.category, taxRate: tax.rate })) ?? []
    const found = new Set(ofLines.flatMap((line) => reasonOf(line, reasons) ?? []))
    return { ...tax, reason: found.size > 0 ? [...found].join("; ") : null }
  })
}

function reasonOf(
  { taxCode, taxCategory }: StoredTax,
  { findCode, taxReason, language }: Reasons,
): string | null {
  const code = taxCode === null ? null : findCode(taxCode, null)
  if (code?.reason) return code.reason
  if (taxCategory === "E" && taxCode === null) return taxReason
  return taxCategory === "AE" || taxCategory === "K" || taxCategory === "G"
    ? taxReasons[language][taxCategory]
    : null
}

/** Whether the prices of a document include tax, and whether selling prices do. */
export type PriceSense = {
  includesTax: boolean
  sellingPricesIncludeTax: boolean
  /** True when the customer makes a stored document net whose prices included tax: prices that are kept are converted. */
  isTaxRemoved: boolean
}

/** Only domestic sales have tax that prices can include. */
export const mayIncludeTax = (treatment: TaxTreatment): boolean => treatment === "domestic"

/** Quantity and rate in 1/10000. */
type Priced = { quantity: number; rate: number }

/** A stored line: quantity, rate and tax rate in 1/10000, the discount in the minor unit. */
type StoredPrice = Priced & { taxRate: number; discountAmount: number }

/**
 * Returns the rate of a line for which none is given: that of the stored line, or the selling price of the item, in the
 * sense of the document.
 */
export function usualRate(
  stored: Pick<StoredPrice, "rate" | "taxRate"> | null,
  item: { sellingPrice: number; taxRate: number } | null,
  { includesTax, sellingPricesIncludeTax, isTaxRemoved }: PriceSense,
): number | null {
  if (stored) return isTaxRemoved ? withoutTax(stored.rate, stored.taxRate) : stored.rate
  if (!item || includesTax === sellingPricesIncludeTax) return item?.sellingPrice ?? null
  return (includesTax ? withTax : withoutTax)(item.sellingPrice, item.taxRate)
}

/** Returns the discount that a stored line keeps. Rounding must not make it larger than the price. */
export const keptDiscount = (
  { quantity, rate, taxRate, discountAmount }: StoredPrice,
  { isTaxRemoved }: PriceSense,
  digits: number,
): number =>
  isTaxRemoved
    ? Math.min(
        withoutTax(discountAmount, taxRate),
        fullAmount({ quantity, rate: withoutTax(rate, taxRate) }, digits),
      )
    : discountAmount

/** The figures of a line: quantity, rate and discount in 1/10000, amounts in the minor unit. */
export type Figures = Priced & {
  discount: number
  amount: number
  discountAmount: number
  /** 1 when the discount was given as an amount, not as a percentage. */
  isDiscountAmount: number
}

/** Returns the figures of a line whose discount is given as a percentage or as an amount. */
export function figuresBy(
  { quantity, rate }: Priced,
  given: { discount: number } | { discountAmount: number },
  digits: number,
): Figures {
  if ("discount" in given) {
    const amounts = lineAmounts({ quantity, rate, discount: given.discount }, digits)
    return { quantity, rate, discount: given.discount, ...amounts, isDiscountAmount: 0 }
  }
  const { discountAmount } = given
  const full = fullAmount({ quantity, rate }, digits)
  const discount = discountOf(discountAmount, full)
  return { quantity, rate, discount, amount: full - discountAmount, discountAmount, isDiscountAmount: 1 }
}
