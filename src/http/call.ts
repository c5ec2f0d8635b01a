import type { Actor } from "../db/writer"
import { Refusal } from "../lib/refusal"
import type { App } from "./app"
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

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/
const longestUserAgent = 300
const longestSilence = 255

/** Where the path begins in the address of a request, which without a Host is only a path. */
export const pathStart = (url: string): number =>
  url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3)

/** First of all: names the request, and finds its path in a way that no Host header can shift. */
export const requestId = (connection: Connection) => (app: App) =>
  app.onRequest(function nameRequest(context) {
    const { request, set } = context
    const { url } = request
    const given = request.headers.get("x-request-id")
    const id = given !== null && acceptableId.test(given) ? given : Bun.randomUUIDv7()
    const start = pathStart(url)
    const question = url.indexOf("?", start)
    context.call = {
      requestId: id,
      method: request.method,
      path: question < 0 ? url.slice(start) : url.slice(start, question),
      query: question < 0 ? "" : url.slice(question + 1),
      caller: null,
      right: null,
      refusal: null,
      address: addressIn(request, connection),
      userAgent: userAgentIn(request),
      keepOpen: keepOpenIn(request, connection),
      signal: signalIn(request),
    }
    set.headers["x-request-id"] = id
    set.headers["cache-control"] = "no-store"
    set.headers["x-content-type-options"] = "nosniff"
    if (!hasPlainOrigin(url, start))
      throw new Refusal("BAD_REQUEST", "The request has no usable Host header.")
  })

// All are asked for only when they are wanted. They stand apart because Elysia takes a hook for asynchronous by its
// text, as when it holds an arrow in front of a call, and then every request would wait for it.
const addressIn =
  (request: Request, { addressOf }: Connection) =>
  () =>
    addressOf(request)
const keepOpenIn =
  (request: Request, { keepOpen }: Connection) =>
  () =>
    keepOpen(request, longestSilence)
const signalIn = (request: Request) => () => request.signal
const userAgentIn = (request: Request) => () =>
  request.headers.get("user-agent")?.slice(0, longestUserAgent) ?? null

/** The caller of a route that `may` has guarded. */
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

// Elysia looks for the path from a fixed offset: 7 for http and 11 for https. A URL with a shorter origin (or none,
// as with an empty Host) would be routed by a path other than the one that was checked.
const hasPlainOrigin = (url: string, start: number) =>
  url.startsWith("http://") ? start > 7 : url.startsWith("https://") && start >= 11
