import { steadyMillis } from "../lib/clock"
import { nextStep } from "../lib/turns"
import type { ListQuery } from "./list"
import type { Term } from "./filter"
import type { Prepared } from "./statements"
import { rowRange, type Step } from "./walk"

/** Up to this number of hits, a list scans only the hits. */
const fewFinds = 2_000
const firstSliceSize = 5_000
/**
 * In milliseconds. A slice that took less than the first value is followed by a slice of twice the size, one that took
 * more than the second value by a slice of half the size.
 */
const pace = [2, 6] as const

type Match = ListQuery["match"]

/** The search condition for a whole table, if the table is small. */
export function matchTerm(table: string, match: Match): Term[] {
  if (match === undefined) return []
  if (match === null) return [{ sql: "0", values: [] }]
  const sql = `seq IN (SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH ?)`
  return [{ sql, values: [matchOf(match)] }]
}

/** The search condition for the rows of one slice. */
export function matchWithin(table: string, match: Match, step: Step, prepared: Prepared): Term[] {
  if (match === undefined || match === null) return matchTerm(table, match)
  const { low, high } = prepared(`SELECT min(step_seq) AS low, max(step_seq) AS high FROM ${step.rows}`).get(
    ...step.values,
  ) as { low: number | null; high: number | null }
  const sql = `seq IN (SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH ? AND rowid BETWEEN ? AND ?)`
  return [{ sql, values: [matchOf(match), low ?? 0, high ?? -1] }]
}

/**
 * Returns the rows that a search finds if they are few, or null if they are many. A search may scan every row and find
 * none, so it scans one slice of rows at a time.
 */
export async function fewFindsOf(
  table: string,
  match: string,
  prepared: Prepared,
  signal: AbortSignal | null,
): Promise<number[] | null> {
  const { low, high } = rowRange(table, prepared)
  const sql = `SELECT rowid AS seq FROM ${table}_search WHERE ${table}_search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${fewFinds + 1}`
  const finds: number[] = []
  let size = firstSliceSize
  for (let from = low; from <= high;) {
    await nextStep(signal)
    const began = steadyMillis()
    const rows = prepared(sql).all(matchOf(match), from, from + size - 1) as { seq: number }[]
    finds.push(...rows.map(({ seq }) => seq))
    if (finds.length > fewFinds) return null
    from += size
    const took = steadyMillis() - began
    if (took < pace[0]) size *= 2
    else if (took > pace[1]) size = Math.max(100, Math.floor(size / 2))
  }
  return finds
}

const matchOf = (match: string): string => `words : (${match})`
