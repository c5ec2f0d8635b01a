import type { FieldError } from "../../lib/refusal"

/** Returns the errors of a movement that concern more than one field. */
export function movementErrors(quantity: unknown, reason: unknown): FieldError[] {
  if (quantity === 0) return [{ field: "quantity", message: "must not be 0" }]
  if ((reason === "receipt" || reason === "return") && typeof quantity === "number" && quantity < 0)
    return [{ field: "quantity", message: `must be greater than 0 for a ${reason}` }]
  return []
}
