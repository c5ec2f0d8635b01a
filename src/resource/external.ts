import { Type } from "@sinclair/typebox"
import { fieldError, reporter, type FieldError } from "../lib/refusal"
import { errorOfText, hasTooManyMarks, isLonger, marksError } from "../lib/text"
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
      description: "The id of the record in another system. Unique, and compared exactly",
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
    description: `Up to ${mostPairs} pairs of your own: keys of at most ${longestKey} characters, texts of at most ${longestValue}`,
  })
  const read = (value: unknown, at: string, errors: FieldError[]) => readPairs(value, at, errors)
  return { ...field("json", schema, read), isMap: true }
}

function readPairs(value: unknown, at: string, errors: FieldError[]): Record<string, string> | undefined {
  const error = reporter(errors, at)
  if (!isObject(value)) return error("TYPE", "must be an object", { type: "object" })
  const pairs = Object.entries(value).filter(([, each]) => each !== null)
  if (pairs.length > mostPairs)
    return error("TOO_LONG", `must have at most ${mostPairs} pairs`, { max: mostPairs })
  const found = errors.length
  for (const [key, each] of pairs) {
    const place = `${at}.${key.slice(0, longestKey)}`
    errors.push(...(keyError(key, place) ?? valueError(each, place) ?? []))
  }
  return errors.length > found ? undefined : (Object.fromEntries(pairs) as Record<string, string>)
}

function keyError(key: string, at: string): FieldError[] | null {
  if (key === "") return [fieldError(at, "TOO_SHORT", "has an empty key", { min: 1 })]
  if (isLonger(key, longestKey))
    return [
      fieldError(at, "TOO_LONG", `has a key of more than ${longestKey} characters`, { max: longestKey }),
    ]
  const wrong = errorOfText(key)
  return wrong && [fieldError(at, "FORMAT", "has a key with invalid characters", { format: wrong.format })]
}

function valueError(value: unknown, at: string): FieldError[] | null {
  if (typeof value !== "string") return [fieldError(at, "TYPE", "must be a string", { type: "string" })]
  if (isLonger(value, longestValue))
    return [
      fieldError(at, "TOO_LONG", `must be at most ${longestValue} characters long`, { max: longestValue }),
    ]
  if (hasTooManyMarks(value)) return [fieldError(at, "FORMAT", marksError.error, marksError.params)]
  const wrong = errorOfText(value, true)
  return wrong && [fieldError(at, "FORMAT", wrong.error, { format: wrong.format })]
}
