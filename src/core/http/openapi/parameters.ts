import { Type, type TSchema } from "@sinclair/typebox"
import type { Resource } from "../../kind/define"
import { pairOperators } from "../../store/pairs/pair-filter"
import { listedFields } from "../../store/listed-fields"
import { operators, longestPattern, longestValue, operatorsOf, type Operator } from "../../store/filter"
import { defaultPerPage, mostPerPage, sortableFields, summableFields } from "../../store/list"
import type { Parameter } from "../route/route"
import { statusWords, type Field, type ValueKind } from "../../kind/field"

export const query = (name: string, description: string, schema: TSchema): Parameter => ({
  name,
  in: "query",
  description,
  schema,
})

export const idParameter = (name: string, noun: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description: `The ${noun}'s ID.`,
  schema: Type.String(),
})

const IdempotencyKey = Type.String({
  $id: "IdempotencyKey",
  minLength: 1,
  maxLength: 255,
  description:
    "Printable characters. For 24 hours, the same request with the same key returns the same response and is not executed again.",
})

/** The header that makes a POST safe to repeat. The example differs by operation: a key belongs to one request. */
export const idempotencyKey = (operationId: string): Parameter => ({
  name: "Idempotency-Key",
  in: "header",
  schema: IdempotencyKey,
  example: `${operationId}-1`,
})

/** The header that prevents overwriting a concurrent update. */
export const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description:
    'The ETag that you read, such as `"3.7"`: if the record has changed since, the response is 412. With only its version, `"3"`, changes of computed figures such as stock are ignored.',
  schema: Type.String(),
}

/** The header that creates a record only if none has its key. */
export const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "`*` only creates: if a record with this key exists, the response is 412.",
  schema: Type.Unsafe({ type: "string", enum: ["*"] }),
}

/** The parameter that tries a write without storing anything. */
export const dryRun = query(
  "dryRun",
  "With `true`, the request is checked and its response computed, but nothing is stored. The response has `Dry-Run: true`, new numbers are null, and the `id` of a new record names nothing.",
  Type.Boolean(),
)

/** The header that prevents sending a record that the client has already. */
export const knownEtag: Parameter = {
  name: "If-None-Match",
  in: "header",
  description:
    "The ETag of the record that you have. If it has not changed since, the response is 304 without a body. Has no effect together with query parameters.",
  schema: Type.String(),
}

export const fieldsParameter = query(
  "fields",
  "Return only these fields, separated by commas.",
  Type.String({ examples: ["id,createdAt"] }),
)

const expandParameters = new Map<string, Parameter>()

/** The parameter that adds related records. Kinds with the same names share it. */
function expandParameter({ expands = [] }: Resource): Parameter[] {
  const names = expands.join(", ")
  if (names === "") return []
  const parameter =
    expandParameters.get(names) ??
    query(
      "expand",
      `Return related records too, under \`expanded.{name}.{id}\`: up to 3 of ${names}, separated by commas; at most 100 records of each, and only those that you may read.`,
      Type.String({ examples: [expands.join(",")] }),
    )
  expandParameters.set(names, parameter)
  return [parameter]
}

const sumParameters = new Map<string, Parameter>()

/** The parameter that adds up amounts. Kinds with the same amounts share it. */
function sumParameter(resource: Resource): Parameter[] {
  const names = summableFields(resource).join(", ")
  if (names === "") return []
  const parameter =
    sumParameters.get(names) ??
    query(
      "sum",
      `Amounts to add up over all records of the list, in \`meta.sums\`: ${names}, separated by commas. Has no effect with cursor.`,
      Type.String({ examples: [summableFields(resource)[0] ?? ""] }),
    )
  sumParameters.set(names, parameter)
  return [parameter]
}

/** The query parameters of one record. */
export const oneParameters = (resource: Resource): Parameter[] => [
  fieldsParameter,
  ...expandParameter(resource),
]

export const searchParameter = query(
  "search",
  "Words to search for, in any order, in the fields that identify a record, such as name and code.",
  Type.String({ maxLength: 200 }),
)

/** One direction, or one for each of two fields. */
export const orderWords = (byDefault: "asc" | "desc") =>
  Type.Unsafe({
    type: "string",
    enum: ["asc", "desc", "asc,asc", "asc,desc", "desc,asc", "desc,desc"],
    default: byDefault,
  })

