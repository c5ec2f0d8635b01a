import { gate } from "../../lib/gate"
import type { Warning } from "../../lib/warning"
import { assertConnected, restsBetween } from "../../lib/turns"
import { callerOf, type Call } from "../request/call"
import { download } from "./download"
import type { Expanded } from "./expand"

/** The maximum time in milliseconds that serializing blocks other requests, unless one record takes longer. */
const longestStep = 4
const bytesAtOnce = 64 * 1024

/** Limits the responses that clients have not received yet, because each may use some tens of megabytes of memory. */
const fewHeld = gate({
  atOnce: 16,
  perShare: 4,
  longest: 1_000,
  message: "Too many large responses are not received yet. Try again in a moment.",
})

/** When the client has received a large response, or has disconnected. */
const received = new WeakMap<object, Promise<void>>()

/**
 * Runs work that may return a large response. Its place is free when the client has received the response. Work whose client
 * has given up while it waited does not begin.
 */
export const untilReceived = <T extends object>(call: Call, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    fewHeld(callerOf(call).userId, async () => {
      assertConnected(call.signal())
      const answer = await work()
      resolve(answer)
      await received.get(answer)
    }).catch(reject)
  })

/**
 * Streams the parts of a JSON text, no faster than the client receives it, so that a large response neither blocks other
 * requests nor is in memory twice.
 */
export function writtenInSteps(parts: Iterable<string>, call: Call): ReadableStream<Uint8Array> {
  // Nobody would receive it.
  if (call.method === "HEAD") return new ReadableStream({ start: (controller) => controller.close() })
  const signal = call.signal()
  const rest = restsBetween(longestStep, signal)
  const pieces = piecesOf(parts)
  const { promise, resolve } = Promise.withResolvers<void>()
  const take = async () => {
    await rest()
    return pieces.next().value ?? null
  }
  const stream = download({ take, end: () => resolve() }, { signal, assertStillMay: () => {} }).begin()
  received.set(stream, promise)
  return stream
}

/** Combines small parts into larger chunks. */
function* piecesOf(parts: Iterable<string>): Generator<Uint8Array, undefined> {
  let text = ""
  for (const part of parts) {
    text += part
    if (text.length < bytesAtOnce) continue
    yield encoder.encode(text)
    text = ""
  }
  yield encoder.encode(text)
  return undefined
}

const encoder = new TextEncoder()

/** What the response to a list has in addition. */
type Beside = { expanded?: Expanded; warnings?: readonly Warning[] }

/** The JSON text of a list, record by record. */
export function* listParts(
  rows: readonly object[],
  meta: object,
  { expanded, warnings = [] }: Beside = {},
): Generator<string, undefined> {
  yield '{"success":true,"data":['
  yield* separated(rows.values().map((row) => JSON.stringify(row)))
  yield "]"
  if (expanded) yield* expandedParts(expanded)
  if (warnings.length > 0) yield `,"warnings":${JSON.stringify(warnings)}`
  yield `,"meta":${JSON.stringify(meta)}}`
  return undefined
}

/** The JSON text of one record and the records that it refers to. */
export function* recordParts(record: object, expanded: Expanded): Generator<string, undefined> {
  yield `{"success":true,"data":${JSON.stringify(record)}`
  yield* expandedParts(expanded)
  yield "}"
  return undefined
}

/** The JSON text of the results of a batch. */
export function* resultParts(results: IteratorObject<object>): Generator<string, undefined> {
  yield '{"success":true,"data":{"results":['
  yield* separated(results.map((result) => JSON.stringify(result)))
  yield "]}}"
  return undefined
}

function* expandedParts(expanded: Expanded): Generator<string, undefined> {
  yield ',"expanded":{'
  let isFirst = true
  for (const [name, records] of Object.entries(expanded)) {
    yield `${isFirst ? "" : ","}${JSON.stringify(name)}:{`
    isFirst = false
    yield* separated(
      Object.entries(records)
        .values()
        .map(([id, record]) => `${JSON.stringify(id)}:${JSON.stringify(record)}`),
    )
    yield "}"
  }
  yield "}"
  return undefined
}

function* separated(texts: Iterable<string>): Generator<string, undefined> {
  let isFirst = true
  for (const text of texts) {
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
  return undefined
}
