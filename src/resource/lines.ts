import type { Detail } from "../lib/refusal"
import type { Field, Mode } from "./field"
import { isObject, nullableSchema, tellUnknown } from "./object"

type LineFields = Record<string, Field>
export type GivenLine = Record<string, unknown>

/**
 * The lines of a document: a list of small records in a table of their own. In a body that changes a document a
 * line may carry its `id`, and what only the service sets is ignored, so that lines can be read and sent back.
 */
export function lines<T>(
  fields: LineFields,
  { min, max }: { min: number; max: number },
): Field<T[], "optional", true> {
  const served = Object.entries(fields).map(([name, field]) => [name, nullableSchema(field)])
  const given = Object.entries(fields).filter(([name, field]) => field.access !== "served" || name === "id")
  const required = given.filter(([, field]) => field.access === "required").map(([name]) => name)
  const objectOf = (properties: [string, object][] | unknown[][]) => ({
    type: "object",
    properties: Object.fromEntries(properties as [string, object][]),
  })
  return {
    kind: "json",
    access: "optional",
    nullable: true,
    isElsewhere: true,
    schema: { type: "array", items: objectOf(served) },
    givenSchema: {
      type: "array",
      minItems: min,
      maxItems: max,
      examples: [[Object.fromEntries(given.flatMap(([name, field]) => exampleOf(name, field)))]],
      items: { ...objectOf(given.map(([name, field]) => [name, nullableSchema(field)])), required },
    },
    read(value, at, faults, mode) {
      const fault = (message: string) => void faults.push({ field: at, message })
      if (!Array.isArray(value)) return fault("must be an array")
      if (value.length < min) return fault(`must have at least ${min} ${min === 1 ? "line" : "lines"}`)
      if (value.length > max) return fault(`must have at most ${max} lines`)
      // What could be read is passed on beside the faults: the service may find more wrong with it.
      return value.map((each, i) => readLine(fields, each, `${at}[${i}]`, { faults, mode }) ?? {}) as T[]
    },
  }
}

function exampleOf(name: string, { schema, access }: Field): [string, unknown][] {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  return access === "served" || example === undefined ? [] : [[name, example]]
}

function readLine(
  fields: LineFields,
  value: unknown,
  at: string,
  { faults, mode }: { faults: Detail[]; mode: Mode },
) {
  if (!isObject(value)) return void faults.push({ field: at, message: "must be an object" })
  tellUnknown(value, fields, faults, `${at}.`)
  const line: GivenLine = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? (value[name] ?? null) : null
    if (field.access === "served") {
      if (mode === "create" && given !== null)
        faults.push({ field: `${at}.${name}`, message: "is read-only: the service sets it" })
      else if (name === "id") line.id = given
    } else if (given === null) {
      if (field.access === "required") faults.push({ field: `${at}.${name}`, message: "is required" })
      line[name] = mode === "update" ? null : (field.fallback ?? null)
    } else line[name] = field.read(given, `${at}.${name}`, faults, mode)
  }
  return line
}
