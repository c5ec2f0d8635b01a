import type { Matching } from "../../engine/engine"
import { settled, whenDone, type Later } from "../../lib/turns"
import type { Position } from "../cursor"
import type { Resource } from "../../kind/define"
import { sourceOf, type SqlValue, type Term } from "../filter"
import { matchTerm } from "./finds"
import {
  after,
  type FoundPage,
  type PageRequest,
  positionOf,
  positionSelect,
  skippedBy,
  type SortColumn,
  sortColumns,
  sorting,
} from "./page"
import type { PageRows, RowDeps } from "./page-rows"
import type { Reader } from "./reader"
import { limited } from "../../engine/sql"
import type { Row } from "../table-shape"
import type { Totals } from "../totals"
import { valuesOf, whereOf } from "./walk"

/** From this offset on, rows are skipped in the index alone, which takes a third of the time. */
const farSkip = 1_000
/** From this offset on, rows of a large table are skipped in another thread. */
const farthestSkip = 50_000

export type ReaderOf = (signal: AbortSignal | null) => Reader

type Deps = RowDeps & { resource: Resource; totals: Totals; pages: PageRows; matching: Matching }

/** The SQL of a page. After `values` it has two more parameters: the number of rows to read, and the number to skip. */
type PageSql = {
  sort: SortColumn[]
  order: string
  found: string
  values: SqlValue[]
  skipped: number
  /** The conditions of the whole list. */
  where: Term[]
}

/**
 * Finds a page by indexes, or in a small table. A large table has another reader, which counts the records and finds
 * pages at large offsets, because both read many rows.
 */
export function findDirectly(
  deps: Deps,
  request: PageRequest,
  largeReader: () => ReaderOf | null,
): Later<FoundPage> {
  const { bulky } = deps.resource
  const sql = sqlOf(deps, request)
  const isBulky = bulky !== undefined && request.query.perPage >= bulky.from
  const far = sql.skipped >= farthestSkip ? largeReader() : null
  const page = far
    ? findFar(deps, request, sql, far)
    : isBulky
      ? findInGroups(deps, request, sql)
      : findRows(deps, request, sql)
  return request.query.hasTotal ? withTotal(deps, sql.where, page, largeReader) : page
}

/** Adds the number of records of the list. */
function withTotal(
  { totals }: Deps,
  where: Term[],
  page: Later<FoundPage>,
  largeReader: () => ReaderOf | null,
): Later<FoundPage> {
  const known = totals.of(where).total
  const readerOf = known === undefined ? largeReader() : null
  if (!readerOf) {
    const total = known ?? totals.count(where)
    return whenDone(page, (found) => Object.assign(found, { total }))
  }
  return async (signal) => ({
    ...(await settled(page, signal)),
    total: await totals.countBy(readerOf(signal), where),
  })
}

function sqlOf({ resource, matching }: Deps, request: PageRequest): PageSql {
  const { selection, query, start, moneyContext } = request
  const sort = sortColumns(resource, query.sort, moneyContext)
  const { table } = resource
  const where = [...selection.where, ...matchTerm(matching, table, selection.match)]
  const page = start ? [...where, after(sort, start)] : where
  const order = `ORDER BY ${sorting(sort)}`
  const found = `FROM ${table} ${whereOf(page)} ${order} ${limited} OFFSET ?`
  return { sort, order, found, values: valuesOf(page), skipped: skippedBy(request), where }
}

/** Reads the rows with the query that finds them. */
function findRows(deps: Deps, request: PageRequest, sql: PageSql): FoundPage {
  const { prepared, selectOf, convert, resource } = deps
  const { query, moneyContext } = request
  const select = selectOf(moneyContext)
  const rows = prepared(
    sql.skipped < farSkip
      ? `${select} ${sql.found}`
      : `${select} FROM ${resource.table} WHERE id IN (SELECT id ${sql.found}) ${sql.order}`,
  ).all(...sql.values, query.perPage + 1, sql.skipped) as Row[]
  const hasMore = rows.length > query.perPage
  if (hasMore) rows.pop()
  const end = hasMore ? rows.at(-1) : undefined
  // Computed before the rows are converted, because a cursor contains the value as SQLite stores it.
  const last = end ? lastOf(deps, request, sql.sort, end) : null
  return { rows: rows.map((row) => convert(row, moneyContext)), last, total: null }
}

/** Returns the position of the last row. It is read again only when the row does not contain the sort values. */
function lastOf(
  { prepared, resource }: Deps,
  request: PageRequest,
  sort: readonly SortColumn[],
  end: Row,
): Position | null {
  const { query, moneyContext } = request
  const id = String(end.id)
  const isShown = query.sort.every(({ field: name }, i) => {
    const field = resource.fields[name]
    return field !== undefined && sort[i]?.sql === sourceOf(name, field, moneyContext)
  })
  if (!isShown) return positionOf(prepared, resource.table, sort, id)
  const [value = null, second] = query.sort.map(({ field }) => end[field] as Position["value"])
  return { value, ...(second !== undefined && { second }), id }
}

/** Finds the positions first and then reads the rows in groups, because these rows can be large. */
function findInGroups(deps: Deps, request: PageRequest, sql: PageSql): Later<FoundPage> {
  const most = request.query.perPage + 1
  const found = deps.prepared(positionsSql(sql)).all(...sql.values, most, sql.skipped)
  return readGroups(deps, request, found as Position[])
}

/** Finds the positions of a page at a large offset with the reader. A page behind the end is not looked for. */
const findFar =
  (deps: Deps, request: PageRequest, sql: PageSql, readerOf: ReaderOf): Later<FoundPage> =>
  async (signal) => {
    const reader = readerOf(signal)
    const total = await deps.totals.countBy(reader, sql.where)
    if (total <= sql.skipped) return { rows: [], last: null, total: null }
    const values = [...sql.values, request.query.perPage + 1, sql.skipped]
    const found = await reader.all<Position>(positionsSql(sql), values)
    return settled(readGroups(deps, request, found), signal)
  }

/** The sort values are read with the ids, because the last record may be deleted before the rows are read. */
const positionsSql = ({ sort, found }: PageSql): string => `${positionSelect(sort)} ${found}`

/** Reads the rows of a page. `found` has one more position if there is a next page. */
function readGroups(
  { pages }: Deps,
  { query, moneyContext }: PageRequest,
  found: readonly Position[],
): Later<FoundPage> {
  const shown = found.slice(0, query.perPage)
  const ids = shown.map(({ id }) => id)
  const last = found.length > shown.length ? (shown.at(-1) ?? null) : null
  const groups = pages.groupsOf(ids)
  if (groups.length <= 1) return { rows: pages.read(ids, [], moneyContext), last, total: null }
  return async (signal) => ({
    rows: await pages.readInSteps(groups, [], moneyContext, signal),
    last,
    total: null,
  })
}
