import { shapeOfJson } from "../lib/json"
import { Refusal } from "../lib/refusal"
import { isObject, leftOutField } from "../resource/object"
import { nextStep, nextTurn } from "../lib/turns"
import type { Input } from "../resource/read"

const mostBytes = 1024 * 1024
const largeBytes = 16 * 1024
const deepest = 32
const jsonType = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const leftOut = new WeakMap<Request, number>()

/** How many errors of a request's body nobody has looked at, because it has more fields or entries than any record. */
export const leftOutOf = (request: Request): number => leftOut.get(request) ?? 0

/** Reads a body that must be one JSON object. With `isOptional`, no body at all is an empty object. */
export async function readBody(request: Request, { isOptional = false } = {}): Promise<Input> {
  assertAcceptable(request, isOptional)
  const bytes = await readBytes(request).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    // Whoever was sending hung up; there is nobody left to answer.
    throw new Refusal("BAD_REQUEST", "The body did not arrive whole.")
  })
  if (bytes.length === 0) {
    if (isOptional) return {}
    throw new Refusal("INVALID_JSON", "The body is empty; send a JSON object.")
  }
  // Many large ones that arrive together are read one in each turn.
  if (bytes.length > largeBytes) await nextStep()
  const shape = shapeOfJson(bytes)
  if (shape.depth > deepest)
    throw new Refusal("INVALID_JSON", `The body is nested more than ${deepest} levels deep.`)
  if (!shape.isClosed) throw notJson()
  if (shape.isTooWide)
    throw new Refusal("VALIDATION_ERROR", "The body has more values than any record.", {
      details: [{ field: "body", message: "has more values than any record" }],
    })
  const value = parse(shape.bytes)
  if (!isObject(value)) throw new Refusal("INVALID_JSON", "The body must be a JSON object.")
  if (shape.leftOut > 0) {
    // The fields that were left out could say anything, so the body must be refused. Every reader of a body refuses this field.
    value[leftOutField] = true
    leftOut.set(request, shape.leftOut - 1)
  }
  return value
}

function assertAcceptable(request: Request, isOptional: boolean): void {
  const length = request.headers.get("content-length")
  if (length !== null && Number(length) > mostBytes) throw tooLarge()
  const encoding = request.headers.get("content-encoding")
  if (encoding !== null)
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.")
  const type = request.headers.get("content-type")
  const nothing = isBodyless(request) || length === "0"
  if (type === null && nothing) return
  if (type === null || !jsonType.test(type)) {
    if (isOptional && nothing) return
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "Send the body as Content-Type: application/json.")
  }
}

/** By its headers, as HTTP has it: to look at `request.body` would make a stream of it. */
const isBodyless = ({ headers }: Request): boolean =>
  !headers.has("content-length") && !headers.has("transfer-encoding")

/** Stops reading as soon as it is more than `most` bytes, so that an endless body costs nothing. */
export async function readBytes(request: Request, most: number = mostBytes): Promise<Uint8Array> {
  if (isBodyless(request)) return new Uint8Array()
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge()
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer())
  if (request.headers.has("trailer"))
    throw new Refusal(
      "BAD_REQUEST",
      "Fields after the body are not read. Send them before it, without Trailer.",
    )
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > most) throw tooLarge()
    chunks.push(chunk)
  }
  // What came behind the last chunk is looked at after us, and is answered and hung up on if it is no request.
  await nextTurn()
  if (request.signal.aborted) throw new Error("The sender was hung up on.")
  return Buffer.concat(chunks)
}

function parse(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Refusal("INVALID_JSON", "The body is not valid UTF-8.")
  }
  if (text.startsWith("\uFEFF"))
    throw new Refusal("INVALID_JSON", "The body must not begin with a byte order mark.")
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

const notJson = () => new Refusal("INVALID_JSON", "The body is not valid JSON.")

const tooLarge = () => new Refusal("PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB.")
