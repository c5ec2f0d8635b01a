import { Refusal } from "../../lib/refusal"
import { isObject } from "../../kind/object"
import { nextStep, nextTurn } from "../../lib/turns"
import type { Input } from "../../kind/read"
import { readJson, readJsonInParts, usualBytes } from "./json-body"

const largeBytes = 16 * 1024
const jsonType = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i
/** RFC 7396: what PATCH does with a body. */
const patchType = /^application\/(?:merge-patch\+)?json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i
const omittedCounts = new WeakMap<Request, number>()

/**
 * Returns the number of additional errors of a body with more fields or entries than any record: the omitted ones are
 * not validated, and each counts as one error.
 */
export const omittedIn = (request: Request): number => omittedCounts.get(request) ?? 0

/**
 * Reads a body that must be a JSON object. With `isOptional`, a missing body is an empty object. With `hasParts`, each
 * entry of its lists may be as large as another body.
 */
export async function readBody(
  request: Request,
  { isOptional = false, mostBytes = usualBytes, hasParts = false } = {},
): Promise<Input> {
  assertAcceptable(request, isOptional, mostBytes)
  const bytes = await readWhole(request, mostBytes)
  if (bytes.length === 0) {
    if (isOptional) return {}
    throw new Refusal("INVALID_JSON", "The body is empty; send a JSON object.")
  }
  // When many large bodies arrive together, one is parsed per turn of the event loop.
  if (bytes.length > largeBytes) await nextStep()
  const { value, omitted } = hasParts ? await readJsonInParts(bytes) : readJson(bytes)
  if (!isObject(value)) throw new Refusal("INVALID_JSON", "The body must be a JSON object.")
  if (omitted > 0) omittedCounts.set(request, omitted - 1)
  return value
}

/** The types and the largest size of a body that is a file. `check` refuses other content. */
export type Upload = {
  types: readonly string[]
  mostBytes: number
  check: (file: Uploaded) => void
  /** True when the run reads the body itself, piece by piece. Only the type is checked before. */
  isStreamed?: true
}

export type Uploaded = { type: string; bytes: Uint8Array }

/** Reads a body that is a file. Its type and its announced size are checked before its content is read. */
export async function readUpload(request: Request, upload: Upload): Promise<Uploaded> {
  const { types, mostBytes, check, isStreamed } = upload
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (!types.includes(type))
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", `Send the body as Content-Type: ${types.join(" or ")}.`)
  assertNotEncoded(request)
  const file = { type, bytes: isStreamed ? new Uint8Array() : await readWhole(request, mostBytes) }
  check(file)
  return file
}

const readWhole = (request: Request, mostBytes: number): Promise<Uint8Array> =>
  readBytes(request, mostBytes).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    // The client disconnected, so nobody reads this message.
    throw new Refusal("BAD_REQUEST", "The body is incomplete.")
  })

function assertNotEncoded(request: Request): void {
  if (request.headers.has("content-encoding"))
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.")
}

function assertAcceptable(request: Request, isOptional: boolean, mostBytes: number): void {
  const length = request.headers.get("content-length")
  if (length !== null && Number(length) > mostBytes) throw sizeLimitExceeded(mostBytes)
  assertNotEncoded(request)
  const type = request.headers.get("content-type")
  const nothing = isBodyless(request) || length === "0"
  if (type === null && nothing) return
  if (type === null || !(request.method === "PATCH" ? patchType : jsonType).test(type)) {
    if (isOptional && nothing) return
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "Send the body as Content-Type: application/json.")
  }
}

/** Decides by the headers, as HTTP defines it, because reading `request.body` would create a stream. */
const isBodyless = ({ headers }: Request): boolean =>
  !headers.has("content-length") && !headers.has("transfer-encoding")

/** Stops reading after `most` bytes, so that an endless body does not fill the memory. */
export async function readBytes(request: Request, most: number = usualBytes): Promise<Uint8Array> {
  if (isBodyless(request)) return new Uint8Array()
  if (Number(request.headers.get("content-length") ?? 0) > most) throw sizeLimitExceeded(most)
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer())
  if (request.headers.has("trailer"))
    throw new Refusal("BAD_REQUEST", "Trailer fields are not supported. Send them as headers.")
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > most) throw sizeLimitExceeded(most)
    chunks.push(chunk)
  }
  // In the next turn, Bun's HTTP parser has parsed the data after the last chunk. If that data is not a valid request,
  // the parser has responded with 400 and closed the connection.
  await nextTurn()
  if (request.signal.aborted) throw new Error("The connection was closed.")
  return Buffer.concat(chunks)
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`

export const sizeLimitExceeded = (most: number) =>
  new Refusal("PAYLOAD_TOO_LARGE", `The body is larger than ${sizeOf(most)}.`, {
    params: { max: most },
  })
