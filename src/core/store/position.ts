import type { Position } from "./cursor"
import type { Term } from "./filter"
import type { Prepared } from "../engine/statements"

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
