import { Type, type TSchema } from "@sinclair/typebox"
import { fieldError, reporter, type FieldError } from "../lib/refusal"
import type { Field, Mode } from "./field"
import { givenSchema } from "./body"
import { isReplaceable, keySchemas } from "./references"
import { isObject, nullableSchema, refuseOther, tellUnknown } from "./object"

type LineFields = Record<string, Field>
export type GivenLine = Record<string, unknown>

type LineOptions = {
  /** The name of the schema of a line in OpenAPI. */
  name: string
  min: number
  max: number
}

/**
 * The lines of a document: a list of small records in a separate table. In a body that updates a document, a line may
 * contain its `id`, and read-only fields are ignored, so that a client can send back the lines it read. `cleared` names
 * the fields that a line sets to null: the others have null because the body leaves them out.
 */
export function lines<T>(fields: LineFields, { name, min, max }: LineOptions): Field<T[], "optional", true> {
  const size = { minItems: min, maxItems: max }
  // Listed once, because every line of every request is read with it.
  const parts = Object.entries(fields)
  const given = parts.filter(([, { access }]) => access !== "readOnly")
  const example = Object.fromEntries(given.flatMap(([part, field]) => exampleOf(part, field)))
  return {
    kind: "json",
    access: "optional",
    nullable: true,
    isNotStored: true,
    lines: { fields, max },
    schema: Type.Array(answeredLine(fields, name)),
    givenSchema: (mode) =>
      mode === "create"
        ? Type.Array(givenLine(fields, `${name}Draft`, mode), { ...size, examples: [[example]] })
        : Type.Array(givenLine(fields, `${name}Change`, mode), size),
    read(value, at, errors, mode) {
      const error = reporter(errors, at)
      if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" })
      if (value.length < min)
        return error("TOO_SHORT", `must have at least ${min} ${min === 1 ? "line" : "lines"}`, { min })
      if (value.length > max) return error("TOO_LONG", `must have at most ${max} lines`, { max })
      // Valid lines are returned together with the errors, because the service may find more errors in them.
      return value.map(
        (each, i) => readLine({ fields, parts }, each, `${at}[${i}]`, { errors, mode }) ?? {},
      ) as T[]
    },
  }
}

/** The schema of a line in a response. */
const answeredLine = (fields: LineFields, $id: string): TSchema =>
  Type.Unsafe({
    $id,
    type: "object",
    properties: mapFields(fields, nullableSchema),
    required: Object.keys(fields),
  })

/** The schema of a line in a request. Only a line of an update has an `id`: that of the line it replaces. */
function givenLine(fields: LineFields, $id: string, mode: Mode): TSchema {
  const given = Object.entries(fields).filter(
    ([name, { access }]) => access !== "readOnly" || (name === "id" && mode === "update"),
  )
  const properties = mapFields(Object.fromEntries(given), (field, name) =>
    name === "id"
      ? { ...field.schema, description: "The line to keep. A line without an id is new." }
      : givenSchema(field, mode),
  )
  const required = given
    .filter(([name, { access }]) => access === "required" && !isReplaceable(fields, name))
    .map(([name]) => name)
  return Type.Unsafe({
    $id,
    type: "object",
    properties: { ...properties, ...Object.fromEntries(keySchemas(fields)) },
    required,
  })
}

const mapFields = (fields: LineFields, schemaOf: (field: Field, name: string) => TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field, name)]))

function exampleOf(name: string, { schema, access }: Field): [string, unknown][] {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  return access === "readOnly" || example === undefined ? [] : [[name, example]]
}

function readLine(
  { fields, parts }: { fields: LineFields; parts: readonly [string, Field][] },
  value: unknown,
  at: string,
  { errors, mode }: { errors: FieldError[]; mode: Mode },
) {
  if (!isObject(value)) return refuseOther(at, errors)
  tellUnknown(value, fields, errors, `${at}.`)
  const line: GivenLine = {}
  const cleared: string[] = []
  for (const [name, field] of parts) {
    const given = Object.hasOwn(value, name) ? (value[name] ?? null) : null
    if (field.access === "readOnly") {
      if (mode === "create" && given !== null)
        errors.push(fieldError(`${at}.${name}`, "READ_ONLY", "is read-only: the server sets it"))
      else if (name === "id") line.id = given
    } else if (given === null) {
      if (field.access === "required") errors.push(fieldError(`${at}.${name}`, "REQUIRED", "is required"))
      line[name] = mode === "update" ? null : (field.fallback ?? null)
      if (Object.hasOwn(value, name)) cleared.push(name)
    } else line[name] = field.read(given, `${at}.${name}`, errors, mode)
  }
  return cleared.length > 0 ? { ...line, cleared } : line
}
