import type { Database } from "../../engine/engine"
import type { Matching } from "../../engine/engine"
import type { ListQuery } from "../list"
import type { Term } from "../filter"
import type { FindPairs } from "../plan"
import { readOne, type Reader } from "./reader"
import { rangeOf, type RowRange } from "./page"
import { nextSize, type Step } from "./walk"
import { limited } from "../../engine/sql"

/** Up to this number of hits, a list scans only the hits. */
const fewFinds = 2_000
const firstSliceSize = 5_000

type Match = ListQuery["match"]

/** The search condition for a whole table, if the table is small. */
export function matchTerm(matching: Matching, table: string, match: Match): Term[] {
  if (match === undefined) return []
  if (match === null) return [{ sql: "false", values: [] }]
  const { sql, values } = matching.rows(`${table}_search`, matchOf(match))
  return [{ sql: `seq IN (${sql})`, values }]
}

/** The conditions in the form that takes the engine the least time. */
export const conditionsFor = ({ hasWords }: Matching, terms: readonly Term[]): Term[] =>
  terms.map((term) =>
    hasWords && term.searched ? { ...term, ...hasWords(term.searched.text, term.searched.words) } : term,
  )

/** The search condition for the rows of one slice. */
export async function matchWithin(
  matching: Matching,
  table: string,
  match: Match,
  step: Step,
  reader: Reader,
): Promise<Term[]> {
  if (match === undefined || match === null) return matchTerm(matching, table, match)
  const sqlOfRange = `SELECT min(step_seq) AS low, max(step_seq) AS high FROM ${step.rows}`
  const range = await readOne<RowRange>(reader, sqlOfRange, step.values)
  const { sql, values } = matching.rows(`${table}_search`, matchOf(match), between)
  return [{ sql: `seq IN (${sql})`, values: [...values, range?.low ?? 0, range?.high ?? -1] }]
}

/**
 * Returns the rows that a search finds if they are few, or null if they are many. A search may scan every row and find
 * none, so it scans one slice of rows at a time.
 */
export async function fewFindsOf(
  matching: Matching,
  table: string,
  match: string,
  reader: Reader,
): Promise<number[] | null> {
  const { low, high } = await rangeOf(table, reader)
  const rest = `${between} LIMIT ${fewFinds + 1}`
  const { sql, values } = matching.rows(`${table}_search`, matchOf(match), rest)
  const finds: number[] = []
  let size = matching.isSliced ? firstSliceSize : high - low + 1
  let before = { size: 0, took: 0 }
  for (let from = low; from <= high;) {
    await reader.next()
    const began = reader.spent()
    const rows = await reader.all<{ rowid: number }>(sql, [...values, from, from + size - 1])
    finds.push(...rows.map(({ rowid }) => rowid))
    if (finds.length > fewFinds) return null
    from += size
    const slice = { size, took: reader.spent() - began }
    size = nextSize(reader.pace, before, slice)
    before = slice
  }
  return finds
}

/** Returns the rows with one of several values of a key that has an index, if they are few; else null. */
export async function fewPairsOf(
  where: readonly Term[],
  findPairs: FindPairs,
  reader: Reader,
): Promise<number[] | null> {
  for (const { pair } of where) {
    const found = pair && pair.words.length > 1 ? findPairs(pair) : null
    if (!found) continue
    const { table, conditions, values } = found
    const sql = `SELECT seq FROM ${table} WHERE ${conditions.join(" AND ")} LIMIT ${fewFinds + 1}`
    const rows = await reader.all<{ seq: number }>(sql, values)
    return rows.length > fewFinds ? null : rows.map(({ seq }) => seq)
  }
  return null
}

const matchOf = (match: string): string => `words : (${match})`

const between = "AND rowid BETWEEN ? AND ?"

/** The newest rows that a search table finds between two rows. Further parameters are both rows and the limit. */
export function newestMatches(db: Database, searchTable: string, match: string) {
  const { rows, isSliced } = db.engine.search
  return { ...rows(searchTable, match, `${between} ORDER BY rowid DESC ${limited}`), isSliced }
}
