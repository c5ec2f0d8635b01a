import type { FieldError } from "../../core/lib/refusal"
import { taxKeyOf, type TaxSum } from "../../shared/money"
import type { Language } from "../../shared/languages"
import { categoryByRate, categoryByTreatment, type TaxTreatment } from "../../shared/tax"
import { taxReasons } from "../../shared/tax-reasons"
import type { SoldItem } from "../needs"
import type { TaxCodes } from "../needs"
import type { GivenLine, Line, TaxRow } from "./model"

type LineTax = Pick<Line, "taxCode" | "taxCategory" | "taxRate" | "hasOwnTaxCode">

/** How the lines of a document are taxed. */
export type Taxation = {
  taxCodes: TaxCodes
  treatment: TaxTreatment
  /** The tax code of a line without an item that names none. */
  defaultTaxCode: string | null
  /** True when the tax of stored lines is determined again, because the customer of the document has another treatment. */
  isRetaxed: boolean
}

/**
 * Returns the tax of a line. A tax code of the line itself wins, then the treatment of the customer, then the item.
 * `known` is the stored line with the same item: it keeps its tax. `source` is the line before the update, or the line
 * that is copied: its code is only sent back, and null takes it away.
 */
export function taxOfLine(
  line: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  field: string,
  { taxation, source, errors }: { taxation: Taxation; source: Line | undefined; errors: FieldError[] },
): LineTax {
  const { taxCodes, treatment, defaultTaxCode, isRetaxed } = taxation
  const given = line.taxCode ?? null
  if (given !== null && given !== source?.taxCode) {
    errors.push(...taxCodes.choiceErrors(field, given))
    return taxByCode(taxCodes.find(given), 1)
  }
  // The null of a stored line without a code is only sent back.
  const isCleared = isTaxCodeCleared(line) && (line.copied !== undefined || source?.taxCode !== null)
  if (known && !isCleared && (known.hasOwnTaxCode === 1 || !isRetaxed)) return taxOfStored(known)
  const category = categoryByTreatment(treatment, !item?.hasStock)
  if (category) return { taxCode: null, taxCategory: category, taxRate: 0, hasOwnTaxCode: 0 }
  const usual = isCleared ? null : defaultTaxCode
  const code = item ? item.taxCode : usual
  if (code !== null) return taxByCode(taxCodes.find(code), 0)
  const taxRate = item?.taxRate ?? 0
  return { taxCode: null, taxCategory: categoryByRate(taxRate), taxRate, hasOwnTaxCode: 0 }
}

/** True when a line says that it has no tax code of its own. */
export const isTaxCodeCleared = ({ cleared }: GivenLine): boolean => cleared?.includes("taxCode") ?? false

const taxByCode = (code: ReturnType<TaxCodes["find"]>, hasOwnTaxCode: number): LineTax => ({
  taxCode: code?.id ?? null,
  taxCategory: code?.category ?? null,
  taxRate: code?.rate ?? 0,
  hasOwnTaxCode,
})

const taxOfStored = ({ taxCode, taxCategory, taxRate, hasOwnTaxCode }: Line): LineTax => ({
  taxCode,
  taxCategory,
  taxRate,
  hasOwnTaxCode,
})

type Reasons = { taxCodes: TaxCodes; taxReason: string | null; language: Language }

/** Adds to each tax why it is not charged: the reasons of its tax codes, or the built-in text of its category. */
export function withReasons(
  taxes: readonly TaxSum[],
  lines: readonly Pick<Line, "taxCode" | "taxCategory" | "taxRate">[],
  reasons: Reasons,
): TaxRow[] {
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
  { taxCode, taxCategory }: Pick<Line, "taxCode" | "taxCategory">,
  { taxCodes, taxReason, language }: Reasons,
): string | null {
  const code = taxCode === null ? null : taxCodes.find(taxCode)
  if (code?.reason) return code.reason
  if (taxCategory === "E" && taxCode === null) return taxReason
  return taxCategory === "AE" || taxCategory === "K" || taxCategory === "G"
    ? taxReasons[language][taxCategory]
    : null
}
