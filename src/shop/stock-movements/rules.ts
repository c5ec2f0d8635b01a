import { fieldError, type FieldError } from "../../core/lib/refusal"

/** Returns the errors of a movement that concern more than one field. */
export function movementErrors(quantity: unknown, reason: unknown): FieldError[] {
  if (quantity === 0) return [fieldError("quantity", "RULE", "must not be 0", { rule: "NOT_ZERO" })]
  if ((reason === "receipt" || reason === "return") && typeof quantity === "number" && quantity < 0)
    return [
      fieldError("quantity", "TOO_SMALL", `must be greater than 0 for a ${reason}`, { above: 0, reason }),
    ]
  return []
}
