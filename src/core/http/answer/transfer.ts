import { packShortText, packStream, packText } from "../../lib/pack"
import type { RouteCall } from "../route/route"

/** A body of at most this many bytes is not compressed, because it fits into one packet anyway. */
const smallest = 1_000
/** A text of at most this many characters is compressed immediately, in less than half a millisecond. */
const mostAtOnce = 64 * 1024

/** The content type that Response.json sets. */
const json = "application/json;charset=utf-8"

type Context = Pick<RouteCall, "call" | "request" | "set">

/**
 * Compresses what a handler returned, if the client accepts that. Every response passes this function. A stream is a
 * JSON text in pieces. A Response is finished and is not changed.
 */
export function packed(answer: unknown, context: Context): unknown {
  // The usual case first.
  return isRecord(answer) && !mayPack(context) ? answer : packedAnswer(answer, context)
}

const isRecord = (answer: unknown): boolean => typeof answer === "object" && answer?.constructor === Object

function packedAnswer(answer: unknown, context: Context): unknown {
  if (answer instanceof Promise) return answer.then((value) => packed(value, context))
  if (answer instanceof ReadableStream) return packedStream(answer, context)
  if (answer === undefined || answer instanceof Response || !mayPack(context)) return answer
  if (typeof answer === "string") return packedText(answer, context)
  context.set.headers["content-type"] = json
  return packedText(JSON.stringify(answer), context)
}

function packedText(text: string, context: Context): string | Uint8Array | Promise<Uint8Array> {
  if (isSmall(text)) return text
  return text.length <= mostAtOnce
    ? asGzip(packShortText(text), context)
    : packText(text).then((bytes) => asGzip(bytes, context))
}

/** A text has at least as many bytes as characters, so only short texts are measured. */
const isSmall = (text: string): boolean => text.length <= smallest && Buffer.byteLength(text) <= smallest

function packedStream(body: ReadableStream<Uint8Array>, context: Context): Response {
  context.set.headers["content-type"] = json
  return new Response(mayPack(context) ? asGzip(packStream(body), context) : body)
}

/**
 * A response that contains a secret is never compressed: its length would depend on how similar the secret is to other
 * texts in it, which others may have chosen (BREACH).
 */
const mayPack = ({ call, request }: Context): boolean =>
  !call.isSecret && acceptsCoding(request.headers.get("accept-encoding"), "gzip")

function asGzip<T>(body: T, { set }: Context): T {
  set.headers["content-encoding"] = "gzip"
  return body
}

/** The ways in which this server compresses a body. */
export type Coding = "gzip" | "br"

/**
 * True if the client accepts the coding and does not prefer an uncompressed body (RFC 9110, 12.5.3). A client without
 * the header gets uncompressed bodies, because it may not be able to decompress.
 */
export function acceptsCoding(header: string | null, coding: Coding): boolean {
  if (header === null) return false
  const weights = weightsIn(header)
  const weight = weights.get(coding) ?? weights.get("*") ?? 0
  return weight > 0 && weight >= (weights.get("identity") ?? 0)
}

type Weights = ReadonlyMap<string, number>

/** The headers that were parsed recently. Clients send only a few different ones, and parsing takes 6 % of a request. */
const parsed = new Map<string, Weights>()
const mostParsed = 100
const longestParsed = 100

function weightsIn(header: string): Weights {
  const known = parsed.get(header)
  if (known) return known
  const weights = new Map(header.split(",").map(readElement))
  if (parsed.size >= mostParsed) parsed.clear()
  if (header.length <= longestParsed) parsed.set(header, weights)
  return weights
}

/** Reads `gzip;q=0.5`. An invalid weight counts as a refusal, because every client can use an uncompressed body. */
function readElement(element: string): [name: string, weight: number] {
  const [name = "", parameter] = element.split(";").map((part) => part.trim().toLowerCase())
  const known = name === "x-gzip" ? "gzip" : name
  if (parameter === undefined) return [known, 1]
  const [, weight] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter) ?? []
  return [known, weight === undefined ? 0 : Number(weight)]
}
