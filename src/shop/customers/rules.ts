import type { Input } from "../../core/kind/read"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { mayIncludeTax } from "../../shared/documents/line"
import type { Customer } from "./model"

/** A customer that was merged into another one stays inactive. */
export const activeErrors = ({ mergedInto }: Customer, { isActive }: Customer): FieldError[] =>
  mergedInto !== null && isActive === true
    ? [
        fieldError("isActive", "RULE", "must be false: the customer was merged into another one", {
          rule: "MERGED",
        }),
      ]
    : []

/** The documents of an exempt customer say why no tax is charged. */
export const treatmentErrors = ({
  taxTreatment,
  taxReason,
}: Pick<Customer, "taxTreatment" | "taxReason">): FieldError[] =>
  taxTreatment === "exempt" && taxReason === null
    ? [
        fieldError("taxReason", "REQUIRED", "is required for the treatment exempt", {
          treatment: taxTreatment,
        }),
      ]
    : []

/** Only domestic sales have tax that prices can include. */
export const priceErrors = ({
  taxTreatment,
  pricesIncludeTax,
}: Pick<Customer, "taxTreatment" | "pricesIncludeTax">): FieldError[] =>
  pricesIncludeTax === true && !mayIncludeTax(taxTreatment)
    ? [
        fieldError(
          "pricesIncludeTax",
          "RULE",
          "must not be true: only domestic sales have tax in their prices",
          {
            rule: "TREATMENT",
          },
        ),
      ]
    : []

/** A customer that gets a treatment without tax, and is not given other prices now, has those of the settings. */
export const withPossiblePrices = (input: Input, before: Customer, after: Customer): Input =>
  before.pricesIncludeTax === true && priceErrors(after).length > 0
    ? { ...input, pricesIncludeTax: null }
    : input
