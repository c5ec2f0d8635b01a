import type { App } from "../route/app"
import type { ShowLimits } from "./rate-limit"

const exposed =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Location, Link, Idempotent-Replayed, Kontor-Warning, Content-Disposition"
const requestHeaders =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-API-Key, X-Request-Id"

/** Lets pages of the listed origins call the API. */
export const cors = (origins: readonly string[], showLimits: ShowLimits) => (app: App) => {
  if (origins.length === 0) return app
  return app.onRequest(function allowOrigin({ request, call, set }) {
    set.headers["vary"] = "Accept-Encoding, Origin"
    const origin = request.headers.get("origin")
    if (origin === null || !origins.includes(origin)) return
    set.headers["access-control-allow-origin"] = origin
    set.headers["access-control-expose-headers"] = exposed
    if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return
    set.headers["access-control-allow-methods"] = "GET, POST, PUT, PATCH, DELETE"
    set.headers["access-control-allow-headers"] = requestHeaders
    set.headers["access-control-max-age"] = "600"
    showLimits(call, set.headers as Record<string, string | number>)
    return new Response(null, { status: 204 })
  })
}
