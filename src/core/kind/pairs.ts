import { Type } from "@sinclair/typebox"
import { fieldError, reporter, type FieldError, type Format } from "../lib/refusal"
import { errorOfText, hasTooManyMarks, isLonger, marksError } from "../lib/text"
import { field, type Given } from "./field"
import { isObject } from "./object"

type Pairs = Record<string, string>

type Limits = {
  mostPairs: number
  longestKey: number
  longestValue: number
  /** Returns why a value is invalid; null if it is valid. */
  check?: (value: string) => { error: string; format: Format } | null
}

/** Any keys with texts. An update merges it key by key; null removes a key. */
export function pairs({ description, examples, ...limits }: Limits & Described): Given<Pairs> {
  const schema = Type.Unsafe<Pairs>({
    type: "object",
    additionalProperties: { type: "string", maxLength: limits.longestValue },
    maxProperties: limits.mostPairs,
    examples,
    description,
  })
  const read = (value: unknown, at: string, errors: FieldError[]) => readPairs(value, at, errors, limits)
  return { ...field("json", schema, read), isMap: true }
}

type Described = { description: string; examples: Pairs[] }

function readPairs(value: unknown, at: string, errors: FieldError[], limits: Limits): Pairs | undefined {
  const { mostPairs, longestKey } = limits
  const error = reporter(errors, at)
  if (!isObject(value)) return error("TYPE", "must be an object", { type: "object" })
  const given = Object.entries(value).filter(([, each]) => each !== null)
  if (given.length > mostPairs)
    return error("TOO_LONG", `must have at most ${mostPairs} pairs`, { max: mostPairs })
  const found = errors.length
  for (const [key, each] of given) {
    const place = `${at}.${key.slice(0, longestKey)}`
    errors.push(...(keyError(key, place, limits) ?? valueError(each, place, limits) ?? []))
  }
  return errors.length > found ? undefined : (Object.fromEntries(given) as Pairs)
}

function keyError(key: string, at: string, { longestKey }: Limits): FieldError[] | null {
  if (key === "") return [fieldError(at, "TOO_SHORT", "has an empty key", { min: 1 })]
  if (isLonger(key, longestKey))
    return [
      fieldError(at, "TOO_LONG", `has a key of more than ${longestKey} characters`, { max: longestKey }),
    ]
  const wrong = errorOfText(key)
  return wrong && [fieldError(at, "FORMAT", "has a key with invalid characters", { format: wrong.format })]
}

function valueError(value: unknown, at: string, { longestValue, check }: Limits): FieldError[] | null {
  if (typeof value !== "string") return [fieldError(at, "TYPE", "must be a string", { type: "string" })]
  if (isLonger(value, longestValue))
    return [
      fieldError(at, "TOO_LONG", `must be at most ${longestValue} characters long`, { max: longestValue }),
    ]
  if (hasTooManyMarks(value)) return [fieldError(at, "FORMAT", marksError.error, marksError.params)]
  const wrong = errorOfText(value, true) ?? check?.(value)
  return wrong ? [fieldError(at, "FORMAT", wrong.error, { format: wrong.format })] : null
}
