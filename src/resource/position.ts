import type { Database } from "bun:sqlite"
import { changeToken } from "../db/change-token"
import type { Position } from "./cursor"
import type { Term } from "./filter"
import type { Prepared } from "./statements"
import { valuesOf, whereOf } from "./walk"

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

const mostTotals = 1_000

/** A cache of the number of records of each list. It is cleared when the database changes. */
export function knownTotals(db: Database) {
  let token = ""
  const known = new Map<string, number>()
  return {
    of(where: readonly Term[]) {
      const current = changeToken(db)
      if (token !== current || known.size >= mostTotals) known.clear()
      token = current
      const key = JSON.stringify([whereOf(where), valuesOf(where)])
      return {
        total: known.get(key),
        keep(total: number): number {
          // A total is not cached if there was a write while it was counted in slices: it may or may not include the
          // write.
          if (changeToken(db) === current) known.set(key, total)
          return total
        },
      }
    },
  }
}

export type Totals = ReturnType<typeof knownTotals>
