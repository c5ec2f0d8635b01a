import type { Later } from "../lib/turns"
import type { Position } from "./cursor"
import type { Resource } from "./define"
import type { Field } from "./field"
import { sortSourceOf, sourceOf, type SqlValue, type Term } from "./filter"
import { matchTerm } from "./finds"
import { skippedBy, type FoundPage, type PageRequest } from "./page"
import type { PageRows, RowDeps } from "./page-rows"
import { after, positionOf, type Totals } from "./position"
import { limited } from "./statements"
import type { Row } from "./table-shape"
import { valuesOf, whereOf } from "./walk"

/** From this offset on, rows are skipped in the index alone, which takes a third of the time. */
const farSkip = 1_000

type Deps = RowDeps & { resource: Resource; totals: Totals; pages: PageRows }

/** The SQL of a page. After `values` it has two more parameters: the number of rows to read, and the number to skip. */
type PageSql = {
  sort: string
  order: string
  found: string
  values: SqlValue[]
  skipped: number
  /** The conditions of the whole list. */
  where: Term[]
}

/** Finds a page by indexes, or in a small table. */
export function findDirectly(deps: Deps, request: PageRequest): Later<FoundPage> {
  const { bulky } = deps.resource
  const sql = sqlOf(deps.resource, request)
  return bulky && request.query.perPage >= bulky.from
    ? findInGroups(deps, request, sql)
    : findRows(deps, request, sql)
}

function sqlOf({ table, fields }: Resource, request: PageRequest): PageSql {
  const { selection, query, start, moneyContext } = request
  const sortField = fields[query.sort] as Field
  const sort = sortSourceOf(query.sort, sortField, moneyContext)
  const where = [...selection.where, ...matchTerm(table, selection.match)]
  const page = start ? [...where, after(sort, sortField.nullable, query.order, start)] : where
  const order = `ORDER BY ${sort} ${query.order}, id ${query.order}`
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
  return {
    rows: rows.map((row) => convert(row, moneyContext)),
    last,
    total: totalOf(deps, request, sql.where),
  }
}

/** Returns the position of the last row. It is read again only when the row does not contain the sort value. */
function lastOf({ prepared, resource }: Deps, request: PageRequest, sort: string, end: Row): Position | null {
  const { query, moneyContext } = request
  const isShown = sort === sourceOf(query.sort, resource.fields[query.sort] as Field, moneyContext)
  return isShown
    ? { value: end[query.sort] as Position["value"], id: String(end.id) }
    : positionOf(prepared, resource.table, sort, String(end.id))
}

/** Finds the ids first and then reads the rows in groups, because these rows can be large. */
function findInGroups(deps: Deps, request: PageRequest, sql: PageSql): Later<FoundPage> {
  const { prepared, resource, pages } = deps
  const { query, moneyContext } = request
  const most = query.perPage + 1
  const found = prepared(`SELECT id ${sql.found}`).all(...sql.values, most, sql.skipped) as { id: string }[]
  const ids = found.map(({ id }) => id)
  const hasMore = ids.length === most
  if (hasMore) ids.pop()
  const lastId = hasMore ? ids.at(-1) : undefined
  const last = lastId === undefined ? null : positionOf(prepared, resource.table, sql.sort, lastId)
  const total = totalOf(deps, request, sql.where)
  const groups = pages.groupsOf(ids)
  if (groups.length <= 1) return { rows: pages.read(ids, [], moneyContext), last, total }
  return async (signal) => ({
    rows: await pages.readInSteps(groups, [], moneyContext, signal),
    last,
    total,
  })
}

/** Returns the number of records of the list. It is counted only when pages are numbered. */
function totalOf({ prepared, resource, totals }: Deps, { start }: PageRequest, where: Term[]): number | null {
  if (start) return null
  const { total, keep } = totals.of(where)
  if (total !== undefined) return total
  const counted = prepared(`SELECT count(*) AS n FROM ${resource.table} ${whereOf(where)}`)
  return keep((counted.get(...valuesOf(where)) as { n: number }).n)
}
