import { Elysia } from "elysia"
import { Refusal } from "../lib/refusal"
import type { Caller } from "./rights"

/** What is known of one request, from the first hook to the last. */
export type Call = {
  requestId: string
  method: string
  path: string
  /** The raw query string, without its question mark. */
  query: string
  caller: Caller | null
  /** The client's address; behind trusted proxies the one they report. */
  address: () => string
}

export type AddressOf = (request: Request) => string

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/

/** Puts `call` in the context of every hook and handler that uses it. */
export const callContext = new Elysia({ name: "call" }).decorate("call", {} as Call)

/** First of all: names the request, and finds its path in a way that no Host header can shift. */
export const requestId = (addressOf: AddressOf) =>
  new Elysia({ name: "request-id" }).use(callContext).onRequest(function nameRequest(context) {
    const { request, set } = context
    const { url } = request
    const given = request.headers.get("x-request-id")
    const id = given !== null && acceptableId.test(given) ? given : Bun.randomUUIDv7()
    const start = url.indexOf("/", url.indexOf("://") + 3)
    const question = url.indexOf("?", start)
    context.call = {
      requestId: id,
      method: request.method,
      path: question < 0 ? url.slice(start) : url.slice(start, question),
      query: question < 0 ? "" : url.slice(question + 1),
      caller: null,
      address: () => addressOf(request),
    }
    set.headers["x-request-id"] = id
    set.headers["cache-control"] = "no-store"
    set.headers["x-content-type-options"] = "nosniff"
    if (!hasPlainOrigin(url, start))
      throw new Refusal("BAD_REQUEST", "The request has no usable Host header.")
  })

// Elysia looks for the path from a fixed offset: 7 for http and 11 for https. A URL with a shorter origin (or none,
// as with an empty Host) would be routed by a path other than the one that was checked.
const hasPlainOrigin = (url: string, start: number) =>
  url.startsWith("http://") ? start > 7 : url.startsWith("https://") && start >= 11
