import { keysOf } from "../../core/kind/keys"
import type { Resource } from "../../core/kind/define"
import type { Input } from "../../core/kind/read"
import { filterNote, plainFilters } from "../../core/http/openapi/parameters"
import type { Route } from "../../core/http/route/route"
import { mayCaller, type Caller } from "../../core/caller"
import { bytesOf, fitted, fitting, mostBytes } from "./fit"
import { asProperty, closed, plain, text, type Schema } from "./schema"
import { noted, notes, refused, succeeded, type Result, type Send, type Tool } from "./tool"

/** A kind that has a list, with its route. */
export type Listed = { kind: Resource; route: Route }

const usualPerPage = 25
const anyRecord: Schema = { type: "object", additionalProperties: true }

/** Search in all kinds, made from the route of the search. */
export const searchTool = (route: Route): Tool => {
  const parameters = new Map((route.parameters?.() ?? []).map((each) => [each.name, each]))
  const properties = Object.fromEntries([...parameters].map(([name, each]) => [name, asProperty(each)]))
  return {
    name: "search",
    rights: [route.may].filter((right) => right !== null),
    title: route.summary,
    description: () => `${route.description} Use it to find the id of a record, and \`get\` to read it.`,
    input: () => closed(properties, ["q"]),
    output: () =>
      closed({ matches: { ...plain(route.answer.schema ?? {}), description: "By kind" }, ...notes }, [
        "matches",
      ]),
    writes: false,
    async run(given, send) {
      const answer = await send({ method: "GET", path: route.path, query: queryOf(given) })
      if (!succeeded(answer)) return refused(answer)
      let matches = answer.body.data as Record<string, unknown[]>
      let isCut = false
      while (bytesOf(matches) > mostBytes - 1_000) {
        isCut = true
        const entries = Object.entries(matches).map(([kind, all]) => [kind, all.slice(0, all.length >> 1)])
        matches = Object.fromEntries(entries) as typeof matches
      }
      const note = "Only the best matches of each kind are shown. Search for more words, or in fewer types."
      return { data: noted({ matches }, isCut ? [note] : [], answer) }
    },
  }
}

/** Lists of all kinds, made from their routes. */
export const listTool = (lists: readonly Listed[]): Tool => {
  const controls = ["search", "sort", "order", "perPage", "cursor", "fields", "sum"]
  const [first] = lists
  const parameters = new Map((first?.route.parameters?.() ?? []).map((each) => [each.name, each]))
  const properties = Object.fromEntries(
    controls.flatMap((name) => {
      const parameter = parameters.get(name)
      return parameter ? [[name, asProperty(parameter)]] : []
    }),
  )
  return {
    name: "list",
    rights: rightsOf(lists),
    title: "List records of a kind",
    description: (caller) =>
      `Lists the records of a kind, newest first, with filters. \`sum\` adds up amounts over all records of the list, and \`total\` counts them, so you need not read them all.\n\nThe filters of each kind:\n${readable(lists, caller).map(filtersOf).join("\n")}`,
    input: (caller) =>
      closed(
        {
          kind: kindProperty(lists, caller),
          filters: {
            type: "object",
            description: `${first ? filterNote(first.kind) : ""} Example: {"status": "submitted", "createdAt[gte]": "2026-01-01"}`,
            additionalProperties: {
              type: ["string", "number", "boolean", "array"],
              items: { type: "string" },
            },
          },
          ...properties,
          sort: text("The field to sort by, or two with a comma; createdAt by default"),
          sum: text("Amounts to add up over all records of the list, separated by commas, such as total"),
        },
        ["kind"],
      ),
    output: () =>
      closed(
        {
          kind: { type: "string" },
          records: { type: "array", items: anyRecord },
          total: { type: "integer", description: "The number of all records of the list" },
          sums: { type: "object", additionalProperties: { type: "number" } },
          nextCursor: {
            type: ["string", "null"],
            description: "The cursor of the next records; null at the end",
          },
          ...notes,
        },
        ["kind", "records", "nextCursor"],
      ),
    writes: false,
    run: (given, send) => runList(lists, given, send),
  }
}

