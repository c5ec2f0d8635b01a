// The most expensive queries: every filter and sort of a list, the largest and last pages, long searches.
import { pathOf, titleOf, type Case, type Context } from "./cost-case"
import { filtersOf, patterns } from "./cost-filter"
import { textOf } from "./cost-text"
import { partsOf, type Operation, type Schema } from "./fuzz-document"
import { queryText } from "./fuzz-query"

type Query = Record<string, string>
type Ask = (parameter: string, value: string, query: Query) => Case

const searches = {
  "50 equal words": Array(50).fill("abc").join(" "),
  "100 words of one letter": Array.from({ length: 100 }, (_, i) => "abcdefghij"[i % 10]).join(" "),
  "200 ligatures": textOf("ligatures", 200),
  "200 letters": "a".repeat(200),
  "200 marks": textOf("marks", 200),
  "200 characters of words": textOf("words", 200).trim(),
  "100 dashes": "a-".repeat(100),
  "one letter": "a",
}
const perPage = "100"
/** A page that is fast to return, so that the time to find it is measured. */
const slim = { perPage, fields: "id" }

/** All expensive queries of a list, and of the global search. */
export function* queryCases(operation: Operation, context: Context): Generator<Case> {
  const named = (name: string) => operation.parameters.some((each) => each.name === name)
  const ask: Ask = (parameter, value, query) => ({
    operation: titleOf(operation),
    id: operation.id,
    parameter,
    value,
    make: () => ({ method: "GET", path: pathOf(operation, context) + textOfQuery(query) }),
  })
  const isSkipped = context.isShort && skippedLists.test(operation.path)
  if (named("page") && !isSkipped) yield* listCases(operation, context, ask)
  if (named("q"))
    for (const [value, q] of Object.entries(searches)) yield ask("q", value, { q, limit: "100" })
  if (named("Accept-Language")) {
    const languages = Array.from({ length: 1000 }, (_, i) => `x${i};q=0.${i}`).join(",")
    yield {
      ...ask("Accept-Language", "1,000 languages", {}),
      make: () => ({
        method: "GET",
        path: pathOf(operation, context),
        headers: { "accept-language": languages },
      }),
    }
  }
}

/** All histories use the same code, and some kinds have only few records. */
const skippedLists = /users|api-keys|oauth-clients|webhooks|payments|(?<!items\/\{id\}\/)history/
const textOfQuery = (query: Query): string => queryText(Object.entries(query))

function* listCases(operation: Operation, context: Context, ask: Ask): Generator<Case> {
  const { isShort } = context
  const schemaOf = (name: string): Schema => operation.record?.properties?.[name] ?? {}
  const filters = operation.filters.map(({ name }) => partsOf(name))
  const fields = [...new Set(filters.map(({ field }) => field))]
  const operatorsOf = (name: string) => [
    ...new Set(filters.flatMap(({ field, operator }) => (field === name ? [operator] : []))),
  ]
  const prose = fields.filter((name) => isProse(name, schemaOf(name)))
  const few = isShort ? [...new Set([...prose, ...fields.slice(0, 3)])] : fields

  const pages = ["1", "200", "1000000000", ...(isShort ? [] : ["2", "5", "10", "1280"])]
  for (const page of pages) yield ask("page", `100 on page ${page}`, { page, perPage })
  yield ask("order", "100, oldest first", { order: "asc", perPage })
  const names = Object.keys(operation.record?.properties ?? {}).join(",")
  yield ask("fields", "all of them", { fields: names, perPage })
  const expand = operation.parameters.find(({ name }) => name === "expand")?.schema.examples?.[0]
  if (expand) yield ask("expand", "everything", { expand: String(expand), perPage })
  yield ask("cursor", "14 kB", { cursor: "a".repeat(14_000) })
  for (const sort of prose) yield cursorCase(operation, sort, context, ask)
  for (const sort of few)
    for (const order of ["asc", "desc"]) yield ask(`sort=${sort}`, order, { sort, order, ...slim })
  // Two fields, of which neither or only the first one has an index.
  for (const sort of [few.slice(0, 2).join(), "createdAt,id"])
    for (const order of ["asc", "desc,asc"]) yield ask(`sort=${sort}`, order, { sort, order, ...slim })
  for (const name of few)
    for (const { operator, value, text } of filtersOf(schemaOf(name), operatorsOf(name), isShort))
      yield ask(`${name}[${operator}]`, value, { [`${name}[${operator}]`]: text, ...slim })
  for (const [value, search] of Object.entries(searches).slice(0, isShort ? 3 : undefined))
    yield ask("search", value, { search, ...slim })
  yield* combinedCases(fields, prose, operatorsOf, ask)
}

/** Fields with the longest texts. */
const isProse = (name: string, { maxLength = 0 }: Schema): boolean =>
  maxLength >= 500 || ["notes", "note", "description", "cancelReason"].includes(name)

/** The second page of a list that is sorted by a long text: its cursor must contain the end of the first page. */
function cursorCase(operation: Operation, sort: string, context: Context, ask: Ask): Case {
  const query: Query = { sort, ...slim }
  const path = pathOf(operation, context)
  return {
    ...ask("cursor", `by ${sort}`, query),
    make: async () => {
      const first = await context.ask({ method: "GET", path: path + textOfQuery(query) })
      const { meta } = (first ?? {}) as { meta?: { nextCursor?: string } }
      return { method: "GET", path: path + textOfQuery({ ...query, cursor: meta?.nextCursor ?? "none" }) }
    },
  }
}

/** Twenty filters together, and a filter with a search and a sort: each alone may be fast. */
function* combinedCases(
  fields: readonly string[],
  prose: readonly string[],
  operatorsOf: (name: string) => readonly string[],
  ask: Ask,
): Generator<Case> {
  const pattern = patterns["%a%a…%b"]
  const likes = fields.slice(0, 20).map((name) => [`${name}[like]`, pattern] as const)
  yield ask("20 filters", "like on each", { ...Object.fromEntries(likes), perPage })
  const [sort] = prose
  if (!sort) return
  const compared = operatorsOf(sort)
    .filter((operator) => operator !== "in" && operator !== "null")
    .flatMap((operator) => prose.map((name) => [`${name}[${operator}]`, "a"] as const))
  yield ask("20 filters", "on long texts", { ...Object.fromEntries(compared.slice(0, 20)), perPage })
  yield ask("all together", "a search, a filter and a sort by a long text", {
    search: "a",
    [`${sort}[like]`]: pattern,
    sort,
    page: "9",
    perPage,
  })
}
