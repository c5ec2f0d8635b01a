import { fieldError, type FieldError } from "../../core/lib/refusal"
import { mayIncludeTax, type PriceSense, withReasons } from "../../shared/line"
import { applyTax, totalsOf } from "../../shared/money"
import type { DocumentCustomer } from "../needs"
import type { Documents } from "./documents"
import type { Counted, Head } from "./kind"
import { type LineTaxRules, totalErrors } from "./lines"
import type { Line } from "./model"

/** Computes the taxes and totals of lines, and adds an error when they are too large. */
export function count<H extends Head, L extends Line, R>(
  { taxCodes, settings, moneyContext }: Documents<H, L, R>,
  lines: readonly L[],
  { includesTax, customer }: { includesTax: boolean; customer: DocumentCustomer | null },
  errors: FieldError[],
): Counted<L> {
  const { lines: taxed, taxes } = applyTax(lines, includesTax)
  const totals = totalsOf(taxed, taxes)
  errors.push(...totalErrors(totals, moneyContext().digits))
  const language = customer?.language ?? settings().defaultLanguage
  const reasons = { findCode: taxCodes.find, taxReason: customer?.taxReason ?? null, language }
  return { lines: [...taxed], taxes: withReasons(taxes, taxed, reasons), totals }
}

/** How the lines of a document are taxed, by its customer. */
export const taxRulesOf = <H extends Head, L extends Line, R>(
  { taxCodes, settings }: Documents<H, L, R>,
  customer: DocumentCustomer | null,
  isRetaxed: boolean,
): LineTaxRules => ({
  findCode: taxCodes.find,
  choiceErrors: taxCodes.choiceErrors,
  treatment: customer?.taxTreatment ?? "domestic",
  defaultTaxCode: settings().defaultTaxCode,
  isRetaxed,
})

type Asked = {
  /** The value of the body. */
  given: unknown
  /** The value of the document that is updated or copied; null without one. */
  stored: boolean | null
  /** True when its lines are taxed again, because its customer has another treatment. */
  isRetaxed: boolean
}

/**
 * Returns whether the prices of a document include tax. Only domestic sales have tax that prices can include: another
 * value is reported, and a document whose customer gets another treatment no longer includes tax.
 */
export function priceSense<H extends Head, L extends Line, R>(
  { settings }: Documents<H, L, R>,
  customer: DocumentCustomer | null,
  { given, stored, isRetaxed }: Asked,
  errors: FieldError[],
): PriceSense {
  const sellingPricesIncludeTax = settings().pricesIncludeTax
  const isPossible = mayIncludeTax(customer?.taxTreatment ?? "domestic")
  const asked = typeof given === "boolean" && given !== stored ? given : null
  if (asked === true && !isPossible)
    errors.push(
      fieldError("pricesIncludeTax", "RULE", "must be false: only domestic sales have tax in their prices", {
        rule: "TREATMENT",
      }),
    )
  const kept = stored === null ? sellingPricesIncludeTax && isPossible : stored && (isPossible || !isRetaxed)
  const includesTax = asked ?? kept
  const isTaxRemoved = asked === null && stored === true && !includesTax
  return { includesTax, sellingPricesIncludeTax, isTaxRemoved }
}