async function runList(lists: readonly Listed[], given: Input, send: Send): Promise<Result> {
  const { kind: name, filters, ...controls } = given
  const found = lists.find(({ kind }) => kind.name === name)
  if (!found) return unknownKind(name, lists)
  if (filters !== undefined && (typeof filters !== "object" || filters === null || Array.isArray(filters)))
    return { problem: 'filters must be an object, such as {"status": "draft"}.' }
  const query = {
    perPage: String(usualPerPage),
    ...queryOf(controls),
    ...filterQuery((filters ?? {}) as Input),
  }
  const ask = (perPage: string) =>
    send({ method: "GET", path: found.route.path, query: { ...query, perPage } })
  let answer = await ask(query.perPage)
  for (let perPage = usualPerPage; answer.isTooLong && perPage > 0; perPage >>= 2)
    answer = await ask(String(perPage))
  if (!succeeded(answer)) return refused(answer)
  const notes: string[] = []
  let isShort = false
  const cut = (rows: unknown[]): unknown[] =>
    rows.map((row) => {
      const done = fitted(row as Record<string, unknown>, 1, "call get")
      notes.push(...done.notes)
      return done.record
    })
  let rows = answer.body.data as unknown[]
  // A shorter page has a cursor that continues where it ends. Records may have changed since, so it may need another look.
  for (let fit = fitting(rows); fit < rows.length && rows.length > 1; fit = fitting(rows)) {
    const shorter = await ask(String(Math.max(1, Math.min(fit, rows.length - 1))))
    if (!succeeded(shorter)) return refused(shorter)
    answer = shorter
    isShort = true
    rows = answer.body.data as unknown[]
  }
  if (fitting(rows) < rows.length) rows = cut(rows)
  const { total, sums, nextCursor = null } = answer.body.meta ?? {}
  if (nextCursor !== null) notes.push("There are more: call list with the same arguments and this cursor.")
  if (isShort) notes.push("More records fit into one answer if you ask for some of their `fields`.")
  const data = {
    kind: name,
    records: rows,
    ...(total === undefined ? {} : { total }),
    ...(sums ? { sums } : {}),
  }
  return { data: noted({ ...data, nextCursor }, notes, answer) }
}

