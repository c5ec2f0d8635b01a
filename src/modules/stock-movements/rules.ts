import type { Detail } from "../../lib/refusal"
import { givenReasons } from "./model"

/** What is wrong with a movement that a person enters, beyond its single fields. */
export function movementFaults(quantity: unknown, reason: unknown): Detail[] {
  if (typeof reason === "string" && !(givenReasons as readonly string[]).includes(reason))
    return [{ field: "reason", message: `must be one of ${givenReasons.join(", ")}` }]
  if (quantity === 0) return [{ field: "quantity", message: "must not be 0" }]
  if (reason !== "adjustment" && typeof quantity === "number" && quantity < 0)
    return [{ field: "quantity", message: `must be above 0 for a ${String(reason)}` }]
  return []
}
