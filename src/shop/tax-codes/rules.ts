import { fieldError, type FieldError } from "../../core/lib/refusal"
import { categoriesWithReason } from "../../shared/tax"
import type { TaxCode } from "./model"

/** The values of a tax code that depend on each other. A value that is missing or wrong is null or undefined. */
type Kind = { [K in "category" | "rate" | "reason"]: TaxCode[K] | null | undefined }

/** Only the category S has a rate, and some categories need a reason. */
export function kindErrors({ category, rate, reason }: Kind): FieldError[] {
  if (!category) return []
  const errors: FieldError[] = []
  if (category === "S" && rate === 0)
    errors.push(
      fieldError("rate", "TOO_SMALL", "must be greater than 0 in the category S", { above: 0, category }),
    )
  if (category !== "S" && rate)
    errors.push(
      fieldError("rate", "TOO_LARGE", `must be 0 in the category ${category}`, { max: 0, category }),
    )
  if (reason === null && categoriesWithReason.includes(category))
    errors.push(fieldError("reason", "REQUIRED", `is required in the category ${category}`, { category }))
  return errors
}

/** Documents were made with the category and the rate of a used code, so these two stay as they are. */
export const fixedErrors = (before: TaxCode, after: Kind): FieldError[] =>
  before.isUsed
    ? (["category", "rate"] as const)
        .filter((name) => (after[name] ?? before[name]) !== before[name])
        .map((name) =>
          fieldError(name, "RULE", "cannot be updated, because the tax code is used: create a new one", {
            rule: "IN_USE",
          }),
        )
    : []

/** The default tax code of the settings serves new items, so it stays active. */
export const defaultErrors = ({ isActive }: Pick<TaxCode, "isActive">, isDefault: boolean): FieldError[] =>
  isDefault && !isActive
    ? [
        fieldError("isActive", "RULE", "must be true while this is the default tax code of the settings", {
          rule: "IN_USE",
        }),
      ]
    : []