/** One record of any kind, by its id or by another key. */
export const getTool = (lists: readonly Listed[]): Tool => ({
  name: "get",
  rights: rightsOf(lists),
  title: "Get one record",
  description: (caller) =>
    `Returns a record with all its fields, such as the lines of a document. The keys by which each kind can be found besides its id:\n${readable(lists, caller).map(keysIn).join("\n")}`,
  input: (caller) =>
    closed(
      {
        kind: kindProperty(lists, caller),
        id: text("The id of the record, or the value of the key that `by` names"),
        by: text("A key of the kind, such as a number or a code, if `id` is its value"),
        fields: text("Return only these fields, separated by commas"),
        from: {
          type: "integer",
          minimum: 1,
          description:
            "The first entry of a list that is too long for one answer, such as the lines of a document",
        },
      },
      ["kind", "id"],
    ),
  output: () => closed({ kind: { type: "string" }, record: anyRecord, ...notes }, ["kind", "record"]),
  writes: false,
  async run({ kind: name, id, by, fields, from = 1 }, send) {
    const found = lists.find(({ kind }) => kind.name === name)
    if (!found) return unknownKind(name, lists)
    const { kind, route } = found
    const keys = keysOf(kind).map(([key]) => key)
    if (typeof id !== "string" || id === "") return { problem: "id must be a text." }
    if (by !== undefined && by !== "id" && !keys.includes(String(by)))
      return { problem: `by must be a key of ${kind.name}: ${["id", ...keys].join(", ")}.` }
    if (typeof from !== "number" || !Number.isInteger(from) || from < 1)
      return { problem: "from must be a whole number from 1." }
    const isKeyed = by !== undefined && by !== "id"
    // Other paths begin like those of records.
    if (!isKeyed && !new RegExp(`^${kind.idPrefix}_[0-9a-z]{26}$`).test(id))
      return {
        problem: `${JSON.stringify(id.slice(0, 100))} is not an id of ${kind.name}. ${keys.length > 0 ? `If it is one of ${keys.join(", ")}, name it in \`by\`. ` : ""}Ids come from search and list.`,
      }
    const path = `${route.path}/${isKeyed ? `by/${String(by)}/` : ""}${encodeURIComponent(id.toWellFormed())}`
    const answer = await send({
      method: "GET",
      path,
      ...(fields === undefined ? {} : { query: queryOf({ fields }) }),
    })
    if (!succeeded(answer)) return refused(answer)
    const done = fitted(answer.body.data as Record<string, unknown>, from, "call get")
    return { data: noted({ kind: name, record: done.record }, done.notes, answer) }
  },
})

/** The figures over many records, made from the routes of the reports. */
export const reportTool = (reports: readonly Route[]): Tool => {
  const nameOf = ({ path }: Route) => path.split("/").at(-1) ?? ""
  const properties = Object.fromEntries(
    reports.flatMap(({ parameters = () => [] }) => parameters().map((each) => [each.name, asProperty(each)])),
  )
  const schemas = reports.map(({ answer }) => plain(answer.schema ?? {}))
  return {
    name: "report",
    rights: reports.flatMap(({ may }) => may ?? []),
    title: "Get figures over many records",
    description: () =>
      `The reports:\n${reports.map((route) => `- ${nameOf(route)}: ${route.description}`).join("\n")}`,
    input: (caller) => {
      const names = reports.filter(({ may }) => may && mayCaller(caller, may)).map(nameOf)
      return closed({ report: { type: "string", enum: names }, ...properties }, ["report"])
    },
    output: () =>
      closed(
        {
          report: { type: "string" },
          figures: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas },
          ...notes,
        },
        ["report", "figures"],
      ),
    writes: false,
    async run({ report, ...given }, send) {
      const route = reports.find((each) => nameOf(each) === report)
      if (!route) return { problem: `report must be one of ${reports.map(nameOf).join(", ")}.` }
      const answer = await send({ method: "GET", path: route.path, query: queryOf(given) })
      if (!succeeded(answer)) return refused(answer)
      if (bytesOf(answer.body.data) > mostBytes)
        return { problem: "The report is too long for one answer. Read the records with list." }
      return { data: noted({ report, figures: answer.body.data }, [], answer) }
    },
  }
}

const rightsOf = (lists: readonly Listed[]) => lists.flatMap(({ route }) => route.may ?? [])

const readable = (lists: readonly Listed[], caller: Caller): Listed[] =>
  lists.filter(({ route: { may } }) => may !== null && mayCaller(caller, may))

const kindProperty = (lists: readonly Listed[], caller: Caller): Schema => ({
  type: "string",
  enum: readable(lists, caller).map(({ kind }) => kind.name),
})

const unknownKind = (name: unknown, lists: readonly Listed[]): Result => ({
  problem: `kind must be one of ${lists.map(({ kind }) => kind.name).join(", ")}, not ${JSON.stringify(name)}.`,
})

const filtersOf = ({ kind }: Listed): string =>
  `- ${kind.name}: ${plainFilters(kind)
    .map(({ name }) => name)
    .join(", ")}`

const keysIn = ({ kind }: Listed): string => {
  const keys = keysOf(kind).map(([name]) => name)
  return `- ${kind.name}${keys.length > 0 ? `: ${keys.join(", ")}` : ""}`
}

/** Arguments as parameters of a query. Lists are separated by commas. */
const queryOf = (given: Input): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, Array.isArray(value) ? value.join(",") : String(value)]],
    ),
  )

/** Filters as parameters of a query: a list means any of its values, which are quoted as in a CSV file. */
const filterQuery = (filters: Input): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) =>
      Array.isArray(value)
        ? [
            name.endsWith("]") ? name : `${name}[in]`,
            value.map((each) => `"${String(each).replaceAll('"', '""')}"`).join(","),
          ]
        : [name, String(value)],
    ),
  )
