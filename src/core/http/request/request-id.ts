import { isSeeded, randomBytes } from "../../lib/random/random"
import { Refusal } from "../../lib/refusal"
import type { App } from "../route/app"
import { pathStart, type Call, type Connection } from "./call"
import { outerOf } from "../assistants/inner"

/** In a demo with a seed, they are the same at every start: they are in the audit log, and so in an export. */
const newRequestId = () =>
  isSeeded("requests") ? Buffer.from(randomBytes("requests", 16)).toString("hex") : Bun.randomUUIDv7()

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/
const longestUserAgent = 300
const longestSilence = 255
/** Bun answers a URL and headers of more than 64 KiB itself, without our envelope: see `execArgv` in scripts/build.ts. */
const longestUrl = 16_384

/**
 * The first hook: assigns the request ID, and finds the path independently of the Host header. `latest` gets the call, for
 * the metrics.
 */
export const requestId = (connection: Connection, latest: { call: Call | null }) => (app: App) =>
  app.onRequest(function nameRequest(context) {
    const { request, set } = context
    const { url } = request
    const outer = outerOf(request)
    const given = request.headers.get("x-request-id")
    const id = outer?.call.requestId ?? (given !== null && acceptableId.test(given) ? given : newRequestId())
    const start = pathStart(url)
    const question = url.indexOf("?", start)
    context.call = {
      requestId: id,
      method: request.method,
      path: question < 0 ? url.slice(start) : url.slice(start, question),
      query: question < 0 ? "" : url.slice(question + 1),
      caller: null,
      route: null,
      right: null,
      refusal: null,
      isSecret: false,
      address: addressIn(request, connection),
      userAgent: userAgentIn(request),
      keepOpen: keepOpenIn(request, connection),
      signal: signalIn(request),
      ...(outer ? ofOuter(outer) : {}),
    }
    latest.call = context.call
    set.headers["x-request-id"] = id
    set.headers["cache-control"] = "no-store"
    set.headers["vary"] = "Accept-Encoding"
    set.headers["x-content-type-options"] = "nosniff"
    if (!hasPlainOrigin(url, start))
      throw new Refusal("BAD_REQUEST", "The request has no usable Host header.")
    if (url.length - start > longestUrl)
      throw new Refusal("URI_TOO_LONG", `The path with its query must be at most ${longestUrl} bytes long.`)
  })

/** What an inner request has of the one that it is made for. */
const ofOuter = ({ call, via }: NonNullable<ReturnType<typeof outerOf>>) => ({
  via,
  caller: call.caller,
  address: call.address,
  userAgent: call.userAgent,
  keepOpen: call.keepOpen,
  signal: call.signal,
})

// These values are computed only on use. They are separate functions, because Elysia decides by the source text of a
// hook whether it is asynchronous. An arrow in front of a call looks asynchronous, and every request would wait for the
// hook.
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

// Elysia looks for the path from a fixed offset: 7 for http and 11 for https. A URL with a shorter origin (or none, for
// example with an empty Host) would be routed by a path other than the one that was checked.
const hasPlainOrigin = (url: string, start: number) =>
  url.startsWith("http://") ? start > 7 : url.startsWith("https://") && start >= 11
