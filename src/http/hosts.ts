import { isIP } from "node:net"
import { Elysia } from "elysia"
import { Refusal } from "../lib/refusal"

const mostRemembered = 1_000

/** Answers only to names that are ours, so that a page elsewhere cannot reach us through its own DNS name. */
export function hosts(allowed: readonly string[]) {
  const names = new Set(["localhost", ...allowed.map((name) => name.toLowerCase())])
  const known = new Set<string>()

  const isOurs = (host: string): boolean => {
    if (known.has(host)) return true
    const [, name = ""] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(host) ?? []
    if (!names.has(name) && isIP(name.replace(/^\[|\]$/g, "")) === 0) return false
    if (known.size < mostRemembered) known.add(host)
    return true
  }

  return new Elysia({ name: "hosts" }).onRequest(function checkHost({ request }) {
    const host = request.headers.get("host")?.toLowerCase() ?? ""
    if (!isOurs(host))
      throw new Refusal(
        "BAD_REQUEST",
        `This service does not answer to the host ${JSON.stringify(host.slice(0, 100))}.`,
      )
  })
}
