import type { Database } from "bun:sqlite"
import { isLongWork, settled, whenDone, type Later } from "../lib/turns"
import { fromUnits } from "../shared/decimal"
import { invalidCursor, type Cursors, type Position } from "./cursor"
import type { Resource } from "./define"
import { findDirectly } from "./direct-list"
import type { MoneyContext, Field } from "./field"
import { sortSourceOf, type Term } from "./filter"
import type { ListQuery } from "./list"
import type { FoundPage, PageRequest } from "./page"
import { pageRows, type RowDeps } from "./page-rows"
import { planner } from "./plan"
import { knownTotals, positionOf } from "./position"
import type { SearchFeed } from "./search-feed"
import type { Prepared } from "./statements"
import { findInSteps, positionsInSteps, sumInSteps } from "./stepped-list"
import type { Row } from "./table-shape"
import { rowRange } from "./walk"

/** A page of a list. `total` is counted only when pages are numbered. */
export type Page<T> = {
  rows: T[]
  total: number | null
  nextCursor: string | null
  /** The requested sums over all records of the list. */
  sums?: Record<string, number>
}

type Deps = RowDeps & { cursors: Cursors; moneyContext: () => MoneyContext; feed?: SearchFeed }

/** A table with at most this many rows is read with one query, for any filter and sort. */
const fewRows = 200

/**
 * Finds the pages of a table: with one query if indexes are sufficient or the table is small, otherwise in slices, with
 * other requests in between.
 */
export function tableList(db: Database, resource: Resource, deps: Deps) {
  const { prepared, cursors, selectOf, convert, feed } = deps
  const plan = planner(resource)
  const pages = pageRows(resource, deps)
  const found = { resource, plan, prepared, selectOf, convert, totals: knownTotals(db), pages }

  const find = (query: ListQuery, within: Term[]): Later<Page<Row>> => {
    const request = requestOf(resource, deps, query, within)
    const { selection, moneyContext } = request
    const isQuick =
      plan.isIndexed(selection, moneyContext) ||
      (isFew(prepared, resource) && plan.longTexts(selection).length === 0)
    const page: Later<FoundPage> = isQuick
      ? findDirectly(found, request)
      : (signal) => findInSteps(found, request, signal)
    const answer = ({ rows, last, total }: FoundPage): Page<Row> => ({
      rows,
      total,
      nextCursor: last ? cursors.write(query.identity, last) : null,
    })
    const answered = isLongWork(page) ? whenDone(page, answer) : answer(page)
    if (query.sums.length === 0 || query.cursor !== undefined) return answered
    return async (signal) => ({
      ...(isLongWork(answered) ? await answered(signal) : answered),
      sums: toAmounts(await sumInSteps(found, request, signal), moneyContext),
    })
  }
  return {
    /** Finds a page. A search first waits for the search text of records that were just written. */
    find: (query: ListQuery, within: Term[]): Later<Page<Row>> =>
      query.match === undefined || !feed?.isWaiting()
        ? find(query, within)
        : async (signal) => {
            await feed.settle()
            return settled(find(query, within), signal)
          },

    /** Returns the id and the stored sort value of all records of a list, in slices and in any order. */
    async *positions(query: ListQuery, signal: AbortSignal | null): AsyncGenerator<Position[]> {
      if (query.match !== undefined) await feed?.settle()
      yield* positionsInSteps(found, requestOf(resource, deps, query, []), signal)
    },
  }
}

const toAmounts = (sums: Record<string, number>, { digits }: MoneyContext): Record<string, number> =>
  Object.fromEntries(Object.entries(sums).map(([name, units]) => [name, fromUnits(units, digits)]))

function requestOf(resource: Resource, deps: Deps, query: ListQuery, within: Term[]): PageRequest {
  const moneyContext = deps.moneyContext()
  const { sort, order, match } = query
  return {
    selection: { where: within.concat(query.filters), match, sort, order },
    query,
    start: query.cursor === undefined ? undefined : startOf(resource, deps, query, moneyContext),
    moneyContext,
  }
}

/** Returns the position in a cursor. A long value is looked up again, so the record must still exist. */
function startOf(
  { table, fields }: Resource,
  { cursors, prepared }: Deps,
  { identity, cursor = "", sort }: ListQuery,
  moneyContext: MoneyContext,
): Position {
  const { id, value } = cursors.read(identity, cursor)
  if (value !== undefined) return { id, value }
  const found = positionOf(prepared, table, sortSourceOf(sort, fields[sort] as Field, moneyContext), id)
  if (!found) throw invalidCursor()
  return found
}

function isFew(prepared: Prepared, { table, isBounded }: Resource): boolean {
  if (isBounded) return true
  const { low, high } = rowRange(table, prepared)
  return high - low < fewRows
}
