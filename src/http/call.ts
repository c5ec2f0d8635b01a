import type { Actor } from "../db/writer"
import type { Refusal } from "../lib/refusal"
import type { Right } from "../shared/rights"
import { unauthorized, type Caller } from "./caller"

/** What is known of one request, from the first hook to the last. */
export type Call = {
  requestId: string
  method: string
  path: string
  /** The raw query string, without its question mark. */
  query: string
  caller: Caller | null
  /** What the route needs. */
  right: Right | null
  /** Why there is no caller, told once the request has been counted. */
  refusal: Refusal | null
  /** The client's address; behind trusted proxies the one they report. */
  address: () => string
  userAgent: () => string | null
  /** Keeps the connection open though nothing is sent on it for some minutes: the longest that there is. */
  keepOpen: () => void
  /** Aborted when the client has disconnected. */
  signal: () => AbortSignal
}

export type Connection = {
  addressOf: (request: Request) => string
  /** Keeps the connection of a request open, though nothing is sent on it for so many seconds; 0 is as long as it takes. */
  keepOpen: (request: Request, seconds: number) => void
}

/** Where the path begins in the address of a request, which without a Host is only a path. */
export const pathStart = (url: string): number =>
  url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3)

/** The caller of a route that needs a right. */
export function callerOf(call: Call): Caller {
  if (!call.caller) throw unauthorized()
  return call.caller
}

/** On whose behalf the request writes. */
export function actorOf(call: Call): Actor {
  const { caller, requestId } = call
  const from = { requestId, ip: call.address(), userAgent: call.userAgent() }
  if (!caller) return { type: "anonymous", id: null, name: null, ...from }
  if (caller.kind === "apiKey")
    return { type: "apiKey", id: caller.credentialId, name: caller.credentialName, ...from }
  if (caller.clientId)
    return {
      type: "oauthClient",
      id: caller.clientId,
      name: `${caller.credentialName} for ${caller.email}`,
      ...from,
    }
  return { type: "user", id: caller.userId, name: caller.name, ...from }
}
