import { restsBetween } from "../lib/turns"

/** The maximum time in milliseconds that serializing blocks other requests, unless one record takes longer. */
const longestStep = 4
const bytesAtOnce = 64 * 1024

/**
 * Streams a list as JSON, record by record and no faster than the client receives it, so that a large list neither
 * blocks other requests nor is in memory twice.
 */
export function writtenInSteps(
  rows: readonly object[],
  meta: object,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const rest = restsBetween(longestStep, signal)
  const pieces = piecesOf(rows, meta)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await rest()
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** Combines small records into larger chunks. */
function* piecesOf(rows: readonly object[], meta: object): Generator<Uint8Array, undefined> {
  let text = '{"success":true,"data":['
  for (const [i, row] of rows.entries()) {
    text += `${i > 0 ? "," : ""}${JSON.stringify(row)}`
    if (text.length < bytesAtOnce) continue
    yield encoder.encode(text)
    text = ""
  }
  yield encoder.encode(`${text}],"meta":${JSON.stringify(meta)}}`)
  return undefined
}

const encoder = new TextEncoder()