const listControls: Parameter[] = [
  query(
    "page",
    "The page number, from 1. Cannot be combined with cursor.",
    Type.Integer({ minimum: 1, default: 1 }),
  ),
  query(
    "perPage",
    `Records per page; a value above ${mostPerPage} counts as ${mostPerPage}.`,
    Type.Integer({ minimum: 1, default: defaultPerPage }),
  ),
  query(
    "cursor",
    "The value of meta.nextCursor of the previous page. Send the same filters and sort.",
    Type.String(),
  ),
  query("order", "The sort direction: one word, or one for each field of sort.", orderWords("desc")),
  searchParameter,
  fieldsParameter,
]

const totalAsked =
  "With `true`, `meta.total` is the number of records of the list; with `false`, they are not counted. By default they are counted when pages are numbered."

/** The parameter that asks for the number of records. */
const totalParameter = query("total", totalAsked, Type.Boolean())

const known = new WeakMap<Resource, Parameter[]>()

/** The query parameters of a list. Several lists can show the same kind; they share the parameters. */
export function listParameters(resource: Resource): Parameter[] {
  const parameters = known.get(resource) ?? [
    ...listControls,
    ...expandParameter(resource),
    ...sumParameter(resource),
    sortParameter(resource),
    ...withTotal(filterParameters(resource)),
  ]
  known.set(resource, parameters)
  return parameters
}

export const sortParameter = (resource: Resource): Parameter =>
  query(
    "sort",
    "The field to sort by, or two with a comma. Records with equal values are sorted by ID.",
    Type.Unsafe({
      anyOf: [
        { type: "string", enum: sortableFields(resource) },
        { type: "string", pattern: "^[A-Za-z.]+,[A-Za-z.]+$" },
      ],
      default: "createdAt",
    }),
  )

/** Adds the parameter `total`, which is also the name of a filter if the kind has such an amount. */
const withTotal = (filters: Parameter[]): Parameter[] =>
  filters.some(({ name }) => name === "total")
    ? filters.map((each) => (each.name === "total" ? totalOrFilter : each))
    : [totalParameter, ...filters]

/** The filters of a list by whole fields, without operators, for a file and a count: the list describes the others. */
export const plainFilters = (resource: Resource): Parameter[] =>
  filterParameters(resource).filter(({ name }) => !hasOperator(name) && !name.includes("."))

/** Describes the filters of a list. */
export const filterNote = (resource: Resource): string =>
  `Filters are \`field=value\` or \`field[operator]=value\` with ${operators.join(", ")}, on every scalar field${partNote(resource)}.${proseNote(resource)}`

function partNote(resource: Resource): string {
  const part = [...listedFields(resource).keys()].find((name) => name.includes("."))
  return part === undefined ? "" : `, and on texts in objects, such as \`${part}\``
}

function proseNote({ fields }: Resource): string {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === "prose")
  return names.length === 0
    ? ""
    : ` For ${names.join(" and ")}, sorting, like, gt, gte, lt and lte use only the first 200 characters, and the response has a \`Deprecation\` header.`
}

const text = Type.String({ $id: "TextFilter", minLength: 1, maxLength: longestValue })
const number = Type.Number({ $id: "NumberFilter" })

const totalOrFilter = query(
  "total",
  `A number filters by the amount. ${totalAsked}`,
  Type.Unsafe({ type: ["number", "boolean"] }),
)

/** The schema of the value that a field is compared with, by the type of the field. */
const byKind: Record<Exclude<ValueKind, "json" | "status">, TSchema> = {
  text,
  prose: text,
  choice: Type.String({ $id: "ChoiceFilter", description: "One of the values of the field." }),
  reference: Type.String({ $id: "IdFilter", maxLength: longestValue }),
  decimal: number,
  amount: number,
  integer: Type.Integer({ $id: "IntegerFilter" }),
  boolean: Type.Boolean({ $id: "BooleanFilter" }),
  date: Type.String({ $id: "DateFilter", format: "date", examples: ["2026-03-01"] }),
  timestamp: Type.String({
    $id: "TimestampFilter",
    description: "A timestamp such as 2026-03-01T09:30:00Z, or a date, which means the whole UTC day.",
  }),
}

