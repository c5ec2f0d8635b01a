import type { Actor, Via } from "../../write/writer"
import type { Refusal } from "../../lib/refusal"
import type { Right } from "../../../shared/rights"
import { unauthorized, type Caller } from "../../caller"

/** The state of one request, shared by all hooks. */
export type Call = {
  requestId: string
  method: string
  path: string
  /** The raw query string, without its question mark. */
  query: string
  caller: Caller | null
  /** Its route, for the metrics; null until it is known. */
  route: { method: string; path: string } | null
  right: Right | null
  /** Why the request has no caller. It is returned after the request has been counted. */
  refusal: Refusal | null
  /** True when the response contains a secret, such as a token. */
  isSecret: boolean
  /** The client's address; behind trusted proxies, the address that they report. */
  address: () => string
  userAgent: () => string | null
  /** Lets the connection be silent for some minutes, the longest time that Bun allows. */
  keepOpen: () => void
  /** Aborted when the client has disconnected. */
  signal: () => AbortSignal
  /** Set when the request was made for a tool of an assistant. */
  via?: Via
}

export type Connection = {
  addressOf: (request: Request) => string
  /**
   * Lets the connection of a request be silent for this many seconds; 0 means no timeout. It applies to the connection also
   * after the response, so after 0 a shorter time must be set.
   */
  keepOpen: (request: Request, seconds: number) => void
}

/** The index of the path in a request's URL. Without a Host header the URL is only a path. */
export const pathStart = (url: string): number =>
  url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3)

/** The path as logs show it: without the secret of a public page. */
export const loggedPath = ({ path }: Pick<Call, "path">): string =>
  path.replace(/^\/q\/[^/]*/, "/q/…").slice(0, 200)

/** The caller of a route that needs a right. */
export function callerOf(call: Call): Caller {
  if (!call.caller) throw unauthorized()
  return call.caller
}

/** The actor that the request's writes are recorded under. */
export function actorOf(call: Call): Actor {
  const { caller, requestId, via } = call
  const from = { requestId, ip: call.address(), userAgent: call.userAgent(), ...(via ? { via } : {}) }
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
