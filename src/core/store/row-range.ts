import { readOne, type Reader } from "./reader"
import type { Prepared } from "../engine/statements"

/** The first and last row number of a table; null when it has no rows. */
export type RowRange = { low: number | null; high: number | null }

/** Finds the first and last row number of a table. `SELECT min(seq), max(seq)` would read the whole table. */
const rangeQuery = (table: string): string =>
  `SELECT (SELECT min(seq) FROM ${table}) AS low, (SELECT max(seq) FROM ${table}) AS high`

/** Returns the first and last row number of a table. The last one is lower than the first when it has no rows. */
export async function rangeOf(table: string, reader: Reader): Promise<{ low: number; high: number }> {
  const range = await readOne<RowRange>(reader, rangeQuery(table), [])
  return { low: range?.low ?? 0, high: range?.high ?? -1 }
}

/** Returns the number of rows that a table has at most. Numbers of deleted rows count too. */
export function mostRowsIn(table: string, prepared: Prepared): number {
  const { low, high } = prepared(rangeQuery(table)).get() as RowRange
  return low === null || high === null ? 0 : high - low + 1
}
