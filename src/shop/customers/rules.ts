import { fieldError, type FieldError } from "../../core/lib/refusal"
import type { Customer } from "./model"

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
