import { isAdmin, type Caller } from "../../core/caller"
import { scopesOf, type Role } from "../../shared/rights"
import { isRaise, type PlanName } from "../../shared/plans"
import { fieldError, Refusal, type FieldError } from "../../core/lib/refusal"

const mostLive = 50

/** Limits the number of keys per user, because nobody can manage and revoke very many keys. */
export const countErrors = (live: number): FieldError[] =>
  live < mostLive
    ? []
    : [
        fieldError(
          "user",
          "RULE",
          `has ${mostLive} active API keys, which is the maximum; revoke one first`,
          { rule: "TOO_MANY", max: mostLive },
        ),
      ]

/** A key cannot have more rights than its owner. */
export function scopeErrors(wanted: unknown, role: Role): FieldError[] {
  const beyond = Array.isArray(wanted)
    ? wanted.filter((scope) => !(scopesOf(role) as unknown[]).includes(scope))
    : []
  if (beyond.length === 0) return []
  const allowed = scopesOf(role)
  const message = `must be scopes of the owner: ${allowed.join(", ")}`
  return [fieldError("scopes", "RULE", message, { rule: "SCOPE", allowed })]
}

/** Refuses a larger plan than before, unless the caller is an admin. */
export function assertPlanAllowed(caller: Caller, before: PlanName, after: PlanName): void {
  if (isRaise(before, after) && !isAdmin(caller))
    throw new Refusal("FORBIDDEN", `Only an admin may raise the plan from ${before} to ${after}.`, {
      params: { role: caller.role, from: before, to: after },
    })
}

export const expiryErrors = (expiresAt: unknown, now: string): FieldError[] =>
  typeof expiresAt === "string" && expiresAt <= now
    ? [fieldError("expiresAt", "RULE", "must be in the future", { rule: "NOT_IN_FUTURE" })]
    : []
