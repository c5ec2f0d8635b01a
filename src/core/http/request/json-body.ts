import { mostValues, shapeOfJson, splitJson } from "../../lib/json"
import { fieldError, Refusal } from "../../lib/refusal"
import { restsBetween } from "../../lib/turns"
import { isObject, omittedField } from "../../kind/object"

/** The largest body of most requests, and the largest part of another. */
export const usualBytes = 1024 * 1024
const deepest = 32
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A parsed JSON text, and how many of its fields and entries were not parsed, because no record has as many. */
export type ReadJson = { value: unknown; omitted: number }

/** Parses a JSON text after checking that this does not take long. */
export function readJson(bytes: Uint8Array): ReadJson {
  const shape = shapeOfJson(bytes)
  if (shape.depth > deepest)
    throw new Refusal("INVALID_JSON", `The body is nested more than ${deepest} levels deep.`, {
      params: { max: deepest },
    })
  if (!shape.isClosed) throw notJson()
  if (shape.isTooWide)
    throw new Refusal("VALIDATION_ERROR", "The body has more values than any record.", {
      details: [fieldError("body", "TOO_LONG", "has more values than any record", { max: mostValues })],
    })
  const value = parse(shape.bytes)
  // The omitted fields are unknown fields, so the body must be refused. Every parser of a body refuses this field.
  if (shape.omitted > 0 && isObject(value)) value[omittedField] = true
  return { value, omitted: shape.omitted }
}

/** Parses a large object part by part, with other requests in between. Its lists contain the parts. */
export async function readJsonInParts(bytes: Uint8Array): Promise<ReadJson> {
  const rest = restsBetween(10)
  const { outer, parts } = splitJson(bytes)
  await rest()
  const { value, omitted } = readJson(outer)
  let sum = omitted
  const values: unknown[] = []
  for (const [i, part] of parts.entries()) {
    await rest()
    const read = readPart(part, i)
    values.push(read.value)
    sum += read.omitted
  }
  if (isObject(value))
    for (const [name, list] of Object.entries(value))
      if (Array.isArray(list)) value[name] = list.map((index) => values[Number(index)])
  return { value, omitted: sum }
}

function readPart(bytes: Uint8Array, index: number): ReadJson {
  if (bytes.length <= usualBytes) return readJson(bytes)
  throw new Refusal("VALIDATION_ERROR", `Operation ${index} is larger than 1 MiB.`, {
    details: [
      fieldError(`operations[${index}]`, "TOO_LONG", `must be at most ${usualBytes} bytes`, {
        max: usualBytes,
      }),
    ],
  })
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
