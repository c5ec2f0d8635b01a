import { Refusal } from "../../lib/refusal"

/** Refuses a transition that is not allowed, and lists the allowed ones. */
export function assertTransition(
  allowed: readonly string[],
  { name, status }: { name: string; status: string },
  to: string,
): void {
  if (allowed.includes(to)) return
  const statuses = allowed.length > 0 ? allowed.join(", ") : "none"
  throw new Refusal(
    "INVALID_STATUS_TRANSITION",
    `${name} is ${status}; it cannot become ${to}. Allowed from ${status}: ${statuses}.`,
    {
      details: [
        {
          field: "status",
          message: allowed.length > 0 ? `must be one of ${statuses}` : `${status} is final`,
        },
      ],
    },
  )
}

/** Refuses an update of locked fields, and lists each of them. */
export function assertUnlocked(
  editable: readonly string[] | "all",
  { name, status }: { name: string; status: string },
  differing: readonly string[],
): void {
  const locked = editable === "all" ? [] : differing.filter((field) => !editable.includes(field))
  if (locked.length === 0) return
  throw new Refusal("DOCUMENT_LOCKED", `${name} is ${status}; these fields can no longer be updated.`, {
    details: locked.map((field) => ({ field, message: `cannot be updated while the status is ${status}` })),
  })
}
