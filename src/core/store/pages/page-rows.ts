import { nextStep } from "../../lib/turns"
import { columnOf, type Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import type { Term } from "../filter"
import type { Prepared } from "../../engine/sql"
import type { Row } from "../table-shape"
import { valuesOf } from "./walk"

export type RowDeps = {
  prepared: Prepared
  /** Returns `SELECT` and all columns, in this money context. */
  selectOf: (moneyContext: MoneyContext) => string
  /** Converts a row to the form of a response, in place. */
  convert: (row: Row, moneyContext: MoneyContext) => Row
}

/** The maximum number of rows, and of bytes in large fields, that one query reads. */
const rowsAtOnce = 100
const bytesAtOnce = 512 * 1024

/** Reads the records of a page by their ids. */
export function pageRows({ table, bulky }: Resource, { prepared, selectOf, convert }: RowDeps) {
  const columns = bulky?.fields.map((field) => `coalesce(octet_length(${columnOf(field)}), 0)`) ?? []

  /** Returns the size of the large fields of each record. SQLite finds it without reading them. */
  const sizesOf = (ids: readonly string[]): ReadonlyMap<string, number> => {
    if (columns.length === 0) return new Map()
    const rows = prepared(
      `SELECT id, ${columns.join(" + ")} AS bytes FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    ).all(JSON.stringify(ids)) as { id: string; bytes: number }[]
    return new Map(rows.map(({ id, bytes }) => [id, bytes]))
  }

  /** Returns the records in the order of the ids, without those that were deleted or no longer match. */
  const read = (ids: readonly string[], where: readonly Term[], moneyContext: MoneyContext): Row[] => {
    const conditions = ["id IN (SELECT value FROM json_each(?))", ...where.map((term) => term.sql)]
    const found = prepared(`${selectOf(moneyContext)} FROM ${table} WHERE ${conditions.join(" AND ")}`).all(
      JSON.stringify(ids),
      ...valuesOf(where),
    ) as Row[]
    const byId = new Map(found.map((row) => [String(row.id), row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? [convert(row, moneyContext)] : []
    })
  }

  return {
    /** Splits unique ids into groups that are read with one query each. */
    groupsOf: (ids: readonly string[]): string[][] => groupsBySize(ids, sizesOf(ids)),

    read,

    /** Reads and converts the records group by group, without those that no longer match. */
    async readInSteps(
      groups: readonly string[][],
      where: readonly Term[],
      moneyContext: MoneyContext,
      signal: AbortSignal | null,
    ): Promise<Row[]> {
      const rows: Row[] = []
      for (const group of groups) {
        await nextStep(signal)
        rows.push(...read(group, where, moneyContext))
      }
      return rows
    },
  }
}

export type PageRows = ReturnType<typeof pageRows>

function groupsBySize(ids: readonly string[], sizes: ReadonlyMap<string, number>): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const id of ids) {
    const bytes = sizes.get(id) ?? 0
    const isFull = (groups.at(-1)?.length ?? rowsAtOnce) >= rowsAtOnce
    if (isFull || bytes > room) {
      groups.push([])
      room = bytesAtOnce
    }
    groups.at(-1)?.push(id)
    room -= bytes
  }
  return groups
}