/** The schema of the value of an operator that does not compare with one value of the field. */
const byOperator: Partial<Record<string, TSchema>> = {
  in: Type.String({
    $id: "ListFilter",
    description:
      "Up to 100 values, separated by commas. A value that contains a comma is in quotation marks, as in a CSV file. The parameter can be repeated.",
  }),
  like: Type.String({
    $id: "PatternFilter",
    minLength: 1,
    maxLength: longestPattern,
    description: "`%` and `_` are wildcards, `\\` escapes them. Without a wildcard it means contains.",
  }),
  null: Type.Boolean({ $id: "NullFilter", description: "true: the field has no value; false: it has one." }),
}

const filter = (name: string, schema: TSchema): Parameter => ({ name, in: "query", schema })

/** The filters of a list: `field`, which means `eq`, and `field[operator]` for each operator of each field. */
const filterParameters = (resource: Resource): Parameter[] =>
  [...listedFields(resource)].flatMap(([name, field]) => [
    ...(field.isMap ? [filterByKey(name)] : []),
    ...(field.kind === "json" ? [] : [filter(name, schemaOf(field))]),
    ...operatorsOf(field).map((operator) => ofOperator(name, field, operator)),
  ])

/** The filters by the keys of a field: `metadata[color]`, and with an operator `metadata[color][in]`. */
const filterByKey = (name: string): Parameter => ({
  ...query(
    name,
    `A value of a key: \`${name}[color]=red\`. Operators are ${pairOperators.join(", ")}: \`${name}[color][in]=red,blue\`.`,
    Type.Unsafe({ type: "object", additionalProperties: { type: "string" } }),
  ),
  style: "deepObject",
})

const ofOperator = (name: string, field: Field, operator: Operator): Parameter =>
  filter(`${name}[${operator}]`, byOperator[operator] ?? schemaOf(field))

const schemaOf = ({ kind }: Field): TSchema =>
  kind === "status" ? anyStatus() : byKind[kind as keyof typeof byKind]

/** The kinds are defined when the document is written. */
const anyStatus = () => Type.Unsafe({ $id: "StatusFilter", type: "string", enum: statusWords() })

/** True for a parameter such as `orderDate[gte]`. */
export const hasOperator = (name: string): boolean => name.endsWith("]")

type Shared = {
  parameters: Record<string, Parameter>
  /** Returns a reference to a shared parameter, or the parameter itself. */
  refer(parameter: Parameter): Parameter | { $ref: string }
}

/** A parameter of fewer operations stays in them: there it is easier to read, and sharing it would save little. */
const fewest = 4

/**
 * Collects the parameters that many operations have, such as `page` or `createdAt[gte]`, so that the document contains
 * each once.
 */
export function sharedParameters(
  lists: readonly (readonly Parameter[])[],
  named: (schema: TSchema) => TSchema,
): Shared {
  const uses = new Map<string, number>()
  const written = new Map<Parameter, { parameter: Parameter; text: string }>()
  for (const given of lists.flat()) {
    const known = written.get(given) ?? write({ ...given, schema: named(given.schema) })
    written.set(given, known)
    uses.set(known.text, (uses.get(known.text) ?? 0) + 1)
  }
  const texts = new Map<string, string>()
  const parameters: Record<string, Parameter> = {}
  for (const { parameter, text } of written.values()) {
    const name = componentName(parameter)
    if (parameter.in === "path" || (uses.get(text) ?? 0) < fewest || name in parameters) continue
    parameters[name] = parameter
    texts.set(name, text)
  }
  return {
    parameters,
    refer(given) {
      const { parameter, text } = written.get(given) ?? write(given)
      const name = componentName(parameter)
      return texts.get(name) === text ? { $ref: `#/components/parameters/${name}` } : parameter
    },
  }
}

const write = (parameter: Parameter) => ({ parameter, text: JSON.stringify(parameter) })

/** `orderDate[gte]` → `orderDate.gte`: the name of a component has no brackets. */
const componentName = ({ name }: Parameter): string => name.replace("[", ".").replace("]", "")
