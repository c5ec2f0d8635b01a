import { Refusal } from "../../lib/refusal"
import type { App } from "../route/app"

/** Where assistants call tools. */
export const assistantPath = "/mcp"

/** Where a client finds out how it gets a token for them (RFC 9728). */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource"

/** The scopes of the tools. */
export const assistantScopes = ["read", "write"] as const

/**
 * Refuses pages of other sites at the tools of assistants, with or without a credential: a page could otherwise use a
 * server on the computer of its reader. Pages of `corsOrigins` are allowed, as at the API.
 */
export function assistantOrigins(corsOrigins: readonly string[]) {
  const isForeign = (origin: string, host: string | null): boolean =>
    !corsOrigins.includes(origin) && !corsOrigins.includes("*") && hostOf(origin) !== host?.toLowerCase()

  return (app: App) =>
    app.onRequest(function checkOrigin({ request, call }) {
      if (call.path !== assistantPath) return
      const origin = request.headers.get("origin")
      if (origin === null || !isForeign(origin, request.headers.get("host"))) return
      throw new Refusal("FORBIDDEN", `Pages of ${origin.slice(0, 100)} may not call this server.`)
    })
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/** What a client that is refused at the tools has to ask for (RFC 6750, RFC 9728). */
export const assistantChallenge = (issuer: string, error: string | null, scope: string): string => {
  const metadata = `resource_metadata="${issuer}${resourceMetadataPath}${assistantPath}"`
  return `Bearer realm="kontor", ${error ? `error="${error}", ` : ""}${metadata}, scope="${scope}"`
}

/** The error of a request that did not get as far as a message of JSON-RPC. It has no id, because none was read. */
export const assistantFailure = ({ code, status, message }: Refusal) => ({
  jsonrpc: "2.0" as const,
  error: { code: code === "INVALID_JSON" ? -32700 : status, message, data: { code } },
})
