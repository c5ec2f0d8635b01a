import { Type, type TSchema } from "@sinclair/typebox"
import { givenSchema } from "../../kind/body"
import type { Resource } from "../../kind/define"
import type { Field } from "../../kind/field"
import { nullableSchema } from "../../kind/object"
import { isReplaceable, keySchemas } from "../../kind/references"

/** A reference to a schema in the document's components. */
export const ref = (name: string): TSchema => Type.Ref(`#/components/schemas/${name}`)

/** The name of the schema of a record of which a request selected some fields with `fields`. */
export const partialName = (title: string): string => `Partial${title}`

/** The name of the schema of a new record in the response to a dry run. */
export const dryRunName = (title: string): string => `DryRun${title}`

/** The name of the schema of the records that `expand` adds to those of a kind. */
export const expandedName = (title: string): string => `${title}Expanded`

/** The field with a number that every stored record has, and that a new record gets only when it is stored. */
export function assignedNumber({ numbers, fields }: Resource): string | null {
  return numbers && fields[numbers.field]?.nullable === false ? numbers.field : null
}

/** The schemas of a kind, by their names in the document. `kinds` are those that it can refer to. */
export function kindSchemas(resource: Resource, kinds: readonly Resource[]): Record<string, TSchema> {
  const { title, fields } = resource
  const given = Object.entries(fields).filter(([, field]) => field.access !== "readOnly")
  const secret = Object.entries(resource.writeOnly ?? {})
  const onCreate = Object.entries(resource.onCreate ?? {})
  const keys = keySchemas(fields)
  const isRequired = ([name, field]: [string, Field]) =>
    field.access === "required" && !isReplaceable(fields, name)
  const required = given.filter(isRequired).map(([name]) => name)
  return {
    [title]: recordSchema(resource),
    [partialName(title)]: partialSchema(resource),
    [dryRunName(title)]: dryRunSchema(resource),
    [expandedName(title)]: expandedSchema(resource, kinds),
    [`${title}Draft`]: closed(
      [...[...given, ...onCreate].map(asDrafted), ...keys, ...secret.map(asRequired)],
      [...required, ...secret.map(([name]) => name)],
    ),
    // Open, because an update ignores the read-only fields of a record that is sent back.
    [`${title}Change`]: objectOf([
      ...given.map(asChanged),
      ...keys,
      ...secret.map(asRequired),
      ...Object.entries(resource.onUpdate ?? {}).map(asGiven),
    ]),
    ...(resource.onCreate
      ? { [`${title}Upsert`]: objectOf([...given.map(asChanged), ...onCreate.map(asGiven), ...keys]) }
      : {}),
  }
}

/** The schema of a body that updates a record or creates it. */
export const upsertSchema = ({ title, onCreate }: Resource): TSchema =>
  ref(onCreate ? `${title}Upsert` : `${title}Change`)

/**
 * The schema of a record in a response. `more` has fields of only one response, such as a secret that is shown once.
 */
export const recordSchema = ({ fields }: Resource, more: Record<string, TSchema> = {}): TSchema =>
  closed([...Object.entries(fields).map(asAnswered), ...Object.entries(more)], Object.keys(fields))

/** The record with any selection of its fields. The whole record has their descriptions, so this has only their types. */
const partialSchema = ({ title, fields }: Resource): TSchema => ({
  ...closed(Object.entries(fields).map(([name, field]) => [name, typeOnly(nullableSchema(field))] as const)),
  description: `The fields of ${title} that the request selected with \`fields\`.`,
})

/** A record that a dry run would create: it has no number yet. */
function dryRunSchema(resource: Resource): TSchema {
  const { title, fields } = resource
  const assigned = [assignedNumber(resource), "numberCounter"]
  const schemaOf = ([name, field]: [string, Field]) =>
    [name, nullableSchema({ ...field, nullable: field.nullable || assigned.includes(name) })] as const
  const properties = Object.entries(fields)
    .map(schemaOf)
    .map(([name, schema]) => [name, typeOnly(schema)] as const)
  return {
    ...closed(properties, Object.keys(fields)),
    description: `The ${title} that a dry run would create. The number that it would get is null.`,
  }
}

