import type { Limiter, Verdict } from "../../lib/limiter"
import type { Plans } from "../../../shared/plans"
import { Refusal } from "../../lib/refusal"
import { networkOf } from "./address"
import type { App } from "../route/app"
import type { Call } from "./call"
import { outerOf } from "../assistants/inner"
import type { RouteCall } from "../route/route"

/** Counts the request for its caller, or for its address when the credential is missing or invalid. */
export const rateLimit = (limiter: Limiter, plans: Plans) => (app: App) =>
  app.onRequest(function countRequest({ request, call, set }) {
    if (!isCounted(call.path) || outerOf(request)) return
    const { subject, plan } = subjectOf(call, plans)
    const verdict = limiter.take(subject, plan)
    writeHeaders(set.headers, verdict)
    const { isAllowed, limit, window } = verdict
    if (!isAllowed)
      refuse(
        verdict,
        (wait) => `The limit of ${limit} requests per ${window} is exceeded. Try again in ${wait} s.`,
      )
  })

/** Counts a request that does the work of several as several requests. */
export const countMore =
  (limiter: Limiter, plans: Plans) =>
  ({ call, set }: Pick<RouteCall, "call" | "set">, requests: number): void => {
    if (requests < 1) return
    const { subject, plan } = subjectOf(call, plans)
    const verdict = limiter.takeMore(subject, plan, requests)
    writeHeaders(set.headers, verdict)
    const { isAllowed, remaining, window } = verdict
    if (!isAllowed)
      refuse(
        verdict,
        (wait) =>
          `This counts as ${requests + 1} requests, and ${remaining} are left in this ${window}. Try again in ${wait} s, or send fewer operations.`,
      )
  }

function refuse({ limit, window, wait }: Verdict, messageOf: (seconds: number) => string): never {
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  throw new Refusal("RATE_LIMIT_EXCEEDED", messageOf(seconds), {
    params: { limit, window, retryAfter: seconds },
    headers: { "retry-after": String(seconds) },
  })
}

/** Adds the rate-limit headers to a request that was refused before it was counted. */
export type ShowLimits = (call: Call, headers: Record<string, string | number>) => void

export const showLimits =
  (limiter: Limiter, plans: Plans): ShowLimits =>
  (call, headers) => {
    if (!isCounted(call.path) || "x-ratelimit-limit" in headers) return
    const { subject, plan } = subjectOf(call, plans)
    writeHeaders(headers, limiter.peek(subject, plan))
  }

/**
 * Returns the subject that a request is counted for: a caller, or a network, because an IPv6 client has a whole /64.
 */
export function subjectOf({ caller, address }: Call, plans: Plans) {
  if (caller && !caller.blocked) return { subject: caller.subject, plan: plans[caller.plan] }
  return { subject: `ip:${networkOf(address())}`, plan: plans.anonymous }
}

const isCounted = (path: string) => /^\/(api|oauth|console\/session|mcp)(\/|$)/.test(path)

function writeHeaders(
  headers: Record<string, string | number>,
  { limit, remaining, resetAt }: Verdict,
): void {
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = String(remaining)
  headers["x-ratelimit-reset"] = String(resetAt)
}
