import { Type, type TSchema } from "@sinclair/typebox"
import { fieldError, reporter, type FieldError } from "../lib/refusal"
import type { Field, Mode } from "./field"
import { isObject, nullableSchema, refuseOther, tellUnknown } from "./object"

type LineFields = Record<string, Field>
export type GivenLine = Record<string, unknown>

/**
 * The lines of a document: a list of small records in a separate table. In a body that updates a document, a line may
 * contain its `id`, and read-only fields are ignored, so that a client can send back the lines it read. `lookups` are
 * fields that only a body can have.
 */
export function lines<T>(
  answeredFields: LineFields,
  { min, max, lookups = {} }: { min: number; max: number; lookups?: LineFields },
): Field<T[], "optional", true> {
  const fields = { ...answeredFields, ...lookups }
  const answered = Object.entries(answeredFields).map(
    ([name, field]) => [name, nullableSchema(field)] as const,
  )
  const given = Object.entries(fields).filter(([name, field]) => field.access !== "readOnly" || name === "id")
  const required = given.filter(([, field]) => field.access === "required").map(([name]) => name)
  const objectOf = (properties: readonly (readonly [string, TSchema])[], more: object = {}) =>
    Type.Unsafe({ type: "object", properties: Object.fromEntries(properties), ...more })
  return {
    kind: "json",
    access: "optional",
    nullable: true,
    isNotStored: true,
    schema: Type.Array(objectOf(answered)),
    givenSchema: Type.Array(
      objectOf(
        given.map(([name, field]) => [name, nullableSchema(field)] as const),
        { required },
      ),
      {
        minItems: min,
        maxItems: max,
        examples: [[Object.fromEntries(given.flatMap(([name, field]) => exampleOf(name, field)))]],
      },
    ),
    read(value, at, errors, mode) {
      const error = reporter(errors, at)
      if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" })
      if (value.length < min)
        return error("TOO_SHORT", `must have at least ${min} ${min === 1 ? "line" : "lines"}`, { min })
      if (value.length > max) return error("TOO_LONG", `must have at most ${max} lines`, { max })
      // Valid lines are returned together with the errors, because the service may find more errors in them.
      return value.map((each, i) => readLine(fields, each, `${at}[${i}]`, { errors, mode }) ?? {}) as T[]
    },
  }
}

function exampleOf(name: string, { schema, access }: Field): [string, unknown][] {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  return access === "readOnly" || example === undefined ? [] : [[name, example]]
}

function readLine(
  fields: LineFields,
  value: unknown,
  at: string,
  { errors, mode }: { errors: FieldError[]; mode: Mode },
) {
  if (!isObject(value)) return refuseOther(at, errors)
  tellUnknown(value, fields, errors, `${at}.`)
  const line: GivenLine = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? (value[name] ?? null) : null
    if (field.access === "readOnly") {
      if (mode === "create" && given !== null)
        errors.push(fieldError(`${at}.${name}`, "READ_ONLY", "is read-only: the server sets it"))
      else if (name === "id") line.id = given
    } else if (given === null) {
      if (field.access === "required") errors.push(fieldError(`${at}.${name}`, "REQUIRED", "is required"))
      line[name] = mode === "update" ? null : (field.fallback ?? null)
    } else line[name] = field.read(given, `${at}.${name}`, errors, mode)
  }
  return line
}
