import { fieldError, type FieldError } from "../../core/lib/refusal"
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
