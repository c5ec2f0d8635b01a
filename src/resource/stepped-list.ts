import { Refusal } from "../lib/refusal"
import { nextStep } from "../lib/turns"
import type { Position } from "./cursor"
import { columnOf, type Resource } from "./define"
import type { MoneyContext, Field } from "./field"
import { sortSourceOf, sourceOf, type Term } from "./filter"
import { fewFindsOf, matchTerm, matchWithin } from "./finds"
import type { ListQuery } from "./list"
import { firstOf } from "./order"
import type { PageRows, Row } from "./page-rows"
import { after, type Totals } from "./position"
import type { Along, Asked, Planner } from "./plan"
import { overStep, stepsAlong, stepsThrough, TooMuch, type Path, type Prepared, type Step } from "./walk"

/** The most records that a page may skip in a list that every request must sort. */
const mostSkipped = 100_000

type Tools = {
  plan: Planner
  prepared: Prepared
  totals: Totals
  pages: PageRows
}
type Wanted = { asked: Asked; query: ListQuery; start: Position | undefined; now: MoneyContext }

/** What a page holds, and after which record the list goes on, if it does. */
export type Found = { rows: Row[]; last: Position | null; total: number | null }

/** Finds pages that take looking through records: in steps, along the index that helps most. */
export function steppedList(resource: Resource, { plan, prepared, totals, pages }: Tools) {
  const { table } = resource

  const find = async ({ asked, query, start, now }: Wanted, signal: AbortSignal | null): Promise<Found> => {
    await nextStep(signal)
    const sortField = resource.fields[query.sort] as Field
    // Codes are compared in lower case here, and not by a collation.
    const sort = sortField.isAscii
      ? `lower(${sourceOf(query.sort, sortField, now)})`
      : sortSourceOf(query.sort, sortField, now)
    const from = start && sortField.isAscii ? withoutCase(start) : start
    const ahead: Term[] = from ? [after(sort, sortField.nullable, query.order, from)] : []
    const skipped = from ? 0 : (query.page - 1) * query.perPage
    const { match } = asked
    const finds = typeof match === "string" ? await fewFindsOf(table, match, prepared, signal) : null
    const longTexts = plan.longTexts(asked)

    const searched = (step: Step): Term[] => (finds === null ? matchWithin(table, match, step, prepared) : [])
    const select = (step: Step, sorting = ""): Position[] => {
      const terms = [...asked.where, ...ahead, ...searched(step)]
      const { sql, values } = overStep(`SELECT ${sort} AS value, id`, step, terms, sorting)
      return prepared(sql).all(...values) as Position[]
    }
    const stepsOf = (along: Along | null, order: "asc" | "desc", begin: Position | null) => {
      const path: Path = {
        table,
        column: along?.column ?? null,
        order,
        within: along?.within ?? [],
        start: begin,
      }
      return stepsAlong(path, { prepared, longTexts, signal })
    }
    const narrowest = plan.narrowest(asked, now)
    /** A record that is moved on along the index meanwhile, as when its date is changed, is met again. */
    const mayMeetAgain = narrowest !== null && narrowest.column !== columnOf("createdAt")
    /** Every step of the way that leaves the least to look through. */
    const everyStep = (): AsyncIterable<Step> =>
      finds === null ? stepsOf(narrowest, "asc", null) : stepsThrough(table, finds, signal)

    const count = async (): Promise<number> => {
      const { total, keep } = totals.of([...asked.where, ...matchTerm(table, match)])
      if (total !== undefined) return total
      let n = 0
      for await (const step of everyStep()) {
        const { sql, values } = overStep("SELECT count(*) AS n", step, [...asked.where, ...searched(step)])
        n += (prepared(sql).get(...values) as { n: number }).n
      }
      return keep(n)
    }

    /** Along the index that the list is sorted by, as far as the page goes. */
    const inOrder = async (along: Along): Promise<Position[]> => {
      const met = new Set<string>()
      const found: Position[] = []
      let left = skipped
      const sorting = `ORDER BY ${sort} ${query.order}, id ${query.order}`
      for await (const step of stepsOf(along, query.order, from ?? null)) {
        for (const position of select(step, sorting)) {
          if (left > 0) left--
          else if (!met.has(position.id)) {
            met.add(position.id)
            found.push(position)
          }
        }
        if (found.length > query.perPage) break
      }
      return found
    }
    /** Through everything, keeping what comes first. */
    const sorted = async (): Promise<{ positions: Position[]; seen: number }> => {
      const most = skipped + query.perPage + 1
      const first = firstOf(most, query.order)
      const met = new Set<string>()
      let seen = 0
      for await (const step of everyStep()) {
        const some = select(step).filter(({ id }) => !met.has(id))
        if (mayMeetAgain) for (const { id } of some) met.add(id)
        seen += some.length
        first.add(some)
      }
      return { positions: first.all().slice(skipped), seen }
    }

    const along = finds === null ? plan.inOrder(asked, now) : null
    if (!along && skipped > mostSkipped) throw new TooMuch()
    const { positions, seen } = along ? { positions: await inOrder(along), seen: null } : await sorted()
    const page = positions.slice(0, query.perPage)
    const groups = pages.groupsOf(page.map(({ id }) => id))
    return {
      rows: await pages.readInSteps(groups, asked.where, now, signal),
      last: positions.length > query.perPage ? (page.at(-1) ?? null) : null,
      total: from ? null : (seen ?? (await count())),
    }
  }

  const tooExpensive = (asked: Asked): Refusal => {
    const names = plan.names()
    const advice = names.length > 0 ? ` Narrow it by ${names.join(", ")}, or follow meta.nextCursor.` : ""
    return new Refusal(
      "QUERY_TOO_EXPENSIVE",
      `There are too many records to look through for this list of ${resource.noun} records.${advice}`,
      { details: [{ field: plan.culprit(asked), message: "has no index, and there are too many records" }] },
    )
  }

  return (wanted: Wanted, signal: AbortSignal | null): Promise<Found> =>
    find(wanted, signal).catch((error: unknown) => {
      throw error instanceof TooMuch ? tooExpensive(wanted.asked) : error
    })
}

const withoutCase = ({ value, id }: Position): Position => ({
  value: typeof value === "string" ? value.toLowerCase() : value,
  id,
})
