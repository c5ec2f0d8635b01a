import { Type } from "@sinclair/typebox"
import type { FieldError } from "../lib/refusal"
import { errorOfText, hasTooManyMarks, isLonger } from "../lib/text"
import { field, unique, withDefault, type Given } from "./field"
import { isObject } from "./object"
import { text } from "./text-field"

const mostPairs = 50
const longestKey = 40
const longestValue = 500

/** The fields that tie a record to a record of another system. */
export const externalFields = {
  externalId: unique({
    ...text({
      max: 100,
      isCode: true,
      description: "The id of the record in another system. Unique, and compared exactly.",
    }),
    isExact: true,
  }),
  metadata: withDefault(metadata(), {}),
}

/** Any keys with texts, which only clients use. An update merges it key by key; null removes a key. */
function metadata(): Given<Record<string, string>> {
  const schema = Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string", maxLength: longestValue },
    maxProperties: mostPairs,
    examples: [{ channel: "web" }],
    description: `Up to ${mostPairs} pairs of your own: keys of at most ${longestKey} characters, texts of at most ${longestValue}.`,
  })
  const read = (value: unknown, at: string, errors: FieldError[]) => readPairs(value, at, errors)
  return { ...field("json", schema, read), isMap: true }
}

function readPairs(value: unknown, at: string, errors: FieldError[]): Record<string, string> | undefined {
  if (!isObject(value)) return void errors.push({ field: at, message: "must be an object" })
  const pairs = Object.entries(value).filter(([, each]) => each !== null)
  if (pairs.length > mostPairs)
    return void errors.push({ field: at, message: `must have at most ${mostPairs} pairs` })
  const found = errors.length
  for (const [key, each] of pairs) {
    const wrong = errorOfKey(key) ?? errorOfValue(each)
    if (wrong) errors.push({ field: `${at}.${key.slice(0, longestKey)}`, message: wrong })
  }
  return errors.length > found ? undefined : (Object.fromEntries(pairs) as Record<string, string>)
}

function errorOfKey(key: string): string | null {
  if (key === "") return "has an empty key"
  if (isLonger(key, longestKey)) return `has a key of more than ${longestKey} characters`
  return errorOfText(key) ? "has a key with invalid characters" : null
}

function errorOfValue(value: unknown): string | null {
  if (typeof value !== "string") return "must be a string"
  if (isLonger(value, longestValue)) return `must be at most ${longestValue} characters long`
  if (hasTooManyMarks(value)) return "must not have more than 8 combining marks in a row"
  return errorOfText(value, true)
}
