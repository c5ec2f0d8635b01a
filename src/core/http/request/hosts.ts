import { Refusal } from "../../lib/refusal"
import { isIP } from "./address"
import type { App } from "../route/app"

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
