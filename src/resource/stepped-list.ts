import { fieldError, Refusal } from "../lib/refusal"
import { nextStep } from "../lib/turns"
import type { Position } from "./cursor"
import { columnOf, type Resource } from "./define"
import type { Field } from "./field"
import { sortSourceOf, sourceOf, type Term } from "./filter"
import { fewFindsOf, matchTerm, matchWithin } from "./finds"
import { firstOf } from "./order"
import { skippedBy, type FoundPage, type PageRequest } from "./page"
import type { PageRows } from "./page-rows"
import type { Along, Planner, Selection } from "./plan"
import { after, type Totals } from "./position"
import type { Prepared } from "./statements"
import { overStep, stepsAlong, stepsThrough, ScanLimitExceeded, type Step } from "./walk"

/** The maximum number of records that a page may skip in a list that is sorted on every request. */
const mostSkipped = 100_000

type Deps = {
  resource: Resource
  plan: Planner
  prepared: Prepared
  totals: Totals
  pages: PageRows
}

/** The scan of one request. */
type Walk = {
  request: PageRequest
  signal: AbortSignal | null
  /** The rows that the search finds. Null if there are many of them; then each slice is searched separately. */
  finds: number[] | null
  longTexts: string[]
  /** The column or expression that positions are compared by. */
  sort: string
  start: Position | null
  /** The condition for the records after `start`; empty if there is no start. */
  ahead: Term[]
  skipped: number
  narrowest: Along | null
}

/** Finds a page that needs a scan. It scans in slices, along the index that leaves the fewest records. */
export const findInSteps = (
  deps: Deps,
  request: PageRequest,
  signal: AbortSignal | null,
): Promise<FoundPage> =>
  find(deps, request, signal).catch((error: unknown) => {
    throw error instanceof ScanLimitExceeded ? tooExpensive(deps, request.selection) : error
  })

async function find(deps: Deps, request: PageRequest, signal: AbortSignal | null): Promise<FoundPage> {
  const { plan, pages } = deps
  const { selection, query, moneyContext } = request
  const walk = await beginWalk(deps, request, signal)
  const along = walk.finds === null ? plan.inOrder(selection, moneyContext) : null
  if (!along && walk.skipped > mostSkipped) throw new ScanLimitExceeded()
  const { positions, seen } = along
    ? { positions: await inOrder(deps, walk, along), seen: null }
    : await sorted(deps, walk)
  const page = positions.slice(0, query.perPage)
  const groups = pages.groupsOf(page.map(({ id }) => id))
  return {
    rows: await pages.readInSteps(groups, selection.where, moneyContext, signal),
    last: positions.length > query.perPage ? (page.at(-1) ?? null) : null,
    total: walk.start ? null : (seen ?? (await count(deps, walk))),
  }
}

async function beginWalk(deps: Deps, request: PageRequest, signal: AbortSignal | null): Promise<Walk> {
  await nextStep(signal)
  const { match } = request.selection
  const finds =
    typeof match === "string" ? await fewFindsOf(deps.resource.table, match, deps.prepared, signal) : null
  return walkOf(deps, request, finds, signal)
}

function walkOf(
  { resource, plan }: Deps,
  request: PageRequest,
  finds: number[] | null,
  signal: AbortSignal | null,
): Walk {
  const { selection, query, start = null, moneyContext } = request
  const field = resource.fields[query.sort] as Field
  // A scan compares codes with lower(), because positions in memory have no collation.
  const sort = field.isAscii
    ? `lower(${sourceOf(query.sort, field, moneyContext)})`
    : sortSourceOf(query.sort, field, moneyContext)
  const from = start && field.isAscii ? withoutCase(start) : start
  return {
    request,
    signal,
    finds,
    longTexts: plan.longTexts(selection),
    sort,
    start: from,
    ahead: from ? [after(sort, field.nullable, query.order, from)] : [],
    skipped: skippedBy(request),
    narrowest: plan.narrowest(selection, moneyContext),
  }
}

const withoutCase = ({ value, id }: Position): Position => ({
  // Like lower() in SQL, which knows only the letters A to Z.
  value: typeof value === "string" ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value,
  id,
})

/** Scans the index that the list is sorted by, up to the end of the page. */
async function inOrder(deps: Deps, walk: Walk, along: Along): Promise<Position[]> {
  const { order, perPage } = walk.request.query
  const seenIds = new Set<string>()
  const found: Position[] = []
  let left = walk.skipped
  const sorting = `ORDER BY ${walk.sort} ${order}, id ${order}`
  for await (const step of stepsOf(deps, walk, along, order, walk.start)) {
    for (const position of positionsIn(deps, walk, step, sorting)) {
      if (left > 0) left--
      else if (!seenIds.has(position.id)) {
        seenIds.add(position.id)
        found.push(position)
      }
    }
    if (found.length > perPage) break
  }
  return found
}

/** Scans all matching records and returns the first ones in the order of the list. */
async function sorted(deps: Deps, walk: Walk): Promise<{ positions: Position[]; seen: number }> {
  const { perPage, order } = walk.request.query
  const first = firstOf(walk.skipped + perPage + 1, order)
  let seen = 0
  for await (const some of everyPosition(deps, walk)) {
    seen += some.length
    first.add(some)
  }
  return { positions: first.all().slice(walk.skipped), seen }
}

