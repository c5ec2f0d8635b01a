import { isAdmin, type Caller } from "../../core/caller"
import { scopesOf, type Role } from "../../shared/rights"
import { isRaise, type PlanName } from "../../shared/plans"
import { randomBytes } from "../../core/lib/random/random"
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

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const pattern = /^kon_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/**
 * `kon_<id8>_<secret32><checksum6>`: secret scanners recognize it, and a typing error is found without a database
 * lookup.
 */
export function newApiKey(): { key: string; prefix: string } {
  const prefix = `kon_${randomText(8)}`
  const body = `${prefix}_${randomText(32)}`
  return { key: body + checksumOf(body), prefix }
}

/** True when the text has the format and the checksum of a key. Such a key need not exist. */
export const isApiKey = (text: string): boolean =>
  pattern.test(text) && checksumOf(text.slice(0, -6)) === text.slice(-6)

function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text)
  let shown = ""
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) shown = digits[rest % 62] + shown
  return shown
}

function randomText(length: number): string {
  let text = ""
  while (text.length < length)
    for (const byte of randomBytes("secrets", length))
      // 248 is the largest multiple of 62 in a byte; higher values would make some characters more frequent.
      if (byte < 248 && text.length < length) text += digits[byte % 62]
  return text
}
