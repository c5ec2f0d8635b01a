import { isAdmin, type Caller } from "../../http/caller"
import { scopesOf, type Role } from "../../shared/rights"
import { isRaise, type PlanName } from "../../shared/plans"
import { Refusal, type FieldError } from "../../lib/refusal"

const mostLive = 50

/** Limits the number of keys per user, because nobody can manage and revoke very many keys. */
export const countErrors = (live: number): FieldError[] =>
  live < mostLive
    ? []
    : [{ field: "user", message: `has ${mostLive} active API keys, which is the maximum; revoke one first` }]

/** A key cannot have more rights than its owner. */
export function scopeErrors(wanted: unknown, role: Role): FieldError[] {
  const beyond = Array.isArray(wanted)
    ? wanted.filter((scope) => !(scopesOf(role) as unknown[]).includes(scope))
    : []
  if (beyond.length === 0) return []
  return [{ field: "scopes", message: `must be scopes of the owner: ${scopesOf(role).join(", ")}` }]
}

/** Refuses a larger plan than before, unless the caller is an admin. */
export function assertPlanAllowed(caller: Caller, before: PlanName, after: PlanName): void {
  if (isRaise(before, after) && !isAdmin(caller))
    throw new Refusal("FORBIDDEN", `Only an admin may raise the plan from ${before} to ${after}.`)
}

export const expiryErrors = (expiresAt: unknown, now: string): FieldError[] =>
  typeof expiresAt === "string" && expiresAt <= now
    ? [{ field: "expiresAt", message: "must be in the future" }]
    : []
