import type { ReaderThread } from "../engine/reader-thread"
import type { Matching } from "../search/search-match"
import { settled, whenDone, type Later } from "../lib/turns"
import { fromUnits } from "../../shared/decimal"
import { invalidCursor, type Cursors, type Position } from "./cursor"
import type { Resource } from "../kind/define"
import { findDirectly, type ReaderOf } from "./direct-list"
import type { MoneyContext, Field } from "../kind/field"
import { sortSourceOf, type Term } from "./filter"
import { conditionsFor } from "./finds"
import type { ListQuery } from "./list"
import type { FoundPage, PageRequest } from "./page"
import { pageRows, type RowDeps } from "./page-rows"
import { planner } from "./plan"
import { positionOf } from "./position"
import { loopReader, threadReader } from "./reader"
import { mostRowsIn } from "./row-range"
import type { SearchFeed } from "../search/search-feed"
import { findInSteps, positionsInSteps, sumInSteps } from "./stepped-list"
import type { Row } from "./table-shape"
import type { Totals } from "./totals"

/** A page of a list. `total` is counted only when pages are numbered. */
export type Page<T> = {
  rows: T[]
  total: number | null
  nextCursor: string | null
  /** The requested sums over all records of the list. */
  sums?: Record<string, number>
}

type Deps = RowDeps & {
  cursors: Cursors
  moneyContext: () => MoneyContext
  totals: Totals
  matching: Matching
  feed?: SearchFeed
  /** Reads large tables in another thread. */
  thread?: ReaderThread | null
}

/** A table with at most this many rows is read with one query, for any filter and sort. */
const fewRows = 200
/** A table with more rows is counted and scanned in another thread. */
const manyRows = 20_000

/**
 * Finds the pages of a table: with one query if indexes are sufficient or the table is small, otherwise in slices. The
 * slices run on the event loop, with other requests in between, or in another thread if the table is large.
 */
export function tableList(resource: Resource, deps: Deps) {
  const { cursors, feed } = deps
  const plan = planner(resource)
  const found = { ...deps, resource, plan, pages: pageRows(resource, deps) }
  const { rowsOf, onLoop, largeReader, readerOf } = readersOf(resource, deps)

  const find = (query: ListQuery, within: Term[]): Later<Page<Row>> => {
    const request = requestOf(resource, deps, query, within)
    const { selection, moneyContext } = request
    const isQuick =
      plan.isIndexed(selection, moneyContext) ||
      (rowsOf() <= fewRows && plan.longTexts(selection).length === 0)
    const page: Later<FoundPage> = isQuick
      ? findDirectly(found, request, largeReader)
      : (signal) => findInSteps(found, request, readerOf(signal), signal)
    const answer = ({ rows, last, total }: FoundPage): Page<Row> => ({
      rows,
      total,
      nextCursor: last ? cursors.write(query.identity, last) : null,
    })
    const answered = whenDone(page, answer)
    if (query.sums.length === 0 || query.cursor !== undefined) return answered
    return async (signal) => ({
      ...(await settled(answered, signal)),
      sums: toAmounts(await sumInSteps(found, request, readerOf(signal)), moneyContext),
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
      yield* positionsInSteps(found, requestOf(resource, deps, query, []), onLoop(signal))
    },
  }
}

/** Chooses where a table is read, by its number of rows. */
function readersOf({ table, isBounded }: Resource, { prepared, thread }: Deps) {
  const rowsOf = (): number => (isBounded ? 0 : mostRowsIn(table, prepared))
  const onLoop: ReaderOf = (signal) => loopReader(prepared, signal)
  const inThread: ReaderOf | null = thread ? (signal) => threadReader(thread.read, signal) : null
  const largeReader = (): ReaderOf | null => (inThread && rowsOf() > manyRows ? inThread : null)
  const readerOf: ReaderOf = (signal) => (largeReader() ?? onLoop)(signal)
  return { rowsOf, onLoop, largeReader, readerOf }
}

const toAmounts = (sums: Record<string, number>, { digits }: MoneyContext): Record<string, number> =>
  Object.fromEntries(Object.entries(sums).map(([name, units]) => [name, fromUnits(units, digits)]))

function requestOf(resource: Resource, deps: Deps, query: ListQuery, within: Term[]): PageRequest {
  const moneyContext = deps.moneyContext()
  const { sort, order, match } = query
  return {
    selection: { where: conditionsFor(deps.matching, within.concat(query.filters)), match, sort, order },
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
