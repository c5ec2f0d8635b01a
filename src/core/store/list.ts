import { assertNoErrors, fieldError, reporter, type FieldError } from "../lib/refusal"
import { fieldsOf, type Resource } from "../kind/define"
import type { MoneyContext } from "../kind/field"
import { operatorsOf, readFilter, type Operator, type Term } from "./filter"
import { listedField, listedFields } from "./listed-fields"
import { pairName, pairTerm, readPairName } from "./pairs/pair-filter"
import { badQuery, parseQuery, type Params } from "../kind/query"
import type { Warning } from "../lib/warning"
import { matchQuery, scanTerm } from "../search/search"

/** A field that a list is sorted by. */
export type SortKey = { field: string; order: "asc" | "desc" }

/** The validated query of a list. */
export type ListQuery = {
  filters: Term[]
  /** An FTS5 query; null when nothing can match, undefined when the list is not searched. */
  match: string | null | undefined
  /** One field, or two. */
  sort: SortKey[]
  perPage: number
  page: number
  cursor: string | undefined
  /** Whether all records of the list are counted. */
  hasTotal: boolean
  fields: string[] | undefined
  /** The amounts to add up over all records of the list. */
  sums: string[]
  /** The names of the related records that the response contains too. */
  expand: string[]
  /** True when long texts are compared, matched or sorted by. This is deprecated: a later version may reject it. */
  isDeprecated: boolean
  /** Identifies the list, independent of the page. A cursor is valid only for the list it came from. */
  identity: string
  /** What the caller should know about a query that is allowed. */
  warnings: Warning[]
  /** The original query parameters, for the link to the next page. */
  params: Params
}

const controls = ["page", "perPage", "sort", "order", "search", "cursor", "fields", "sum"]
const mostFilters = 20
const longestSearch = 200
const farthestPage = 1_000_000_000
export const mostPerPage = 100
export const defaultPerPage = 20

/** Parses the query string of a list. Throws 400 for unknown parameters, and 422 with every invalid value. */
export const readListQuery = (resource: Resource, query: string, moneyContext: MoneyContext): ListQuery =>
  readListParams(resource, parseQuery(query), moneyContext)

/** The same for parsed parameters. */
export function readListParams(resource: Resource, params: Params, moneyContext: MoneyContext): ListQuery {
  const errors: FieldError[] = []
  const warnings: Warning[] = []
  const { filters, named } = readFilters(resource, params, moneyContext, { errors, warnings })
  if (params.has("cursor") && params.has("page"))
    throw badQuery("page", "RULE", "cannot be combined with cursor", { rule: "EXCLUSIVE", other: "cursor" })
  const sort = readSort(resource, params, errors)
  const search = readSearch(params, errors)
  const page = readInteger(params, "page", 1, farthestPage, errors)
  const perPage = readPerPage(params, errors, warnings)
  if (params.get("cursor") === "") errors.push(empty("cursor"))
  const hasTotal = readTotal(resource, params, errors)
  const fields = readFields(resource, params, errors)
  assertNoErrors(errors, "The query has invalid values.")

  const isSearched = search.trim() !== ""
  const isScanned = resource.search.length === 0
  if (isSearched && isScanned) filters.push(scanTerm(resource, search))
  return {
    filters,
    match: isSearched && !isScanned ? matchQuery(search) : undefined,
    sort,
    page,
    perPage,
    cursor: params.get("cursor"),
    hasTotal,
    fields,
    sums: readSums(resource, params),
    expand: readExpand(resource, params),
    isDeprecated: comparesProse(resource, sort, filters),
    identity: identityOf(resource.name, sort, search, named),
    warnings,
    params,
  }
}

/** Returns the filters as conditions, and a text per filter for the identity of the list. */
function readFilters(
  resource: Resource,
  params: Params,
  moneyContext: MoneyContext,
  told: { errors: FieldError[]; warnings: Warning[] },
): { filters: Term[]; named: string[] } {
  const filters: Term[] = []
  const named: string[] = []
  for (const [name, value] of params) {
    if (controls.includes(name) || (name === "expand" && resource.expands)) continue
    if (asksForTotal(resource, name, value)) continue
    const pair = readPairName(resource, name)
    const { field, operator } = pair ? { ...pair, field: pairName(pair) } : readFilterName(resource, name)
    named.push(`${field}[${operator}]=${value}`)
    if (named.length > mostFilters)
      throw badQuery(
        name,
        "TOO_LONG",
        `is one filter too many: a list can have at most ${mostFilters} filters`,
        { max: mostFilters },
      )
    const term = pair
      ? pairTerm(pair, name, value, told.errors)
      : readTerm({ resource, field, at: name, moneyContext, ...told }, operator, value)
    if (term) filters.push(term)
  }
  return { filters, named }
}

