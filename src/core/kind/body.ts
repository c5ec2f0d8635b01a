import { Type, type TSchema } from "@sinclair/typebox"
import { fieldError, type FieldError } from "../lib/refusal"
import type { ValueOf } from "./define"
import type { Field, Mode } from "./field"
import { nullableSchema, tellUnknown } from "./object"
import type { Input } from "./read"
import { isReplaceable, keySchemas, referenceSchema } from "./references"

type Fields = Record<string, Field>

/** The values of a body. An optional field that was left out is null, or its default. */
export type ValuesOf<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> } & {}

/** The values read from a body, and the invalid fields. The values are valid only when there are no errors. */
export type Reading<T> = { values: T; errors: FieldError[] }

/** A request body that is not a record: its parser and its schema in the API document. */
export type Body<T = unknown> = {
  schema: TSchema
  example?: unknown
  /** True when the request may have no body. */
  isOptional: boolean
  /** The maximum size, if it is not the usual one. */
  mostBytes?: number
  /** True when each entry of its lists may be as large as another body, so that they are parsed one by one. */
  hasParts?: boolean
  /** Its fields, if it can name records by their keys. */
  fields?: Fields
  read(input: Input): Reading<T>
}

export type BodyOf<B> = B extends Body<infer T> ? T : never

export function body<const F extends Fields>(
  fields: F,
  { example, isOptional = false }: { example?: ValuesGiven<F>; isOptional?: boolean } = {},
): Body<ValuesOf<F>> {
  return {
    /** Created on first use, because most processes never build the API document. */
    get schema() {
      return schemaOf(fields)
    },
    example,
    isOptional,
    fields,
    read(input) {
      const errors: FieldError[] = []
      tellUnknown(input, fields, errors)
      const values = Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, readOne(name, field, input, errors)]),
      )
      return { values: values as ValuesOf<F>, errors }
    },
  }
}

type ValuesGiven<F extends Fields> = { [K in keyof F]?: unknown }

/** A body without fields. It may be left out. */
export const emptyBody = body({}, { isOptional: true })

function readOne(name: string, field: Field, input: Input, errors: FieldError[]): unknown {
  const value = Object.hasOwn(input, name) ? (input[name] ?? null) : null
  if (value !== null) return field.read(value, name, errors, "create") ?? null
  if (field.access === "required") errors.push(fieldError(name, "REQUIRED", "is required"))
  return field.fallback ?? null
}

function schemaOf(fields: Fields): TSchema {
  const own = Object.entries(fields).map(([name, field]) => [name, givenSchema(field, "create")] as const)
  const given = [...own, ...keySchemas(fields)]
  const required = Object.keys(fields).filter(
    (name) => fields[name]?.access === "required" && !isReplaceable(fields, name),
  )
  return Type.Unsafe({
    type: "object",
    ...(given.length > 0 ? { properties: Object.fromEntries(given) as object } : {}),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  })
}

/**
 * The schema of a field in a request. Null means the same as a missing field. It has no `default`: a generated client
 * would send the default, and an update must leave out the fields that it does not change.
 */
export function givenSchema(field: Field, mode: Mode): TSchema {
  const schema = field.givenSchema?.(mode) ?? referenceSchema(field)
  return nullableSchema({ schema, nullable: field.access !== "required" })
}
