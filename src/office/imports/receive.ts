import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { sizeLimitExceeded } from "../../core/http/request/body"
import { steadyMillis } from "../../core/lib/clock"
import { invalid, Refusal } from "../../core/lib/refusal"
import { mostImportBytes } from "../../shared/suggestions"
import { sniff } from "../sheets/read/recognize"
import { insertPiece } from "./store"

const pieceBytes = 256 * 1024

type Deps = { db: Database; write: (work: (tx: Tx) => void) => Promise<void> }

/** How long a client may be silent, and take for the whole file, in milliseconds. */
type Patience = { silent: number; whole: number }

/** The largest file takes an hour at 9 kB per second. */
export const usualPatience: Patience = { silent: 60_000, whole: 3_600_000 }

/**
 * Stores the body of a request piece by piece, so that it is never in memory as a whole. Each piece is a write of its own,
 * so that other writes run in between. Returns its SHA-256.
 */
export async function receive(
  { db, write }: Deps,
  request: Request,
  id: string,
  patience = usualPatience,
): Promise<string> {
  assertLength(request)
  const hash = new Bun.CryptoHasher("sha256")
  let [size, pieces, limit] = [0, 0, mostImportBytes.csv]
  for await (const bytes of piecesOf(request, patience)) {
    if (pieces === 0) limit = limitOf(bytes)
    size += bytes.length
    if (size > limit) throw sizeLimitExceeded(limit)
    hash.update(bytes)
    await write(() => insertPiece(db, id, pieces, bytes))
    pieces++
  }
  if (pieces === 0) throw empty()
  return hash.digest("hex")
}

const empty = () => invalid("body", "REQUIRED", "is empty: send the file as the body of the request")

function assertLength(request: Request): void {
  const length = request.headers.get("content-length")
  if (length !== null && Number(length) > mostImportBytes.csv) throw sizeLimitExceeded(mostImportBytes.csv)
}

/** The size limit depends on the content, not on the announced type. */
function limitOf(bytes: Uint8Array): number {
  const type = sniff(bytes)
  if (typeof type === "string") return mostImportBytes[type]
  throw new Refusal("UNSUPPORTED_MEDIA_TYPE", type.message, { params: { reason: type.reason } })
}

/** The body in pieces of the same size, except for the last one. */
async function* piecesOf(request: Request, patience: Patience): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request, patience)) {
    waiting.push(chunk)
    size += chunk.length
    if (size < pieceBytes) continue
    const whole = Buffer.concat(waiting)
    let from = 0
    for (; from + pieceBytes <= whole.length; from += pieceBytes)
      yield whole.subarray(from, from + pieceBytes)
    waiting = [whole.subarray(from)]
    size = whole.length - from
  }
  if (request.signal.aborted) throw incomplete("The connection was closed.")
  if (size > 0) yield Buffer.concat(waiting)
}

/** The body as it arrives. It ends when the client disconnects or is too slow. */
async function* chunksOf({ body, signal }: Request, patience: Patience): AsyncGenerator<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader()
  if (!reader) return
  const end = steadyMillis() + patience.whole
  try {
    for (;;) {
      const left = Math.min(patience.silent, end - steadyMillis())
      if (left <= 0) throw tooSlow()
      const { done, value } = await inTime(reader.read(), signal, left)
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Waits for the next bytes, but not forever. */
function inTime<T>(read: Promise<T>, signal: AbortSignal, millis: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(incomplete("The connection was closed."))
  const timer = setTimeout(() => reject(tooSlow()), millis)
  if (signal.aborted) onAbort()
  signal.addEventListener("abort", onAbort)
  return Promise.race([read, promise]).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
  })
}

const tooSlow = (): Refusal => incomplete("It arrived too slowly.")
const incomplete = (why: string): Refusal => new Refusal("BAD_REQUEST", `The body is incomplete. ${why}`)