type Given = Omit<Parameters<typeof readFilter>[0], "name" | "field"> & { resource: Resource; field: string }

const readTerm = (
  { resource, field, ...given }: Given,
  operator: Operator,
  value: string,
): Term | undefined =>
  readFilter({ name: field, field: listedField(resource, field), ...given }, operator, value)

/** A larger page than the largest one is reduced, which a warning says. */
function readPerPage(params: Params, errors: FieldError[], warnings: Warning[]): number {
  const perPage = readInteger(params, "perPage", defaultPerPage, Infinity, errors)
  if (perPage > mostPerPage)
    warnings.push({
      code: "PER_PAGE_REDUCED",
      field: "perPage",
      message: `A page has at most ${mostPerPage} records.`,
      params: { perPage, max: mostPerPage },
    })
  return Math.min(perPage, mostPerPage)
}

/** True if a parameter asks for the number of records. Of a kind with an amount `total`, it can also be a filter by it. */
const asksForTotal = ({ fields }: Resource, name: string, value: string): boolean =>
  name === "total" && (value === "true" || value === "false" || !Object.hasOwn(fields, "total"))

/** Reads whether the records are counted. By default they are when pages are numbered. */
function readTotal(resource: Resource, params: Params, errors: FieldError[]): boolean {
  const given = params.get("total")
  if (given === "true" || given === "false") return given === "true"
  if (given !== undefined && asksForTotal(resource, "total", given))
    errors.push(fieldError("total", "TYPE", "must be true or false", { type: "boolean" }))
  return !params.has("cursor")
}

/** Parameters of a page, or of what a response contains besides the records. */
export const pageParameters = ["page", "perPage", "cursor", "sum", "expand", "total"]

/** Returns the first of these parameters that a query has. */
export function firstGiven(resource: Resource, params: Params, names: readonly string[]): string | undefined {
  const isGiven = ([name, value]: [string, string]) =>
    names.includes(name) && (name !== "total" || asksForTotal(resource, name, value))
  return [...params].find(isGiven)?.[0]
}

const mostSorted = 2
const newestFirst: SortKey[] = [{ field: "createdAt", order: "desc" }]

/** Reads `sort` and `order`: one field or two, and one direction for both or one for each. */
function readSort(resource: Resource, params: Params, errors: FieldError[]): SortKey[] {
  if (!params.has("sort") && !params.has("order")) return newestFirst
  const names = wordsOf(params.get("sort") ?? "createdAt")
  const allowed = sortableFields(resource)
  if (params.get("sort") === "") errors.push(empty("sort"))
  else if (names.some((name) => !allowed.includes(name)))
    throw badQuery("sort", "FORMAT", `must be one of ${allowed.join(", ")}, or two of them`, { allowed })
  if (names.length > mostSorted)
    throw badQuery("sort", "TOO_LONG", `must list at most ${mostSorted} fields`, { max: mostSorted })
  if (new Set(names).size < names.length)
    throw badQuery("sort", "RULE", "lists a field twice", { rule: "REPEATED" })
  const orders = wordsOf(params.get("order") ?? "desc")
  if (!orders.every(isOrder) || (orders.length > 1 && orders.length !== names.length))
    errors.push(
      fieldError("order", "FORMAT", "must be asc or desc, or one of them for each field of sort", {
        allowed: ["asc", "desc"],
      }),
    )
  return names.map((field, i) => ({ field, order: (orders[i] ?? orders[0]) === "asc" ? "asc" : "desc" }))
}

const isOrder = (word: string): boolean => word === "asc" || word === "desc"
const wordsOf = (text: string): string[] => text.split(",").map((word) => word.trim())

function readSearch(params: Params, errors: FieldError[]): string {
  const search = params.get("search") ?? ""
  if (search.length > longestSearch && [...search].length > longestSearch)
    errors.push(tooLong("search", longestSearch))
  return search
}

const empty = (name: string) => fieldError(name, "TOO_SHORT", "must not be empty", { min: 1 })

/** The error of a parameter with too many characters. */
export const tooLong = (name: string, max: number) =>
  fieldError(name, "TOO_LONG", `must be at most ${max} characters long`, { max })

const comparing: readonly Term["operator"][] = ["gt", "gte", "lt", "lte", "like"]

const comparesProse = ({ fields }: Resource, sort: readonly SortKey[], filters: readonly Term[]): boolean =>
  sort.some(({ field }) => fields[field]?.kind === "prose") ||
  filters.some(({ field = "", operator }) => fields[field]?.kind === "prose" && comparing.includes(operator))

/**
 * Returns a text that identifies a list. Its parts are separated by JSON, so that no two lists have the same text. Most
 * lists are neither searched nor filtered, and need no JSON.
 */
