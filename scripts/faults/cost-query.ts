// The dearest questions that a query can ask: every operator on every field, every sort, the widest and farthest pages.
import { pathOf, titleOf, type Case, type Means, type Sent } from "./cost-case"
import { textOf } from "./cost-text"
import type { Operation, Schema } from "./fuzz-document"
import { isControl, operators, queryText } from "./fuzz-query"

type Query = [name: string, value: string][]

/** What a pattern may be at its longest: 200 characters. */
const patterns: Record<string, string> = {
  "%_%_…": "%_".repeat(100),
  "%a%a…%b": `${"%a".repeat(99)}%b`,
  // On a text of nothing but this letter it fails at each place after the whole of it.
  "%a_a_…b%": `%${"a_".repeat(98)}b%`,
  "____…": "_".repeat(200),
  escapes: "\\%".repeat(100),
  "200 letters": "a".repeat(200),
  "200 marks": textOf("marks", 200),
  "200 ligatures": textOf("ligatures", 200),
  "200 astral": textOf("astral", 200),
  "one letter": "q",
}
const shortPatterns = ["%a%a…%b", "%a_a_…b%", "one letter"]

const searches: Record<string, string> = {
  "50 equal words": Array(50).fill("abc").join(" "),
  "100 words of one letter": Array.from({ length: 100 }, (_, i) => "abcdefghij"[i % 10]).join(" "),
  "200 letters": "a".repeat(200),
  "200 marks": textOf("marks", 200),
  "200 ligatures": textOf("ligatures", 200),
  "200 characters of words": textOf("words", 200).trim(),
  "one letter": "a",
  "200 dashes": "a-".repeat(100),
}
const shortSearches = ["50 equal words", "100 words of one letter", "200 ligatures"]

/** Every query that is worth asking of a list, and of the search over everything. */
export function* queryCases(operation: Operation, means: Means): Generator<Case> {
  const named = (name: string) => operation.parameters.some((each) => each.name === name)
  const ask = askerOf(operation, means)
  // All histories are read alike, and of some kinds there are but few records.
  const isSpared = means.isShort && sparedLists.test(operation.path)
  if (named("page") && !isSpared) yield* listCases(operation, means, ask)
  if (named("q"))
    for (const [value, text] of Object.entries(searches))
      yield ask("q", value, [
        ["q", text],
        ["limit", "100"],
      ])
  if (named("Accept-Language"))
    yield {
      ...ask("Accept-Language", "1,000 languages", []),
      make: () => ({
        method: "GET",
        path: pathOf(operation, means),
        headers: { "accept-language": Array.from({ length: 1000 }, (_, i) => `x${i};q=0.${i}`).join(",") },
      }),
    }
}

const sparedLists = /users|api-keys|oauth-clients|payments|(?<!items\/\{id\}\/)history/

type Ask = (parameter: string, value: string, query: Query) => Case

function askerOf(operation: Operation, means: Means): Ask {
  return (parameter, value, query) => ({
    operation: titleOf(operation),
    id: operation.id,
    parameter,
    value,
    make: (): Sent => ({ method: "GET", path: pathOf(operation, means) + queryText(query) }),
  })
}

function* listCases(operation: Operation, means: Means, ask: Ask): Generator<Case> {
  const { isShort } = means
  const fields = operation.parameters.filter(({ name, in: place }) => place === "query" && !isControl(name))
  const schemaOf = (name: string): Schema => operation.record?.properties?.[name] ?? {}
  const prose = fields.filter(({ name }) => isProse(name, schemaOf(name)))
  const few = isShort ? [...new Set([...prose, ...fields.slice(0, 3)])] : fields

  yield* pageCases(
    operation,
    fields.map(({ name }) => name),
    means,
    ask,
  )
  for (const { name } of few)
    for (const order of ["asc", "desc"])
      yield ask(`sort=${name}`, order, [
        ["sort", name],
        ["order", order],
        ["perPage", "100"],
      ])
  for (const { name } of few) yield* filterCases(name, schemaOf(name), isShort, ask)
  for (const value of isShort ? shortSearches : Object.keys(searches))
    yield ask("search", value, [
      ["search", searches[value] ?? ""],
      ["perPage", "100"],
    ])
  yield* crowdedCases(
    fields.map(({ name }) => name),
    prose.map(({ name }) => name),
    ask,
  )
}

/** The longest texts there are, and those of which a field is not told the length. */
const isProse = (name: string, { maxLength = 0 }: Schema): boolean =>
  maxLength >= 500 || ["notes", "note", "description", "cancelReason"].includes(name)