/**
 * The records that `expand` adds, by name and ID. Each name is the path of a field with an ID, whose prefix tells the kind.
 */
function expandedSchema({ title, fields, expands = [] }: Resource, kinds: readonly Resource[]): TSchema {
  const recordsOf = (path: string) => {
    const prefix = fields[path]?.refersTo ?? prefixAt(fields, path.split("."))
    const kind = kinds.find(({ idPrefix }) => idPrefix === prefix)
    if (!kind) throw new Error(`${title} expands ${path}, which is not the ID of a record.`)
    return Type.Unsafe({ type: "object", additionalProperties: ref(kind.title) })
  }
  return {
    ...closed(expands.map((path) => [path, recordsOf(path)] as const)),
    description: "The records that `expand` has named, by ID",
  }
}

/** The prefix of the IDs in a field, or in a part of the rows of a field. */
function prefixAt(fields: Resource["fields"], [name = "", ...rest]: string[]): string | undefined {
  const inside = (schema: Nested | undefined, part: string) => schema?.items?.properties?.[part]
  const { examples: [example] = [] } = rest.reduce(inside, fields[name]?.schema as Nested | undefined) ?? {}
  return example === undefined ? undefined : String(example).split("_")[0]
}

type Nested = { examples?: unknown[]; items?: { properties?: Record<string, Nested> } }

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
    changeable.findLast(
      ([, field]) => /^(text|prose)$/.test(field.kind) && exampleValue(field) !== undefined,
    ) ??
    changeable[0] ??
    []
  return name && field ? { [name]: exampleValue(field) } : {}
}

const asAnswered = ([name, field]: [string, Field]) => [name, nullableSchema(field)] as const
const asChanged = ([name, field]: [string, Field]) => [name, givenSchema(field, "update")] as const
const asGiven = ([name, field]: [string, Field]) => [name, givenSchema(field, "create")] as const
const asDrafted = ([name, field]: [string, Field]) =>
  [name, withFallback(givenSchema(field, "create"), field)] as const
const asRequired = ([name, field]: [string, Field]) => [name, field.schema] as const

/** Names the default in words, because a client generator would make a field with a `default` required. */
function withFallback(schema: TSchema, { fallback }: Field): TSchema {
  if (fallback === undefined) return schema
  const { description } = schema
  const sentence = `Default: ${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}`
  return { ...schema, description: description ? `${description}. ${sentence}` : sentence }
}

const objectOf = (properties: (readonly [string, TSchema])[], more: object = {}): TSchema =>
  Type.Unsafe({ type: "object", properties: Object.fromEntries(properties), ...more })

const closed = (properties: (readonly [string, TSchema])[], required: string[] = []): TSchema =>
  objectOf(properties, { ...(required.length ? { required } : {}), additionalProperties: false })

/** What a schema says about a value besides its type. */
const detail =
  /^(description|examples|pattern|minLength|maxLength|minimum|maximum|exclusiveMinimum|minItems|maxItems)$/

/** A schema without its details. A part with a name stays a reference to it. */
function typeOnly(schema: TSchema): TSchema {
  if ("$id" in schema) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !detail.test(keyword))
  const { items, properties, ...rest } = Object.fromEntries(kept) as {
    items?: TSchema
    properties?: Record<string, TSchema>
  }
  return Type.Unsafe({
    ...rest,
    ...(items ? { items: typeOnly(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([n, s]) => [n, typeOnly(s)])) }
      : {}),
  })
}

type Exampled = { examples?: unknown[]; enum?: unknown[]; items?: { examples?: unknown[] } }

function exampleValue(field: Field): unknown {
  if (field.parts)
    return Object.fromEntries(Object.entries(field.parts).map(([name, part]) => [name, exampleValue(part)]))
  const { examples, items, enum: words } = (field.givenSchema?.("create") ?? field.schema) as Exampled
  return examples?.[0] ?? words?.[0] ?? (items?.examples ? [items.examples[0]] : field.fallback)
}
