import type { FieldError } from "../../lib/refusal"

/** What is wrong with a movement that a person enters, beyond its single fields. */
export function movementErrors(quantity: unknown, reason: unknown): FieldError[] {
  if (quantity === 0) return [{ field: "quantity", message: "must not be 0" }]
  if ((reason === "receipt" || reason === "return") && typeof quantity === "number" && quantity < 0)
    return [{ field: "quantity", message: `must be above 0 for a ${reason}` }]
  return []
}
