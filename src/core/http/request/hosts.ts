import { Refusal } from "../../lib/refusal"
import { isIP } from "./address"
import type { App } from "../route/app"
import type { ShowLimits } from "./rate-limit"

const mostRemembered = 1_000

/** Refuses unknown host names. Otherwise a foreign web page could reach this server by DNS rebinding. */
export function hosts(allowed: readonly string[]) {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", ...allowed.map((name) => name.toLowerCase())])
  const known = new Set<string>()

  const isOurs = (host: string): boolean => {
    if (known.has(host)) return true
    const [, name = ""] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(host) ?? []
    if (!names.has(name) && !isIP(name.replace(/^\[|\]$/g, ""))) return false
    if (known.size < mostRemembered) known.add(host)
    return true
  }

  return (app: App) =>
    app.onRequest(function checkHost({ request }) {
      const host = request.headers.get("host")?.toLowerCase() ?? ""
      if (!isOurs(host))
        throw new Refusal(
          "BAD_REQUEST",
          `The host ${JSON.stringify(host.slice(0, 100))} is not allowed on this server.`,
          { params: { host: host.slice(0, 100) } },
        )
    })
}

const exposed =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Location, Link, Idempotent-Replayed, Kontor-Warning, Content-Disposition, Dry-Run, Deprecation, WWW-Authenticate"
const requestHeaders =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-API-Key, X-Request-Id"

/** Lets pages of the listed origins call the API. */
export const cors = (origins: readonly string[], showLimits: ShowLimits) => (app: App) => {
  if (origins.length === 0) return app
  const isAny = origins.includes("*")
  return app.onRequest(function allowOrigin({ request, call, set }) {
    set.headers["vary"] = "Accept-Encoding, Origin"
    const origin = request.headers.get("origin")
    if (origin === null || !(isAny || origins.includes(origin))) return
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

/** Tells browsers to use only https, when this server itself uses https. */
export const transportSecurity = (isSecure: boolean) => (app: App) => {
  if (!isSecure) return app
  return app.onRequest(function setHsts({ set }) {
    set.headers["strict-transport-security"] = "max-age=31536000"
  })
}

/** Where browsers find this server: the configured URL if there is one, and whether they connect over https. */
type Here = { publicUrl: string | null; isSecure: boolean }

/** Rejects requests from other sites. Browsers send the origin with each such request, and pages cannot forge it. */
export function assertOwnPage(request: Request, here: Here, message: string): void {
  const origin = request.headers.get("origin")
  if (origin === null || !URL.canParse(origin) || !isOwn(new URL(origin), request, here))
    throw new Refusal("FORBIDDEN", message)
}

/** Browsers on the same machine may use plain http. */
const onThisMachine = ["localhost", "127.0.0.1", "[::1]"]

function isOwn(origin: URL, request: Request, { publicUrl, isSecure }: Here): boolean {
  const isHere = origin.host === request.headers.get("host")?.toLowerCase()
  if (!isHere && (publicUrl === null || new URL(publicUrl).origin !== origin.origin)) return false
  // https is always accepted: behind a proxy that terminates TLS, the browser uses https and this server gets http.
  if (origin.protocol === "https:") return true
  const isPlainGood = !isSecure || (isHere && onThisMachine.includes(origin.hostname))
  return origin.protocol === "http:" && isPlainGood
}
