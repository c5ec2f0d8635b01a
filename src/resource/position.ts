import type { Database } from "bun:sqlite"
import { changeToken } from "../db/changes"
import type { Position } from "./cursor"
import type { Term } from "./filter"
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

const mostTotals = 1_000

/** How many records there are of each list, as long as nothing in the file has changed. */
export function knownTotals(db: Database) {
  let mark = ""
  const known = new Map<string, number>()
  return {
    of(where: readonly Term[]) {
      const now = changeToken(db)
      if (mark !== now || known.size >= mostTotals) known.clear()
      mark = now
      const key = JSON.stringify([whereOf(where), valuesOf(where)])
      return {
        total: known.get(key),
        keep(total: number): number {
          // What was written while it was counted in steps may be in it or not.
          if (changeToken(db) === now) known.set(key, total)
          return total
        },
      }
    },
  }
}

export type Totals = ReturnType<typeof knownTotals>
