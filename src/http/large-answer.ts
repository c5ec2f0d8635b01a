import { restsBetween } from "../lib/turns"
import type { Expanded } from "./expand"

/** The maximum time in milliseconds that serializing blocks other requests, unless one record takes longer. */
const longestStep = 4
const bytesAtOnce = 64 * 1024

/**
 * Streams the parts of a JSON text, no faster than the client receives it, so that a large response neither blocks other
 * requests nor is in memory twice.
 */
export function writtenInSteps(
  parts: Iterable<string>,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const rest = restsBetween(longestStep, signal)
  const pieces = piecesOf(parts)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await rest()
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
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

/** The JSON text of a list, record by record. */
export function* listParts(
  rows: readonly object[],
  meta: object,
  expanded?: Expanded,
): Generator<string, undefined> {
  yield '{"success":true,"data":['
  yield* separated(rows.values().map((row) => JSON.stringify(row)))
  yield "]"
  if (expanded) yield* expandedParts(expanded)
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