function identityOf(kind: string, sort: readonly SortKey[], search: string, named: string[]): string {
  const [{ field, order } = newestFirst[0]!, second] = sort
  const fields = second ? `${field},${second.field}` : field
  const orders = second ? `${order},${second.order}` : order
  return search === "" && named.length === 0
    ? `${kind} ${fields} ${orders}`
    : JSON.stringify([kind, fields, orders, search, named.sort()])
}

/** Parses `fields=id,itemName`: the fields to return, or undefined for all. */
export function readFields(resource: Resource, params: Params, errors: FieldError[]): string[] | undefined {
  const given = params.get("fields")
  if (given === undefined) return undefined
  const names = wordsOf(given)
  if (names.includes(""))
    errors.push(fieldError("fields", "TOO_SHORT", "must list the names of fields", { min: 1 }))
  for (const name of names)
    if (name !== "" && !Object.hasOwn(resource.fields, name))
      throw badQuery("fields", "UNKNOWN_FIELD", `contains ${JSON.stringify(name)}, which is not a field`, {
        value: name,
      })
  return names
}

/** Returns the fields that a list can add up. */
export const summableFields = (resource: Resource): string[] =>
  fieldsOf(resource)
    .filter(([, field]) => field.kind === "amount" && !field.isNotStored)
    .map(([name]) => name)

/** Parses `sum=total,balance`: the amounts to add up. */
function readSums(resource: Resource, params: Params): string[] {
  const given = params.get("sum")
  if (given === undefined) return []
  const allowed = summableFields(resource)
  if (allowed.length === 0)
    throw badQuery("sum", "UNKNOWN_FIELD", "is neither a parameter nor a field to filter by")
  const names = [...new Set(wordsOf(given))]
  if (names.some((name) => !allowed.includes(name)))
    throw badQuery("sum", "FORMAT", `must list names out of ${allowed.join(", ")}`, { allowed })
  return names
}

const mostExpanded = 3

/** Parses `expand=customer,items.item`: the names of the related records to return. */
export function readExpand({ expands = [] }: Resource, params: Params): string[] {
  const given = params.get("expand")
  if (given === undefined) return []
  const names = [...new Set(wordsOf(given))]
  if (names.length > mostExpanded)
    throw badQuery("expand", "TOO_LONG", `must list at most ${mostExpanded} names`, { max: mostExpanded })
  for (const name of names)
    if (!expands.includes(name))
      throw badQuery("expand", "FORMAT", `must list names out of ${expands.join(", ")}`, { allowed: expands })
  return names
}

/** Returns a record with only the requested fields. */
export const slim = <T extends object>(record: T, fields: string[] | undefined): Partial<T> =>
  fields ? (Object.fromEntries(fields.map((name) => [name, record[name as keyof T]])) as Partial<T>) : record

const scalars = new WeakMap<Resource, string[]>()

/** Returns the scalar fields, with those in objects. A list can be filtered and sorted by them. */
export function sortableFields(resource: Resource): string[] {
  const known = scalars.get(resource)
  if (known) return known
  const names = [...listedFields(resource)].filter(([, { kind }]) => kind !== "json").map(([name]) => name)
  scalars.set(resource, names)
  return names
}

function readFilterName(resource: Resource, name: string): { field: string; operator: Operator } {
  const [, field = "", operator = "eq"] = /^([A-Za-z]+(?:\.[A-Za-z]+)?)(?:\[([A-Za-z]+)\])?$/.exec(name) ?? []
  const definition = listedFields(resource).get(field)
  const known = definition ? operatorsOf(definition) : []
  if (known.length === 0)
    throw badQuery(name, "UNKNOWN_FIELD", "is neither a parameter nor a field to filter by")
  const found = known.find((each) => each === operator)
  if (!found) {
    const message = `has an unknown operator; the operators of ${field} are ${known.join(", ")}`
    throw badQuery(name, "UNKNOWN_FIELD", message, { operators: known })
  }
  return { field, operator: found }
}

/** Reads a whole number from 1 to `max`. */
export function readInteger(
  params: Params,
  name: string,
  fallback: number,
  max: number,
  errors: FieldError[],
): number {
  const given = params.get(name)
  if (given === undefined) return fallback
  const error = reporter(errors, name)
  const value = /^-?[0-9]+$/.test(given) ? Number(given) : NaN
  if (value >= 1 && value <= max) return value
  if (value < 1) error("TOO_SMALL", "must be at least 1", { min: 1 })
  else if (value > max) error("TOO_LARGE", `must be at most ${max}`, { max })
  else error("TYPE", "must be a whole number of at least 1", { type: "integer", min: 1 })
  return fallback
}
