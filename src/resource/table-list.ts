import type { Database } from "bun:sqlite"
import { isLongWork, whenDone, type Later } from "../lib/turns"
import { invalidCursor, type Cursors, type Position } from "./cursor"
import type { Resource } from "./define"
import type { MoneyContext, Field } from "./field"
import { sortSourceOf, sourceOf, type Term } from "./filter"
import { matchTerm } from "./finds"
import type { ListQuery } from "./list"
import { pageRows, type Row, type RowTools } from "./page-rows"
import { planner, type Asked } from "./plan"
import { after, knownTotals } from "./position"
import { limited } from "./statements"
import { steppedList, type Found } from "./stepped-list"
import { rowRange, valuesOf, whereOf } from "./walk"

/** One page of a list. `total` is counted only when pages are numbered. */
export type Page<T> = { rows: T[]; total: number | null; nextCursor: string | null }

type Tools = RowTools & { cursors: Cursors; moneyContext: () => MoneyContext }

/** From here on the rows to skip are counted in the index alone, which takes a third of the time. */
const farSkip = 1_000
/** A table of so few rows is read at once, whatever is asked of it. */
const fewRows = 200

/** Finds the pages of one table's lists: at once where indexes find them, else in steps between which others are served. */
export function tableList(db: Database, resource: Resource, tools: Tools) {
  const { prepared, cursors, moneyContext, selectOf, convert } = tools
  const { table, bulky } = resource
  const plan = planner(resource)
  const totals = knownTotals(db)
  const pages = pageRows(resource, tools)
  const findInSteps = steppedList(resource, { plan, prepared, totals, pages })

  const positionOf = (sort: string, id: string): Position | null =>
    prepared(`SELECT ${sort} AS value, id FROM ${table} WHERE id = ?`).get(id) as Position | null

  /** Where a cursor says to go on. A long value is looked up again, so the record must still be there. */
  const startOf = ({ identity, cursor = "" }: ListQuery, sort: string): Position => {
    const { id, value } = cursors.read(identity, cursor)
    if (value !== undefined) return { id, value }
    const found = positionOf(sort, id)
    if (!found) throw invalidCursor()
    return found
  }

  const count = (where: readonly Term[]): number => {
    const { total, keep } = totals.of(where)
    if (total !== undefined) return total
    const { n } = prepared(`SELECT count(*) AS n FROM ${table} ${whereOf(where)}`).get(
      ...valuesOf(where),
    ) as {
      n: number
    }
    return keep(n)
  }

  /** A page that indexes find, or that a small table gives at once. */
  const findAtOnce = (
    asked: Asked,
    start: Position | undefined,
    query: ListQuery,
    now: MoneyContext,
  ): Later<Found> => {
    const sortField = resource.fields[query.sort] as Field
    const sort = sortSourceOf(query.sort, sortField, now)
    const where = [...asked.where, ...matchTerm(table, asked.match)]
    const page = start ? [...where, after(sort, sortField.nullable, query.order, start)] : where
    const skipped = start ? 0 : (query.page - 1) * query.perPage
    const order = `ORDER BY ${sort} ${query.order}, id ${query.order}`
    const found = `FROM ${table} ${whereOf(page)} ${order} ${limited} OFFSET ?`
    const values = valuesOf(page)
    const total = () => (start ? null : count(where))

    if (bulky && query.perPage >= bulky.from) {
      const wanted = query.perPage + 1
      const ids = (prepared(`SELECT id ${found}`).all(...values, wanted, skipped) as { id: string }[]).map(
        ({ id }) => id,
      )
      const hasMore = ids.length === wanted
      if (hasMore) ids.pop()
      const lastId = hasMore ? ids.at(-1) : undefined
      const rest = { last: lastId === undefined ? null : positionOf(sort, lastId), total: total() }
      const groups = pages.groupsOf(ids)
      if (groups.length <= 1) return { rows: pages.read(ids, [], now), ...rest }
      return async (signal) => ({ rows: await pages.readInSteps(groups, [], now, signal), ...rest })
    }
    const rows = prepared(
      skipped < farSkip
        ? `${selectOf(now)} ${found}`
        : `${selectOf(now)} FROM ${table} WHERE id IN (SELECT id ${found}) ${order}`,
    ).all(...values, query.perPage + 1, skipped) as Row[]
    const hasMore = rows.length > query.perPage
    if (hasMore) rows.pop()
    const end = hasMore ? rows.at(-1) : undefined
    const isShown = sort === sourceOf(query.sort, sortField, now)
    const last =
      end && isShown
        ? { value: end[query.sort] as Position["value"], id: String(end.id) }
        : end
          ? positionOf(sort, String(end.id))
          : null
    return { rows: rows.map((row) => convert(row, now)), last, total: total() }
  }

  const isSmall = (): boolean => {
    const { low, high } = rowRange(table, prepared)
    return high - low < fewRows
  }

  return (query: ListQuery, within: Term[]): Later<Page<Row>> => {
    const now = moneyContext()
    const { sort, order, match } = query
    const asked: Asked = { where: within.concat(query.filters), match, sort, order }
    const start =
      query.cursor === undefined
        ? undefined
        : startOf(query, sortSourceOf(sort, resource.fields[sort] as Field, now))
    const isQuick = plan.isIndexed(asked, now) || (isSmall() && plan.longTexts(asked).length === 0)
    const found: Later<Found> = isQuick
      ? findAtOnce(asked, start, query, now)
      : (signal) => findInSteps({ asked, query, start, now }, signal)
    const pageOf = ({ rows, last, total }: Found): Page<Row> => ({
      rows,
      total,
      nextCursor: last ? cursors.write(query.identity, last) : null,
    })
    return isLongWork(found) ? whenDone(found, pageOf) : pageOf(found)
  }
}
