import type { Resource } from "../resource/define"
import type { Field } from "../resource/field"
import { operators } from "../resource/filter"
import { defaultPerPage, mostPerPage, sortableFields } from "../resource/list"
import { nullableSchema } from "../resource/object"
import { enveloped, operation, ref } from "./operation"

/** The three schemas of a kind on the wire, by their names in the document. */
export function resourceSchemas(resource: Resource): Record<string, object> {
  const fields = Object.entries(resource.fields)
  const given = fields.filter(([, field]) => field.access !== "served")
  const secret = Object.entries(resource.writeOnly ?? {})
  const required = given.filter(([, field]) => field.access === "required").map(([name]) => name)
  const atFirst = Object.entries(resource.onCreate ?? {})
  return {
    [resource.title]: recordSchema(resource),
    [`${resource.title}Draft`]: closed(
      [...given.map(asGiven), ...atFirst, ...secret],
      [...required, ...secret.map(([name]) => name)],
    ),
    [`${resource.title}Change`]: {
      ...closed([...given.map(asGiven), ...secret], []),
      additionalProperties: true,
    },
  }
}

/** A record as it is answered. `more` is what only one answer holds, such as a secret that is shown once. */
export const recordSchema = ({ fields }: Resource, more: Record<string, object> = {}) =>
  closed([...Object.entries(fields).map(asServed), ...Object.entries(more)], Object.keys(fields))

/** A body that the service accepts as it stands. */
export const exampleOf = (resource: Resource): Record<string, unknown> =>
  Object.fromEntries([
    ...Object.entries(resource.fields)
      .filter(([, field]) => field.access !== "served")
      .map(([name, field]) => [name, exampleValue(field)])
      .filter(([, value]) => value !== undefined),
    ...Object.keys(resource.writeOnly ?? {}).map((name) => [name, "correct horse battery"]),
  ])

/** A change that the service accepts as it stands: the first field that may change. */
function changeExampleOf(resource: Resource): Record<string, unknown> {
  const [name, field] =
    Object.entries(resource.fields).find(([, { access, fixed }]) => access !== "served" && !fixed) ?? []
  return name && field ? { [name]: exampleValue(field) } : {}
}

export const idParameter = (noun: string) => ({
  name: "id",
  in: "path" as const,
  required: true,
  description: `The ${noun}'s id.`,
  schema: { type: "string" },
})

/** The header that makes a POST safe to repeat. */
export const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header" as const,
  description:
    "1 to 255 printable characters. The same request under the same key answers the same for a day.",
  schema: { type: "string", examples: ["7f4c1d0e-order-1"] },
}

/** The header that makes a change wait for nobody else's. */
export const ifMatch = {
  name: "If-Match",
  in: "header" as const,
  description: "The ETag that was read; a record that has changed since answers 412.",
  schema: { type: "string", examples: ['"1"'] },
}

/** The operations of the five common routes. */
export const crudOperations = (resource: Resource) => ({
  list: operation(() => describeList(resource)),
  get: operation(() => describeGet(resource)),
  create: operation(() => describeCreate(resource)),
  update: operation(() => ({
    ...describeChange(resource),
    id: `update${resource.title}`,
    summary: `Change ${oneOf(resource)}`,
  })),
  patch: operation(() => ({
    ...describeChange(resource),
    id: `patch${resource.title}`,
    summary: "The same as PUT",
  })),
  remove: operation(() => describeRemove(resource)),
})

/** Also for lists that stand elsewhere, such as the history of a record. */
export const describeList = (resource: Resource) => ({
  id: `list${plural(resource.title)}`,
  summary: `List ${plural(resource.noun)}`,
  description: `Filters are \`field=value\` or \`field[operator]=value\` with ${operators.join(", ")}, on every scalar field.${proseNote(resource)}`,
  tag: resource.name,
  parameters: [...listParameters, sortParameter(resource), fieldsParameter, ...filterParameters(resource)],
  answers: { status: 200, description: "One page.", schema: listOf(resource.title), headers: ["Link"] },
  refuses: [422],
})

const proseNote = ({ fields }: Resource): string => {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === "prose")
  return names.length === 0
    ? ""
    : ` Of ${names.join(" and ")} the first 200 characters are matched, compared and sorted by, and the answer carries \`Deprecation\`.`
}

