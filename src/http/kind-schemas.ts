import { Type, type TSchema } from "@sinclair/typebox"
import { givenSchema } from "../resource/body"
import type { Resource } from "../resource/define"
import type { Field } from "../resource/field"
import { nullableSchema } from "../resource/object"

/** A reference to a schema in the document's components. */
export const ref = (name: string): TSchema => Type.Ref(`#/components/schemas/${name}`)

/** The three schemas of a kind, by their names in the document. */
export function kindSchemas(resource: Resource): Record<string, TSchema> {
  const given = Object.entries(resource.fields).filter(([, field]) => field.access !== "readOnly")
  const secret = Object.entries(resource.writeOnly ?? {})
  const onCreate = Object.entries(resource.onCreate ?? {})
  const lookups = Object.entries(resource.lookups ?? {})
  const lookedUp = lookups.map(([name, { field }]): [string, Field] => [name, field])
  const isRequired = ([name, field]: [string, Field]) =>
    field.access === "required" && !lookups.some(([, { of }]) => of === name)
  const required = given.filter(isRequired).map(([name]) => name)
  return {
    [resource.title]: recordSchema(resource),
    [`${resource.title}Draft`]: objectOf(
      [...[...given, ...onCreate, ...lookedUp].map(asGiven), ...secret.map(asRequired)],
      [...required, ...secret.map(([name]) => name)],
    ),
    [`${resource.title}Change`]: {
      ...objectOf([...[...given, ...lookedUp].map(asGiven), ...secret.map(asRequired)], []),
      additionalProperties: true,
    },
  }
}

/**
 * The schema of a record in a response. `more` has fields of only one response, such as a secret that is shown once.
 */
export const recordSchema = ({ fields }: Resource, more: Record<string, TSchema> = {}): TSchema =>
  objectOf([...Object.entries(fields).map(asAnswered), ...Object.entries(more)], Object.keys(fields))

/** An example body that the service accepts. */
export const exampleOf = (resource: Resource): Record<string, unknown> =>
  Object.fromEntries([
    ...Object.entries(resource.fields)
      .filter(([, field]) => field.access !== "readOnly")
      .map(([name, field]) => [name, exampleValue(field)])
      .filter(([, value]) => value !== undefined),
    ...Object.keys(resource.writeOnly ?? {}).map((name) => [name, "correct horse battery"]),
  ])

/** An example update that the service accepts: the last text field, because the first ones are codes and names. */
export function changeExampleOf(resource: Resource): Record<string, unknown> {
  const changeable = Object.entries(resource.fields).filter(
    ([, { access, createOnly }]) => access !== "readOnly" && !createOnly,
  )
  const [name, field] =
    changeable.findLast(([, { kind }]) => kind === "text" || kind === "prose") ?? changeable[0] ?? []
  return name && field ? { [name]: exampleValue(field) } : {}
}

const asAnswered = ([name, field]: [string, Field]) => [name, nullableSchema(field)] as const
const asGiven = ([name, field]: [string, Field]) => [name, givenSchema(field)] as const
const asRequired = ([name, field]: [string, Field]) => [name, field.schema] as const

function objectOf(properties: (readonly [string, TSchema])[], required: string[]): TSchema {
  return Type.Unsafe({
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  })
}

type Exampled = { examples?: unknown[]; enum?: unknown[]; items?: { examples?: unknown[] } }

function exampleValue(field: Field): unknown {
  if (field.parts)
    return Object.fromEntries(Object.entries(field.parts).map(([name, part]) => [name, exampleValue(part)]))
  const { examples, items, enum: words } = (field.givenSchema ?? field.schema) as Exampled
  return examples?.[0] ?? words?.[0] ?? (items?.examples ? [items.examples[0]] : field.fallback)
}
