import { isAdmin, type Caller } from "../../http/caller"
import { scopesOf, type Role } from "../../shared/rights"
import { isRaise, type PlanName } from "../../shared/plans"
import { Refusal, type FieldError } from "../../lib/refusal"

const mostLive = 50

/** Keys that nobody can tell apart are keys that nobody revokes. */
export const countErrors = (live: number): FieldError[] =>
  live < mostLive
    ? []
    : [{ field: "user", message: `has ${mostLive} live API keys, which is the most; revoke one first` }]

/** A key cannot do more than its owner. */
export function scopeErrors(wanted: unknown, role: Role): FieldError[] {
  const beyond = Array.isArray(wanted)
    ? wanted.filter((scope) => !(scopesOf(role) as unknown[]).includes(scope))
    : []
  if (beyond.length === 0) return []
  return [{ field: "scopes", message: `must be among those of its owner: ${scopesOf(role).join(", ")}` }]
}

/** Refuses a larger plan than before, unless an admin gives it. */
export function assertPlanAllowed(caller: Caller, before: PlanName, after: PlanName): void {
  if (isRaise(before, after) && !isAdmin(caller))
    throw new Refusal("FORBIDDEN", `Only an admin may raise the plan from ${before} to ${after}.`)
}

export const expiryErrors = (expiresAt: unknown, now: string): FieldError[] =>
  typeof expiresAt === "string" && expiresAt <= now
    ? [{ field: "expiresAt", message: "must lie in the future" }]
    : []
