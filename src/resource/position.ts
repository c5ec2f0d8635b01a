import type { Database } from "bun:sqlite"
import { changeToken } from "../db/change-token"
import type { Position } from "./cursor"
import type { Term } from "./filter"
import type { Prepared } from "./statements"
import { valuesOf, whereOf } from "./walk"

/** The records after a position in sort order, where null sorts lowest and the id breaks ties. */
export function after(sort: string, nullable: boolean, order: "asc" | "desc", { value, id }: Position): Term {
  if (value === null)
    return order === "desc"
      ? { sql: `(${sort} IS NULL AND id < ?)`, values: [id] }
      : { sql: `(${sort} IS NOT NULL OR id > ?)`, values: [id] }
  const next = `(${sort}, id) ${order === "desc" ? "<" : ">"} (?, ?)`
  return { sql: nullable && order === "desc" ? `(${next} OR ${sort} IS NULL)` : next, values: [value, id] }
}

/** Where a record stands in a list that is sorted by `sort`; null when the record is gone. */
export const positionOf = (prepared: Prepared, table: string, sort: string, id: string): Position | null =>
  prepared(`SELECT ${sort} AS value, id FROM ${table} WHERE id = ?`).get(id) as Position | null

const mostTotals = 1_000

/** How many records each list has. The totals are kept until something in the file changes. */
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
          // A write between the steps of a count may be in the total or not, so such a total is not kept.
          if (changeToken(db) === current) known.set(key, total)
          return total
        },
      }
    },
  }
}

export type Totals = ReturnType<typeof knownTotals>
