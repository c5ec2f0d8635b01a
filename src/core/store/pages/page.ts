import type { Position } from "../cursor"
import type { Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import type { ListQuery, SortKey } from "../list"
import type { Selection } from "../plan"
import type { Row } from "../table-shape"
import { listedField } from "../listed-fields"
import { sortSourceOf, type Term } from "../filter"
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

/** A column or expression that a list is sorted by. */
export type SortColumn = { sql: string; isNullable: boolean; order: "asc" | "desc" }

/** Returns what a list is sorted by: one column, or two. */
export const sortColumns = (
  resource: Resource,
  sort: readonly SortKey[],
  moneyContext: MoneyContext,
): SortColumn[] =>
  sort.map(({ field: name, order }) => {
    const field = listedField(resource, name)
    return { sql: sortSourceOf(name, field, moneyContext), isNullable: field.nullable, order }
  })

/** Selects the position of a record. */
export const positionSelect = ([first, second]: readonly SortColumn[]): string =>
  `SELECT ${first?.sql} AS value, ${second ? `${second.sql} AS second, ` : ""}id`

/** Returns the order of a list, for ORDER BY. Null sorts lowest, in PostgreSQL too. */
export function sorting(columns: readonly SortColumn[]): string {
  const sorted = columns.map(
    ({ sql, isNullable, order }) =>
      `${sql} ${order}${isNullable ? ` NULLS ${order === "asc" ? "FIRST" : "LAST"}` : ""}`,
  )
  return `${sorted.join(", ")}, id ${columns.at(-1)?.order}`
}

/** Returns the condition for the records after a position. Null sorts lowest; records with equal values sort by id. */
export function after([first, second]: readonly SortColumn[], position: Position): Term {
  if (!first) throw new Error("A list has no order.")
  if (!second) return afterOne(first, position)
  const { value, second: next = null, id } = position
  const beyond = beyondOf(first, value)
  const equal = value === null ? `${first.sql} IS NULL` : `${first.sql} = ?`
  const behind = afterOne(second, { value: next, id })
  return {
    sql: `(${beyond.sql} OR (${equal} AND ${behind.sql}))`,
    values: [...beyond.values, ...(value === null ? [] : [value]), ...behind.values],
  }
}

function afterOne({ sql, isNullable, order }: SortColumn, { value, id }: Position): Term {
  if (value === null)
    return order === "desc"
      ? { sql: `(${sql} IS NULL AND id < ?)`, values: [id] }
      : { sql: `(${sql} IS NOT NULL OR id > ?)`, values: [id] }
  const next = `(${sql}, id) ${order === "desc" ? "<" : ">"} (?, ?)`
  return { sql: isNullable && order === "desc" ? `(${next} OR ${sql} IS NULL)` : next, values: [value, id] }
}

/** The condition for the records with a later value. */
function beyondOf({ sql, isNullable, order }: SortColumn, value: Position["value"]): Term {
  if (value === null) return { sql: order === "desc" ? "false" : `${sql} IS NOT NULL`, values: [] }
  const next = `${sql} ${order === "desc" ? "<" : ">"} ?`
  return { sql: isNullable && order === "desc" ? `(${next} OR ${sql} IS NULL)` : next, values: [value] }
}

/** Returns the position of a record in a list, or null when the record was deleted. */
export const positionOf = (
  prepared: Prepared,
  table: string,
  columns: readonly SortColumn[],
  id: string,
): Position | null =>
  prepared(`${positionSelect(columns)} FROM ${table} WHERE id = ?`).get(id) as Position | null

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
