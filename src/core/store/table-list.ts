import type { ReaderThread } from "../engine/reader-thread"
import type { Matching } from "../engine/engine"
import { type Later, settled, whenDone } from "../lib/turns"
import { fromUnits } from "../../shared/decimal"
import { type Cursors, invalidCursor, type Position } from "./cursor"
import { columnOf, type Resource } from "../kind/define"
import { findDirectly, type ReaderOf } from "./pages/direct-list"
import type { Field, MoneyContext } from "../kind/field"
import { sourceOf, type Term } from "./filter"
import { conditionsFor, fewFindsOf, fewPairsOf, matchTerm, matchWithin } from "./pages/finds"
import type { ListQuery } from "./list"
import {
  after,
  type FoundPage,
  mostRowsIn,
  type PageRequest,
  positionOf,
  positionSelect,
  skippedBy,
  type SortColumn,
  sortColumns,
  sorting,
} from "./pages/page"
import { pageRows, type PageRows, type RowDeps } from "./pages/page-rows"
import { type Along, type FindPairs, planner, type Planner, type Selection } from "./plan"
import { loopReader, type Reader, threadReader } from "./pages/reader"
import type { SearchFeed } from "../search/search-feed"
import type { Row } from "./table-shape"
import type { Totals } from "./totals"
import { firstOf } from "./order"
import { type keptCounts, mostCounted, type ValueCounts, valueCounter } from "./values"
import { limited } from "../engine/sql"
import {
  overStep,
  type Step,
  stepsAlong,
  stepsThrough,
  assertScannable,
  ScanLimitExceeded,
  tooExpensive,
  valuesOf,
  whereOf,
} from "./pages/walk"