function* pageCases(
  operation: Operation,
  fields: readonly string[],
  means: Means,
  ask: Ask,
): Generator<Case> {
  for (const page of ["1", "2", "5", "10", "1000000000"])
    yield ask("page", `100 on page ${page}`, [
      ["page", page],
      ["perPage", "100"],
    ])
  yield ask("order", "100, oldest first", [
    ["order", "asc"],
    ["perPage", "100"],
  ])
  const names = Object.keys(operation.record?.properties ?? {}).join(",")
  yield ask("fields", "all of them", [
    ["fields", names],
    ["perPage", "100"],
  ])
  yield ask("cursor", "14 kB", [["cursor", "a".repeat(14_000)]])
  const prose = fields.find((name) => ["notes", "note", "description"].includes(name))
  if (prose) yield cursorCase(operation, prose, means, ask)
}

/** The second page of a list by a long text: its cursor must tell where the first has ended. */
function cursorCase(operation: Operation, field: string, means: Means, ask: Ask): Case {
  const query: Query = [
    ["sort", field],
    ["perPage", "100"],
    ["fields", "id"],
  ]
  const path = pathOf(operation, means)
  return {
    ...ask("cursor", `by ${field}`, query),
    make: async () => {
      const first = await means.ask({ method: "GET", path: path + queryText(query) })
      const { meta } = (first ?? {}) as { meta?: { nextCursor?: string } }
      return { method: "GET", path: path + queryText([...query, ["cursor", meta?.nextCursor ?? "none"]]) }
    },
  }
}

function* filterCases(name: string, schema: Schema, isShort: boolean, ask: Ask): Generator<Case> {
  const isText = [schema.type].flat().includes("string") && !schema.enum && !schema.format
  const wide = (operator: string, value: string, text: string) =>
    ask(`${name}[${operator}]`, value, [
      [`${name}[${operator}]`, text],
      ["perPage", "100"],
    ])
  for (const pattern of isText && !isShort ? Object.keys(patterns) : shortPatterns)
    yield wide("like", pattern, patterns[pattern] ?? "")
  for (const operator of operators.filter((each) => each !== "like" && each !== "in")) {
    for (const [value, text] of isText ? textValues(isShort) : [["as it may be", fitValue(schema)] as const])
      yield wide(operator, value, text)
  }
  if (isText)
    yield wide(
      "in",
      "100 of 100 letters",
      hundred((i) => `${i}`.padEnd(100, "a")),
    )
  else
    yield wide(
      "in",
      "100 values",
      hundred((i) => (isNumber(schema) ? String(i) : fitValue(schema))),
    )
  if (isNumber(schema)) {
    yield wide("eq", "the largest", "9".repeat(1000))
    yield wide("gt", "many decimals", `0.${"123456789".repeat(100)}`)
  }
}

const hundred = (make: (i: number) => string): string =>
  Array.from({ length: 100 }, (_, i) => make(i)).join(",")

/** No value may be longer than 1,000 characters; escaped, those of other scripts take nine bytes each. */
function* textValues(isShort: boolean): Generator<readonly [string, string]> {
  yield ["one letter", "q"]
  if (isShort) return
  yield ["1,000 letters", textOf("letters", 1_000)]
  yield ["1,000 marks", textOf("marks", 1_000)]
  yield ["1,000 ligatures", textOf("ligatures", 1_000)]
  yield ["1,000 astral", textOf("astral", 1_000)]
}

const isNumber = ({ type }: Schema): boolean =>
  [type].flat().some((each) => each === "number" || each === "integer")

function fitValue(schema: Schema): string {
  const [word] = schema.enum?.filter((each) => each !== null) ?? []
  if (word !== undefined) return String(word)
  if ([schema.type].flat().includes("boolean")) return "true"
  return isNumber(schema) ? "1" : String(schema.examples?.[0] ?? "a")
}

/** Twenty filters at once, and those with a search and a sort: each alone may be cheap. */
function* crowdedCases(fields: readonly string[], prose: readonly string[], ask: Ask): Generator<Case> {
  const pattern = patterns["%a%a…%b"] ?? ""
  const twenty = (of: readonly string[]): Query =>
    operators
      .filter((operator) => operator !== "in")
      .flatMap((operator) => of.map((name): [string, string] => [`${name}[${operator}]`, "a"]))
      .slice(0, 20)
  const likes = fields.slice(0, 20).map((name): [string, string] => [`${name}[like]`, pattern])
  yield ask("20 filters", "like on each", [...likes, ["perPage", "100"]])
  if (prose.length > 0) yield ask("20 filters", "on long texts", [...twenty(prose), ["perPage", "100"]])
  const [sort] = prose
  if (sort)
    yield ask("all at once", "a search, a filter and a sort by a long text", [
      ["search", "a"],
      [`${sort}[like]`, pattern],
      ["sort", sort],
      ["page", "9"],
      ["perPage", "100"],
    ])
}
