import { externalFields } from "../../core/kind/tag"
import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"

/** The fields for other systems, which can be updated in every status. */
export const foreignFields: readonly string[] = Object.keys(externalFields)

/** The error of a value that contradicts another one. */
export const mismatch = (field: string, message: string): FieldError =>
  fieldError(field, "RULE", message, { rule: "MISMATCH" })

/** A document in a message. A draft invoice has no number. */
export type Named = { name: string; number: string | null; status: string }

/** Refuses a transition that is not allowed, and lists the allowed ones. */
export function assertTransition(
  allowed: readonly string[],
  { name, number, status }: Named,
  to: string,
): void {
  if (allowed.includes(to)) return
  const statuses = allowed.length > 0 ? allowed.join(", ") : "none"
  throw new Refusal(
    "INVALID_STATUS_TRANSITION",
    `${name} is ${status}; it cannot become ${to}. Allowed from ${status}: ${statuses}.`,
    {
      params: { number, status, to, allowed },
      details: [
        fieldError(
          "status",
          "RULE",
          allowed.length > 0 ? `must be one of ${statuses}` : `${status} is final`,
          { rule: "TRANSITION", status, allowed },
        ),
      ],
    },
  )
}

/** Refuses an update of locked fields, and lists each of them. */
export function assertUnlocked(
  editable: readonly string[] | "all",
  { name, number, status }: Named,
  differing: readonly string[],
): void {
  const locked = editable === "all" ? [] : differing.filter((field) => !editable.includes(field))
  if (locked.length === 0) return
  throw new Refusal("DOCUMENT_LOCKED", `${name} is ${status}; these fields can no longer be updated.`, {
    params: { number, status },
    details: locked.map((field) =>
      fieldError(field, "READ_ONLY", `cannot be updated while the status is ${status}`, { status }),
    ),
  })
}