/** A page of a list. `total` is null if it was not asked for. */
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
  /** Keeps the numbers of records by value. */
  counts: ReturnType<typeof keptCounts>
  matching: Matching
  feed?: SearchFeed
  /** Reads large tables in another thread. */
  thread?: ReaderThread | null
  /** Finds the rows with a value of a key of metadata that has an index. */
  findPairs?: FindPairs
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
  const { findPairs = () => null } = deps
  const plan = planner(resource, findPairs)
  const found = { ...deps, resource, plan, findPairs, pages: pageRows(resource, deps) }
  const { rowsOf, onLoop, largeReader, readerOf } = readersOf(resource, deps)

  /** Refuses a list that would have to scan too many records. */
  const refusal = (selection: Selection) => (error: unknown) => {
    throw error instanceof ScanLimitExceeded ? tooExpensive(found, selection) : error
  }
  const find = (query: ListQuery, within: Term[]): Later<Page<Row>> => {
    const request = requestOf(resource, deps, query, within)
    const { selection, moneyContext } = request
    const isQuick =
      plan.isIndexed(selection, moneyContext) ||
      (rowsOf() <= fewRows && plan.longTexts(selection).length === 0)
    const page: Later<FoundPage> = isQuick
      ? findDirectly(found, request, largeReader)
      : (signal) => findInSteps(found, request, readerOf(signal), signal).catch(refusal(selection))
    const answer = ({ rows, last, total }: FoundPage): Page<Row> => ({
      rows,
      total,
      nextCursor: last ? cursors.write(query.identity, last) : null,
    })
    const answered = whenDone(page, answer)
    if (query.sums.length === 0 || query.cursor !== undefined) return answered
    return async (signal) => ({
      ...(await settled(answered, signal)),
      sums: toAmounts(
        await sumInSteps(found, request, readerOf(signal)).catch(refusal(selection)),
        moneyContext,
      ),
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

    /** Counts the records of a list by the value of a field. */
    async values(query: ListQuery, name: string, signal: AbortSignal | null): Promise<ValueCounts> {
      if (query.match !== undefined) await feed?.settle()
      const request = requestOf(resource, deps, query, [])
      const { where, match } = request.selection
      const counter = valueCounter(name, resource.fields[name] as Field, request.moneyContext)
      const key = JSON.stringify([counter.select, whereOf(where), valuesOf(where), match])
      return deps.counts(key, () =>
        countValues(found, request, { name, counter }, readerOf(signal)).catch(refusal(request.selection)),
      )
    },

    /**
     * Returns the id and the stored sort value of all records of a list, in slices and in any order. A slice is smaller
     * after the caller took long with the previous one.
     */
    async *positions(query: ListQuery, signal: AbortSignal | null): AsyncGenerator<Position[]> {
      if (query.match !== undefined) await feed?.settle()
      const request = requestOf(resource, deps, query, [])
      try {
        yield* everyPosition(found, await beginWalk(found, request, onLoop(signal)))
      } catch (error) {
        refusal(request.selection)(error)
      }
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
  const { sort, match } = query
  return {
    selection: { where: conditionsFor(deps.matching, within.concat(query.filters)), match, sort },
    query,
    start: query.cursor === undefined ? undefined : startOf(resource, deps, query, moneyContext),
    moneyContext,
  }
}

/** Returns the position in a cursor. Long values are looked up again, so the record must still exist. */
function startOf(
  resource: Resource,
  { cursors, prepared }: Deps,
  { identity, cursor = "", sort }: ListQuery,
  moneyContext: MoneyContext,
): Position {
  const start = cursors.read(identity, cursor)
  if (start.value !== undefined) return start
  const columns = sortColumns(resource, sort, moneyContext)
  const found = positionOf(prepared, resource.table, columns, start.id)
  if (!found) throw invalidCursor()
  return found
}

/** The maximum number of records that a page may skip in a list that is sorted on every request. */
const mostSkipped = 100_000

type FindInStepsDeps = {
  resource: Resource
  plan: Planner
  totals: Totals
  pages: PageRows
  matching: Matching
  findPairs: FindPairs
}

type Walk = {
  request: PageRequest
  reader: Reader
  /**
   * The rows that the search finds, or an index of metadata. Null if there are many of them; then each slice is searched
   * separately.
   */
  finds: number[] | null
  longTexts: string[]
  /** What positions are compared by. */
  sort: SortColumn[]
  start: Position | null
  /** The condition for the records after `start`; empty if there is no start. */
  ahead: Term[]
  skipped: number
  narrowest: Along | null
}

/** Finds a page that needs a scan. It scans in slices, along the index that leaves the fewest records. */
async function findInSteps(
  deps: FindInStepsDeps,
  request: PageRequest,
  reader: Reader,
  signal: AbortSignal | null,
): Promise<FoundPage> {
  const { plan, pages } = deps
  const { selection, query, moneyContext } = request
  const walk = await beginWalk(deps, request, reader)
  const along = walk.finds === null ? plan.inOrder(selection, moneyContext) : null
  const isInOrder = along !== null && walk.sort.length === 1
  if (!isInOrder && walk.skipped > mostSkipped) throw new ScanLimitExceeded()
  if (!along || query.hasTotal) await beforeScan(deps, walk)
  const { positions, seen } = isInOrder
    ? { positions: await inOrder(deps, walk, along), seen: null }
    : along
      ? { positions: await partlyInOrder(deps, walk, along), seen: null }
      : await sorted(deps, walk)
  const page = positions.slice(0, query.perPage)
  const groups = pages.groupsOf(page.map(({ id }) => id))
  return {
    rows: await pages.readInSteps(groups, selection.where, moneyContext, signal),
    last: positions.length > query.perPage ? (page.at(-1) ?? null) : null,
    total: query.hasTotal ? (seen ?? (await count(deps, walk))) : null,
  }
}

async function beginWalk(deps: FindInStepsDeps, request: PageRequest, reader: Reader): Promise<Walk> {
  await reader.next()
  const { match, where } = request.selection
  const { resource, matching } = deps
  const finds =
    typeof match === "string"
      ? await fewFindsOf(matching, resource.table, match, reader)
      : match === undefined
        ? await fewPairsOf(where, deps.findPairs, reader)
        : null
  return walkOf(deps, request, finds, reader)
}

/** Fails if all records of the list are needed, and they cannot be found without a scan of too many rows. */
async function beforeScan(
  { resource, totals }: FindInStepsDeps,
  { finds, narrowest, reader }: Walk,
): Promise<void> {
  if (finds === null && narrowest === null) await assertScannable(resource, totals, reader)
}

function walkOf(
  { resource, plan }: FindInStepsDeps,
  request: PageRequest,
  finds: number[] | null,
  reader: Reader,
): Walk {
  const { selection, query, start = null, moneyContext } = request
  const sort = sortColumns(resource, query.sort, moneyContext)
  return {
    request,
    reader,
    finds,
    longTexts: plan.longTexts(selection),
    sort,
    start,
    ahead: start ? [after(sort, start)] : [],
    skipped: skippedBy(request),
    narrowest: plan.narrowest(selection, moneyContext),
  }
}

/** Scans the index that the list is sorted by, up to the end of the page. */
async function inOrder(deps: FindInStepsDeps, walk: Walk, along: Along): Promise<Position[]> {
  const { perPage } = walk.request.query
  const [order = "asc"] = ordersOf(walk)
  const seenIds = new Set<string>()
  const found: Position[] = []
  let left = walk.skipped
  for await (const step of stepsOf(deps, walk, along, order, walk.start)) {
    const before = left > 0 ? await countIn(deps, walk, step) : 0
    if (left > 0 && before <= left) {
      left -= before
      continue
    }
    const some = await firstIn(deps, walk, step, left + perPage + 1 - found.length)
    for (const position of some.slice(left))
      if (!seenIds.has(position.id)) {
        seenIds.add(position.id)
        found.push(position)
      }
    left = 0
    if (found.length > perPage) break
  }
  return found
}

/**
 * Scans the index of the first of two fields, until no further record can come before the last one of the page. Records
 * with the same value are in the order of the index, so all of them must have been seen.
 */
async function partlyInOrder(deps: FindInStepsDeps, walk: Walk, along: Along): Promise<Position[]> {
  const { start, skipped, request } = walk
  const most = skipped + request.query.perPage + 1
  const orders = ordersOf(walk)
  const first = firstOf(most, orders)
  const isNew = notYet()
  const from: Term[] = start
    ? [{ sql: `${along.column} ${orders[0] === "desc" ? "<=" : ">="} ?`, values: [start.value ?? ""] }]
    : []
  const path = { ...along, within: [...along.within, ...from] }
  let found = 0
  for await (const step of stepsOf(deps, walk, path, orders[0] ?? "asc", null)) {
    const some = (await firstIn(deps, walk, step, most)).filter(isNew)
    first.add(some)
    found += some.length
    const last = found >= most ? first.all()[most - 1] : undefined
    if (last && step.end && last.value !== step.end.value) break
  }
  return first.all().slice(skipped)
}

const ordersOf = ({ sort }: Walk): SortColumn["order"][] => sort.map(({ order }) => order)

/**
 * Scans all matching records and returns the first ones in the order of the list, and how many records it has. That is
 * null after a cursor: the records before it were not counted.
 */
async function sorted(
  deps: FindInStepsDeps,
  walk: Walk,
): Promise<{ positions: Position[]; seen: number | null }> {
  const most = walk.skipped + walk.request.query.perPage + 1
  const first = firstOf(most, ordersOf(walk))
  const isNew = onlyOnce(walk)
  let seen = 0
  for await (const step of everyStep(deps, walk)) {
    const some = await firstIn(deps, walk, step, most)
    seen += some.length < most ? some.length : await countIn(deps, walk, step)
    first.add(some.filter(isNew))
  }
  return { positions: first.all().slice(walk.skipped), seen: walk.start ? null : seen }
}

/**
 * Returns a function that is false for a position that it has got before. A record whose indexed value changes during
 * the scan, such as its date, can appear twice.
 */
const onlyOnce = ({ narrowest }: Walk): ((position: Position) => boolean) =>
  narrowest === null || narrowest.column === columnOf("createdAt") ? () => true : notYet()

function notYet(): (position: Position) => boolean {
  const seenIds = new Set<string>()
  return ({ id }) => !seenIds.has(id) && Boolean(seenIds.add(id))
}

/** Returns the positions of all matching records, in slices and in any order. */
async function* everyPosition(deps: FindInStepsDeps, walk: Walk): AsyncGenerator<Position[]> {
  const isNew = onlyOnce(walk)
  for await (const step of everyStep(deps, walk))
    yield (await read<Position>(deps, walk, step, positionSelect(walk.sort), walk.ahead)).filter(isNew)
}

async function count(deps: FindInStepsDeps, walk: Walk): Promise<number> {
  const { where, match } = walk.request.selection
  const { total, keep } = deps.totals.of([...where, ...matchTerm(deps.matching, deps.resource.table, match)])
  if (total !== undefined) return total
  let n = 0
  for await (const step of everyStep(deps, walk)) n += await countIn(deps, walk, step)
  return keep(n)
}

/** Adds up amounts over all records of a list, in slices. Returns them in the minor unit. */
async function sumInSteps(deps: FindInStepsDeps, request: PageRequest, reader: Reader) {
  const { resource } = deps
  const { query, moneyContext } = request
  const walk = await beginWalk(deps, request, reader)
  await beforeScan(deps, walk)
  const sums = Object.fromEntries(query.sums.map((name) => [name, 0]))
  // Floating-point sums, because a sum of integers fails beyond 64 bits. They are exact up to 2^53.
  const select = query.sums.map(
    (name) =>
      `coalesce(sum(1.0 * (${sourceOf(name, resource.fields[name] as Field, moneyContext)})), 0) AS ${name}`,
  )
  for await (const step of everyStep(deps, walk)) {
    const [some] = await read<Record<string, number>>(deps, walk, step, `SELECT ${select.join(", ")}`)
    for (const name of query.sums) sums[name] = (sums[name] ?? 0) + (some?.[name] ?? 0)
  }
  return sums
}

type Counting = { name: string; counter: ReturnType<typeof valueCounter> }

/**
 * Counts the records of a list by value, in slices. All records by a value that has an index are counted with one query,
 * as the total of a list is.
 */
async function countValues(
  deps: FindInStepsDeps,
  request: PageRequest,
  { name, counter }: Counting,
  reader: Reader,
): Promise<ValueCounts> {
  const { table, indexed, fields } = deps.resource
  const { where, match } = request.selection
  const isStored = Object.keys(fields[name]?.virtual ?? {}).length === 0
  const isGrouped = isStored && indexed?.group?.includes(name) === true
  if (isGrouped && where.length === 0 && match === undefined) {
    await reader.next()
    counter.add(
      await reader.all(`${counter.select} FROM ${table} GROUP BY 1 ORDER BY 1 LIMIT ?`, [mostCounted + 1]),
    )
    return counter.result()
  }
  const walk = await beginWalk(deps, request, reader)
  await beforeScan(deps, walk)
  for await (const step of everyStep(deps, walk))
    counter.add(await read(deps, walk, step, counter.select, [], { sorting: "GROUP BY 1" }))
  return counter.result()
}

/** Returns the first positions of a slice in the order of the list, after the start of the page. */
function firstIn(deps: FindInStepsDeps, walk: Walk, step: Step, most: number): Promise<Position[]> {
  const sorted = `ORDER BY ${sorting(walk.sort)} ${limited}`
  return read<Position>(deps, walk, step, positionSelect(walk.sort), walk.ahead, { sorting: sorted, most })
}

/** Returns the number of matching records of a slice. */
async function countIn(deps: FindInStepsDeps, walk: Walk, step: Step): Promise<number> {
  const [counted] = await read<{ n: number }>(deps, walk, step, "SELECT count(*) AS n")
  return counted?.n ?? 0
}

/** Reads the matching records of a slice. `sorted` may have a LIMIT, whose parameter is then the last one. */
async function read<T>(
  { resource, matching }: FindInStepsDeps,
  { request, reader, finds }: Walk,
  step: Step,
  select: string,
  more: readonly Term[] = [],
  sorted?: { sorting: string; most?: number },
): Promise<T[]> {
  const { where, match } = request.selection
  const search = finds === null ? await matchWithin(matching, resource.table, match, step, reader) : []
  const { sql, values } = overStep(select, step, [...where, ...more, ...search], sorted?.sorting)
  return reader.all<T>(sql, sorted?.most === undefined ? values : [...values, sorted.most])
}

/** Returns the slices of the scan that reads the fewest records. */
const everyStep = (deps: FindInStepsDeps, walk: Walk): AsyncIterable<Step> =>
  walk.finds === null
    ? stepsOf(deps, walk, walk.narrowest, "asc", null)
    : stepsThrough(deps.resource.table, walk.finds, walk.reader)

const stepsOf = (
  { resource, matching }: FindInStepsDeps,
  { longTexts, reader }: Walk,
  along: Along | null,
  order: "asc" | "desc",
  start: Position | null,
): AsyncIterable<Step> =>
  stepsAlong(
    {
      table: resource.table,
      index: along?.table ?? resource.table,
      column: along?.column ?? null,
      order,
      within: along?.within ?? [],
      start,
    },
    { reader, longTexts, isNested: matching.hasNestedSlices },
  )
