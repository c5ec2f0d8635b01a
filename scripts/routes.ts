// Writes docs/routes.md: every route with its right, parameters, body and response, from the program's own list, and the
// tables of the guide that follow from the kinds.
import { guideTables } from "./guide-tables"
import { hasOperator } from "../src/core/http/openapi/parameters"
import { parametersOf } from "../src/core/http/openapi/openapi"
import { type Parameter, type Route, shownRoutes } from "../src/core/http/route/route"
import { appInMemory } from "../src/server/in-memory"
import { bodySections, nameOf, wrapped, type Schema } from "./schema-text"

/** The list of routes as a Markdown page. */
export function routesPage(): string {
  const { routes, document, close } = appInMemory()
  const schemas = document().components.schemas as Record<string, Schema>
  close()
  const api = shownRoutes(routes)
  const pages = routes.filter(({ isHidden }) => isHidden)
  const bodies = api.flatMap((route) => (route.body ? [[bodyName(route), route.body.schema as Schema]] : []))
  return `# Routes

\`bun scripts/routes.ts\` generates this page from \`src/routes.ts\`. A test fails when the page is out of date.

The column Right contains an area and a scope; \`src/shared/rights.ts\` lists the rights of each role. The area \`own\` is
the caller's own account. \`open\` means that no credential is required. \`person\` means that only users who signed in may
use the route, not API keys or apps. \`no apps\` means that users and API keys may use it, but apps may not.

The column Query names the parameters of the query; \`*\` marks those that are required. Two words stand for many:

${wrapped(`- **list** stands for ${namesOf(listNames)},`)}
  and for the filters: each field in [Fields of lists](#fields-of-lists), alone or with an operator, such as
  \`createdAt[gte]\`. See [Lists and search](guide/lists.md).
${wrapped(`- **export** stands for ${namesOf(exportNames)},`)}
  and for the same filters. See [Data in and out](guide/data.md#export-a-list).

The column Body leads to the fields of the body in [Bodies](#bodies). \`{}\` is a body without fields, which can be left
out.

The column Run says how the route runs:

- \`read\` only reads.
- \`write\` writes in a group commit.
- \`post\` also writes in a group commit, and stores the response for the Idempotency-Key.
- \`merge\` writes in a group commit: it updates a record, or creates it if it does not exist.
- \`handle\` is code that handles the whole request itself.

| Method | Path | Right | Query | Body | Response | Run | Operation |
|---|---|---|---|---|---|---|---|
${api.map(rowOf).join("\n")}

## Fields of lists

Each list can be filtered and sorted by these fields. An export has the fields of its list.

${fieldsOfLists(api)}

## Bodies

A field that is not required accepts \`null\` too, unless it has a \`!\`. In the fields of an object,
\`?\` marks those that are not required. A \`date\` is a text such as \`2026-03-01\`, a \`date-time\` one such as
\`2026-03-01T09:30:00Z\`. The reference at \`/docs\` also has lengths, defaults and examples.

${bodySections(Object.fromEntries(bodies), schemas)}

## Not part of the API

${pages.map(({ method, path }) => `- \`${method} ${path}\``).join("\n")}
`
}

function rowOf(route: Route): string {
  const { method, path, may, orMay = [], alsoMay, upload, answer, run, id } = route
  const right = may
    ? [
        `${may.area}: ${may.scope}${orMay.map(({ scope }) => ` or ${scope}`).join("")}${alsoMay ? ` and ${alsoMay.scope}` : ""}`,
        may.personal && "person",
        may.notForApplications && "no apps",
      ]
    : ["open"]
  const cells = [
    method,
    `\`${path}\``,
    right.filter(Boolean).join(", "),
    queryOf(route),
    bodyOf(route) ?? upload?.types.join(", ") ?? "",
    `${answer.status}${answer.schema ? ` ${answer.type ?? nameOf(answer.schema as Schema)}` : ""}`,
    Object.keys(run)[0],
    id,
  ]
  return `| ${cells.join(" | ")} |`
}

const listNames = ["page", "perPage", "cursor", "sort", "order", "search", "fields", "total"]
const exportNames = ["format", "delimiter", "decimal", "bom", "titles", "fields", "sort", "order", "search"]

const namesOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ")

const queryParameters = (route: Route): Parameter[] =>
  parametersOf(route).filter((each) => each.in === "query")

/** The parameters of a route's query, with `list` or `export` for those that all lists or exports have. */
function queryOf(route: Route): string {
  const parameters = queryParameters(route)
  const names = parameters.map(({ name }) => name)
  const short = Object.entries({ list: listNames, export: exportNames }).find(([, all]) =>
    all.every((name) => names.includes(name)),
  )
  if (!short) return parameters.map(({ name, required }) => `\`${name}\`${required ? "\\*" : ""}`).join(", ")
  const [word, all] = short
  const filters = new Set(filtersOf(route))
  const rest = names.filter((name) => !hasOperator(name) && !all.includes(name) && !filters.has(name))
  return [word, ...rest.map((name) => `\`${name}\``)].join(", ")
}

/** The fields that a list can be filtered by. */
function filtersOf(route: Route): string[] {
  const names = queryParameters(route).map(({ name }) => name)
  const first = names.indexOf("id")
  return first < 0 ? [] : names.slice(first).filter((name) => !hasOperator(name))
}

/** One line for each list, and one for all lists with the same fields. */
function fieldsOfLists(routes: readonly Route[]): string {
  const lists = routes.filter((route) => route.answer.isList)
  const byFields = Map.groupBy(lists, (route) => namesOf(filtersOf(route)))
  return [...byFields]
    .map(([fields, [first, ...others]]) => {
      const path = (first?.path ?? "").replace("/api/v1/", "")
      const shown = others.length > 0 ? path.replace(/^.*:id/, "…") : path
      return wrapped(`- \`${shown}\`: ${fields}`)
    })
    .join("\n")
}

/** The name of a body: that of its schema, or that of its operation. */
const bodyName = ({ body, bodyName: shared, id }: Route): string => {
  const { $ref, $id } = (body?.schema ?? {}) as Schema
  return ($ref ?? $id)?.split("/").at(-1) ?? shared ?? id
}

function bodyOf(route: Route): string | undefined {
  if (!route.body) return undefined
  const { properties, $ref, $id } = route.body.schema as Schema
  if (!$ref && !$id && Object.keys(properties ?? {}).length === 0) return "{}"
  const name = bodyName(route)
  return `[${name}](#${name.toLowerCase()})${route.body.isOptional ? " (optional)" : ""}`
}

if (import.meta.main) {
  await Bun.write("docs/routes.md", routesPage())
  for (const [path, withTable] of Object.entries(guideTables))
    await Bun.write(path, withTable(await Bun.file(path).text()))
}
