import { isBusiness, type Resource } from "../../kind/define"
import { etagOf } from "../../kind/tag"
import { ok } from "./envelope"
import { isUnchanged } from "../request/if-none-match"
import type { RouteCall } from "../route/route"
import { hasVersion } from "../request/write"
import { nextTurn } from "../../lib/turns"

/** Clients may store the response, and must ask each time whether it is still current. */
export const askAgain = "private, no-cache"

/**
 * Responds with one whole record. A client that sends the ETag of a record of the business in If-None-Match gets 304
 * without a body if the record has not changed.
 */
export function answerRecord<T extends object>(
  kind: Resource,
  record: T,
  { request, set }: Pick<RouteCall, "request" | "set">,
) {
  if (!hasVersion(record)) return ok(record)
  const etag = etagOf(record)
  set.headers["etag"] = etag
  if (!isBusiness(kind)) return ok(record)
  set.headers["cache-control"] = askAgain
  if (!isUnchanged(request, etag)) return ok(record)
  set.status = 304
  return undefined
}

export type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * Ensures that a request with a chunked body gets one response. Bun's HTTP parser does not support trailer fields: it
 * parses them as another request, responds with its own 400 and closes the connection.
 *
 * So our response waits for the next turn of the event loop. If trailer fields arrived together with the end of the body,
 * Bun has sent its 400 by then, and our response is dropped. Our response also closes the connection, so that Bun does
 * not parse trailer fields that arrive later. A response in pieces is sent when it is whole, so that nothing comes between
 * its pieces. One case remains: the client sends trailer fields while it receives a response of more than a megabyte, or a
 * stream of events. Then that response is cut off and ends with the text of Bun's 400, so it is incomplete.
 */
export const oneAnswer =
  (answer: FetchHandler): FetchHandler =>
  (request) =>
    request.headers.has("transfer-encoding") ? lastOfItsConnection(request, answer) : answer(request)

async function lastOfItsConnection(request: Request, answer: FetchHandler): Promise<Response> {
  const response = await atOnce(await answer(request))
  await nextTurn()
  response.headers.set("connection", "close")
  return response
}

const mostAtOnce = 1024 * 1024

/** Returns a response whose body is not a stream, unless it is a large one or a stream of events. */
async function atOnce(response: Response): Promise<Response> {
  if (!response.body || response.headers.get("content-type")?.startsWith("text/event-stream")) return response
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size > mostAtOnce) return new Response(streamOf(chunks, reader), response)
  }
  return new Response(Buffer.concat(chunks), response)
}

const streamOf = (begun: readonly Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => begun.forEach((chunk) => controller.enqueue(chunk)),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
