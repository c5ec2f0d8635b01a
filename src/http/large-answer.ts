import { restsBetween } from "../lib/turns"

/** The maximum time in milliseconds that serializing blocks other requests, unless one record takes longer. */
const longestStep = 4
const bytesAtOnce = 64 * 1024

/**
 * Streams a list as JSON, record by record and no faster than the client receives it, so that a large list neither
 * blocks other requests nor is in memory twice.
 */
export const writtenInSteps = (
  rows: readonly object[],
  meta: object,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> =>
  writtenInPieces(
    rows,
    { start: '{"success":true,"data":[', end: `],"meta":${JSON.stringify(meta)}}` },
    signal,
  )

/** The JSON text before and after the rows of a response. */
type Frame = { start: string; end: string }

/** Streams rows with a text before and after them. */
export function writtenInPieces(
  rows: readonly object[],
  frame: Frame,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const rest = restsBetween(longestStep, signal)
  const pieces = piecesOf(rows, frame)
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
function* piecesOf(rows: readonly object[], { start, end }: Frame): Generator<Uint8Array, undefined> {
  let text = start
  for (const [i, row] of rows.entries()) {
    text += `${i > 0 ? "," : ""}${JSON.stringify(row)}`
    if (text.length < bytesAtOnce) continue
    yield encoder.encode(text)
    text = ""
  }
  yield encoder.encode(text + end)
  return undefined
}

const encoder = new TextEncoder()
