import { fieldError, type FieldError } from "../../core/lib/refusal"
import type { Shared } from "../../core/kind/define"
import { readChange, type Draft, type Input } from "../../core/kind/read"
import { fromUnits, priceDigits } from "../../shared/decimal"
import type { TaxCodeService } from "../tax-codes/service"
import { items, type Item } from "./model"

type Codes = Pick<TaxCodeService, "find" | "choiceErrors">

/**
 * Returns the draft of an item whose tax rate is that of its tax code. A body that names neither a code nor a rate takes
 * the default code.
 */
export function taxOfDraft(codes: Codes, draft: Draft, defaultCode: string | null): Draft {
  const { input, values } = draft
  const isRateGiven = (input.taxRate ?? null) !== null
  const taxCode = isRateGiven || "taxCode" in input ? values.taxCode : defaultCode
  if (typeof taxCode !== "string") return draft
  const taxRate = rateOf(codes, taxCode)
  const errors = [
    ...draft.errors,
    ...codes.choiceErrors("taxCode", taxCode),
    ...(isRateGiven ? rateErrors(values.taxRate, taxRate) : []),
  ]
  return { ...draft, errors, values: { ...values, taxCode, taxRate } }
}

/**
 * Returns a change of an item in which its tax code and its tax rate agree. A code or rate that is sent back as it is
 * counts as not given. Another rate clears the code, and another code sets the rate.
 */
export function taxOfChange(codes: Codes, before: Item & Shared, input: Input, errors: FieldError[]): Input {
  if (!("taxCode" in input) && !("taxRate" in input)) return input
  const invalid: FieldError[] = []
  const { taxCode = before.taxCode, taxRate = before.taxRate } = readChange(items, before, input, invalid, [])
  // The caller reports these. An invalid rate must not be replaced with that of the code.
  if (invalid.some(({ field }) => field === "taxRate")) return input
  const isOtherRate = taxRate !== before.taxRate
  if (taxCode === before.taxCode)
    return isOtherRate && (input.taxCode ?? taxCode) === taxCode ? { ...input, taxCode: null } : input
  if (typeof taxCode !== "string") return input
  const rate = rateOf(codes, taxCode)
  errors.push(...codes.choiceErrors("taxCode", taxCode), ...(isOtherRate ? rateErrors(taxRate, rate) : []))
  return rate === undefined ? input : { ...input, taxRate: rate }
}

/** Returns the rate of a code as a plain number, or undefined if there is no such code. */
function rateOf(codes: Codes, id: string): number | undefined {
  const found = codes.find(id)
  return found ? fromUnits(found.rate, priceDigits) : undefined
}

const rateErrors = (given: unknown, rate: number | undefined): FieldError[] =>
  given === undefined || rate === undefined || given === rate
    ? []
    : [
        fieldError("taxRate", "RULE", `must be ${rate}, the rate of the tax code, or be left out`, {
          rule: "MISMATCH",
          value: rate,
        }),
      ]
