import type { Position } from "../cursor"
import type { MoneyContext } from "../../kind/field"
import type { ListQuery } from "../list"
import type { Selection } from "../plan"
import type { Row } from "../table-shape"
import type { Term } from "../filter"
import type { Prepared } from "../../engine/sql"
import { type Reader, readOne } from "./reader"

/** A page to find. `start` is the position after which it begins, if there is a cursor. */
export type PageRequest = {
  selection: Selection
  query: ListQuery
  start: Position | undefined
  moneyContext: MoneyContext
}

/** The rows of a page, and the position after which the list continues, if it does. */
export type FoundPage = { rows: Row[]; last: Position | null; total: number | null }

/** The number of records before a page; 0 when there is a cursor. */
export const skippedBy = ({ start, query }: PageRequest): number =>
  start ? 0 : (query.page - 1) * query.perPage

/** Returns the order of a list, for ORDER BY. Null sorts lowest, in PostgreSQL too. */
export function sorting(sort: string, nullable: boolean, order: "asc" | "desc"): string {
  const nulls = nullable ? ` NULLS ${order === "asc" ? "FIRST" : "LAST"}` : ""
  return `${sort} ${order}${nulls}, id ${order}`
}

/** Returns the condition for the records after a position. Null sorts lowest; records with equal values sort by id. */
export function after(sort: string, nullable: boolean, order: "asc" | "desc", { value, id }: Position): Term {
  if (value === null)
    return order === "desc"
      ? { sql: `(${sort} IS NULL AND id < ?)`, values: [id] }
      : { sql: `(${sort} IS NOT NULL OR id > ?)`, values: [id] }
  const next = `(${sort}, id) ${order === "desc" ? "<" : ">"} (?, ?)`
  return { sql: nullable && order === "desc" ? `(${next} OR ${sort} IS NULL)` : next, values: [value, id] }
}

/** Returns the position of a record in a list sorted by `sort`, or null when the record was deleted. */
export const positionOf = (prepared: Prepared, table: string, sort: string, id: string): Position | null =>
  prepared(`SELECT ${sort} AS value, id FROM ${table} WHERE id = ?`).get(id) as Position | null

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