/** Returns the positions of all matching records, in slices and in any order. */
async function* everyPosition(deps: Deps, walk: Walk): AsyncGenerator<Position[]> {
  const { narrowest } = walk
  // A record whose indexed value changes during the scan, such as its date, can appear twice.
  const mayRepeat = narrowest !== null && narrowest.column !== columnOf("createdAt")
  const seenIds = new Set<string>()
  for await (const step of everyStep(deps, walk)) {
    const some = positionsIn(deps, walk, step).filter(({ id }) => !seenIds.has(id))
    if (mayRepeat) for (const { id } of some) seenIds.add(id)
    yield some
  }
}

/**
 * Returns the id and the sort value of all records of a list, in slices and in any order. A slice is smaller after the
 * caller took long with the previous one.
 */
export async function* positionsInSteps(
  deps: Deps,
  request: PageRequest,
  signal: AbortSignal | null,
): AsyncGenerator<Position[]> {
  try {
    yield* everyPosition(deps, await beginWalk(deps, request, signal))
  } catch (error) {
    throw error instanceof ScanLimitExceeded ? tooExpensive(deps, request.selection) : error
  }
}

async function count(deps: Deps, walk: Walk): Promise<number> {
  const { where, match } = walk.request.selection
  const { total, keep } = deps.totals.of([...where, ...matchTerm(deps.resource.table, match)])
  if (total !== undefined) return total
  let n = 0
  for await (const step of everyStep(deps, walk)) {
    const terms = [...where, ...searchTerms(deps, walk, step)]
    const { sql, values } = overStep("SELECT count(*) AS n", step, terms)
    n += (deps.prepared(sql).get(...values) as { n: number }).n
  }
  return keep(n)
}

/** Adds up amounts over all records of a list, in slices. Returns them in the minor unit. */
export const sumInSteps = (
  deps: Deps,
  request: PageRequest,
  signal: AbortSignal | null,
): Promise<Record<string, number>> =>
  sum(deps, request, signal).catch((error: unknown) => {
    throw error instanceof ScanLimitExceeded ? tooExpensive(deps, request.selection) : error
  })

async function sum(deps: Deps, request: PageRequest, signal: AbortSignal | null) {
  const { prepared, resource } = deps
  const { selection, query, moneyContext } = request
  const { where } = selection
  const walk = await beginWalk(deps, request, signal)
  const sums = Object.fromEntries(query.sums.map((name) => [name, 0]))
  // Floating-point sums, because a sum of integers fails beyond 64 bits. They are exact up to 2^53.
  const select = query.sums.map(
    (name) =>
      `coalesce(sum(1.0 * (${sourceOf(name, resource.fields[name] as Field, moneyContext)})), 0) AS ${name}`,
  )
  for await (const step of everyStep(deps, walk)) {
    const terms = [...where, ...searchTerms(deps, walk, step)]
    const { sql, values } = overStep(`SELECT ${select.join(", ")}`, step, terms)
    const some = prepared(sql).get(...values) as Record<string, number>
    for (const name of query.sums) sums[name] = (sums[name] ?? 0) + (some[name] ?? 0)
  }
  return sums
}

/** Returns the positions of the matching records of a slice, after the start of the page. */
function positionsIn(deps: Deps, walk: Walk, step: Step, sorting = ""): Position[] {
  const { request, sort, ahead } = walk
  const terms = [...request.selection.where, ...ahead, ...searchTerms(deps, walk, step)]
  const { sql, values } = overStep(`SELECT ${sort} AS value, id`, step, terms, sorting)
  return deps.prepared(sql).all(...values) as Position[]
}

const searchTerms = ({ resource, prepared }: Deps, { request, finds }: Walk, step: Step): Term[] =>
  finds === null ? matchWithin(resource.table, request.selection.match, step, prepared) : []

/** Returns the slices of the scan that reads the fewest records. */
const everyStep = (deps: Deps, walk: Walk): AsyncIterable<Step> =>
  walk.finds === null
    ? stepsOf(deps, walk, walk.narrowest, "asc", null)
    : stepsThrough(deps.resource.table, walk.finds, walk.signal)

const stepsOf = (
  { resource, prepared }: Deps,
  { longTexts, signal }: Walk,
  along: Along | null,
  order: "asc" | "desc",
  start: Position | null,
): AsyncIterable<Step> =>
  stepsAlong(
    { table: resource.table, column: along?.column ?? null, order, within: along?.within ?? [], start },
    { prepared, longTexts, signal },
  )

function tooExpensive({ plan, resource }: Deps, selection: Selection): Refusal {
  const names = plan.names()
  const advice = names.length > 0 ? ` Filter by ${names.join(", ")}, or follow meta.nextCursor.` : ""
  return new Refusal(
    "QUERY_TOO_EXPENSIVE",
    `This query would have to scan too many ${resource.noun} records.${advice}`,
    {
      params: { kind: resource.name, fields: names },
      details: [
        fieldError(plan.unindexedPart(selection), "RULE", "has no index, and there are too many records", {
          rule: "NO_INDEX",
        }),
      ],
    },
  )
}
