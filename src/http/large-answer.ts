import { restsBetween } from "../lib/turns"

/** How many milliseconds of writing out others wait for at most, unless a single record takes longer. */
const longestStep = 4

/** A list as JSON, record by record, so that others are served while a large one is written out. */
export async function writtenInSteps(
  rows: readonly object[],
  meta: object,
  signal: AbortSignal | null,
): Promise<Response> {
  const rest = restsBetween(longestStep, signal)
  const pieces: Uint8Array<ArrayBuffer>[] = [bytesOf('{"success":true,"data":[')]
  for (const [i, row] of rows.entries()) {
    await rest()
    pieces.push(bytesOf(`${i > 0 ? "," : ""}${JSON.stringify(row)}`))
  }
  pieces.push(bytesOf(`],"meta":${JSON.stringify(meta)}}`))
  return new Response(new Blob(pieces), { headers: { "content-type": "application/json;charset=utf-8" } })
}

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)