const describeGet = (resource: Resource) => ({
  id: `get${resource.title}`,
  summary: `Get one ${resource.noun}`,
  tag: resource.name,
  parameters: [idParameter(resource.noun), fieldsParameter],
  answers: {
    status: 200,
    description: `The ${resource.noun}.`,
    schema: enveloped(ref(resource.title)),
    headers: etagIn(resource),
  },
  refuses: [404, 422],
})

const describeCreate = (resource: Resource) => ({
  id: `create${resource.title}`,
  summary: `Create ${oneOf(resource)}`,
  tag: resource.name,
  parameters: [idempotencyKey],
  body: { schema: ref(`${resource.title}Draft`), example: exampleOf(resource) },
  answers: {
    status: 201,
    description: `The new ${resource.noun}.`,
    schema: enveloped(ref(resource.title)),
    headers: [...etagIn(resource), "Location"],
  },
})

const describeChange = (resource: Resource) => ({
  tag: resource.name,
  parameters: [idParameter(resource.noun), ifMatch],
  body: { schema: ref(`${resource.title}Change`), example: changeExampleOf(resource) },
  answers: {
    status: 200,
    description: `The ${resource.noun} as it is now.`,
    schema: enveloped(ref(resource.title)),
    headers: ["ETag"],
  },
  refuses: [404, 412],
  description:
    "A merge: absent fields stay, null clears, objects merge by the same rule, arrays replace. What only the service sets is ignored, so a record can be read, edited and sent back.",
})

const describeRemove = (resource: Resource) => ({
  id: `delete${resource.title}`,
  summary: `Delete ${oneOf(resource)}`,
  tag: resource.name,
  parameters: [idParameter(resource.noun), ifMatch],
  answers: { status: 204, description: "It is gone." },
  refuses: [404, 412, 422],
})

const oneOf = ({ noun }: Resource) => `a${/^(?!us)[aeiou]/i.test(noun) ? "n" : ""} ${noun}`

// A ledger's records never change, so they have no version to tell.
const etagIn = ({ fields }: Resource) => ("version" in fields ? ["ETag"] : [])

const fieldsParameter = query("fields", "Only these fields, separated by commas.", {
  type: "string",
  examples: ["id,version"],
})

const listParameters = [
  query("page", "The page, from 1. Not together with cursor.", { type: "integer", minimum: 1, default: 1 }),
  query("perPage", `Records a page; more than ${mostPerPage} is served as ${mostPerPage}.`, {
    type: "integer",
    minimum: 1,
    default: defaultPerPage,
  }),
  query("cursor", "Where to go on: meta.nextCursor of the page before, with the same filters and sort.", {
    type: "string",
  }),
  query("order", "The direction of the sort.", { type: "string", enum: ["asc", "desc"], default: "desc" }),
  query("search", "Words of name and code, in any order.", { type: "string", maxLength: 200 }),
]

const sortParameter = (resource: Resource) =>
  query("sort", "The field to sort by; ties go by id.", {
    type: "string",
    enum: sortableFields(resource),
    default: "createdAt",
  })

const filterParameters = (resource: Resource) =>
  sortableFields(resource).map((name) =>
    query(name, `Filter. Also \`${name}[operator]\`.`, { type: "string" }),
  )

function query(name: string, description: string, schema: object) {
  return { name, in: "query" as const, description, schema }
}

const listOf = (title: string) => ({
  type: "object",
  required: ["success", "data", "meta"],
  properties: { success: { const: true }, data: { type: "array", items: ref(title) }, meta: ref("ListMeta") },
})

const asServed = ([name, field]: [string, Field]) => [name, nullableSchema(field)] as const
// null on create means absent, and on update it clears.
const asGiven = ([name, field]: [string, Field]) =>
  [name, field.givenSchema ?? nullableSchema({ ...field, nullable: field.access !== "required" })] as const

function closed(properties: (readonly [string, object])[], required: string[]) {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  }
}

const plural = (noun: string) => `${noun}s`

type Exampled = { examples?: unknown[]; enum?: unknown[]; items?: { examples?: unknown[] } }

function exampleValue(field: Field): unknown {
  if (field.parts)
    return Object.fromEntries(Object.entries(field.parts).map(([name, part]) => [name, exampleValue(part)]))
  const { examples, items, enum: words } = (field.givenSchema ?? field.schema) as Exampled
  return examples?.[0] ?? words?.[0] ?? (items?.examples ? [items.examples[0]] : field.fallback)
}
