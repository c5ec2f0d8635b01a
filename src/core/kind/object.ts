import { Type, type TSchema } from "@sinclair/typebox"
import { mostEntries, mostMembers } from "../lib/json"
import { fieldError, type FieldError, reporter, type Format } from "../lib/refusal"
import { type Field, type Mode, field, type Given } from "./field"
import { errorOfText, hasTooManyMarks, isLonger, marksError } from "../lib/text"

type Parts = Record<string, Field<unknown, "optional", true>>
export type PartsOf<P extends Parts> = { [K in keyof P]: P[K] extends Field<infer T> ? T | null : never }

/** An object of optional parts, stored as JSON. A missing part is null. An object with only nulls is stored as null. */
export function object<P extends Parts>(parts: P): Field<PartsOf<P>, "optional", true> {
  const properties = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, nullableSchema(part)]),
  )
  const schema = Type.Unsafe<PartsOf<P>>({ type: "object", properties, additionalProperties: false })
  return {
    kind: "json",
    schema,
    access: "optional",
    nullable: true,
    parts,
    read: (value, at, errors, mode, before) =>
      readParts(parts, value, at, { errors, mode, before }) as PartsOf<P> | undefined,
  }
}

/** The schema of a field in JSON: null is allowed when the field may have no value. */
export function nullableSchema({ schema, nullable }: Pick<Field, "schema" | "nullable">): TSchema {
  if (!nullable) return schema
  const {
    type,
    enum: words,
    anyOf,
    ...rest
  } = schema as {
    type?: string | string[]
    enum?: string[]
    anyOf?: object[]
  }
  if (anyOf) return Type.Unsafe<unknown>({ ...rest, anyOf: [...anyOf, { type: "null" }] })
  // Generators of validators read a list of words with null in it as a list of texts.
  if (words) return Type.Unsafe<unknown>({ ...rest, anyOf: [{ type, enum: words }, { type: "null" }] })
  return Type.Unsafe<unknown>({ ...rest, type: [...new Set([type, "null"].flat())] })
}

/** The name of a field that replaces the omitted fields of a body that has more fields or entries than any record. */
export const omittedField = "…"

/** Adds an error for every field of a body that is not in `known`. */
export function tellUnknown(
  given: Record<string, unknown>,
  known: Record<string, unknown> | readonly string[],
  errors: FieldError[],
  prefix = "",
): void {
  const isKnown = (name: string) => (Array.isArray(known) ? known.includes(name) : Object.hasOwn(known, name))
  for (const name of Object.keys(given))
    if (name === omittedField)
      errors.push(
        fieldError("body", "TOO_LONG", "has more fields or entries than any record", {
          max: mostMembers,
          maxEntries: mostEntries,
        }),
      )
    else if (!isKnown(name)) errors.push(fieldError(prefix + name, "UNKNOWN_FIELD", "is not a known field"))
}

export const refuseOther = (at: string, errors: FieldError[]): undefined =>
  void errors.push(fieldError(at, "TYPE", "must be an object", { type: "object" }))

/** True for a JSON object: not null, not an array and not a scalar. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function readParts(
  parts: Parts,
  value: unknown,
  at: string,
  { errors, mode, before }: { errors: FieldError[]; mode: Mode; before: unknown },
) {
  if (!isObject(value)) return refuseOther(at, errors)
  tellUnknown(value, parts, errors, `${at}.`)
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const given = Object.hasOwn(value, name) ? value[name] : null
      if (given === null || (isObject(before) && before[name] === given)) return [name, given]
      return [name, part.read(given, `${at}.${name}`, errors, mode) ?? null]
    }),
  )
}

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
