import { nextStep } from "../lib/turns"
import { columnOf, type Resource } from "./define"
import type { Basis } from "./field"
import type { Term } from "./filter"
import { valuesOf, type Prepared } from "./walk"

/** A row as SQLite has it, under the names of the fields. */
export type Row = Record<string, unknown>

export type RowTools = {
  prepared: Prepared
  /** `SELECT` and every column as it is read with this basis. */
  selectOf: (now: Basis) => string
  /** Brings a row into the form in which it is answered, in place. */
  convert: (row: Row, now: Basis) => Row
}

/** As many rows are read at once. */
export const rowsAtOnce = 25
/** Bulky records are read so many bytes at a time. */
const bytesAtOnce = 1024 * 1024

/** Reads the records of a page that are known by their ids. */
export function pageRows({ table, bulky }: Resource, { prepared, selectOf, convert }: RowTools) {
  const groupsOf = (ids: readonly string[]): readonly string[][] =>
    bulky ? byWeight(ids, weightsOf(ids, bulky)) : inChunks(ids, rowsAtOnce)

  const weightsOf = (ids: readonly string[], field: string): Map<string, number> => {
    const rows = prepared(
      `SELECT id, octet_length(${columnOf(field)}) AS bytes FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    ).all(JSON.stringify(ids)) as { id: string; bytes: number }[]
    return new Map(rows.map(({ id, bytes }) => [id, bytes]))
  }

  /** In the order of the ids; of what is gone or does not fit any more there is nothing. */
  const read = (ids: readonly string[], where: readonly Term[], now: Basis): Row[] => {
    const conditions = ["id IN (SELECT value FROM json_each(?))", ...where.map((term) => term.sql)]
    const found = prepared(`${selectOf(now)} FROM ${table} WHERE ${conditions.join(" AND ")}`).all(
      JSON.stringify(ids),
      ...valuesOf(where),
    ) as Row[]
    const byId = new Map(found.map((row) => [String(row.id), row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? [convert(row, now)] : []
    })
  }

  /** The records with these ids, each named once, that still fit: read and converted a few at a time. */
  return async (
    ids: readonly string[],
    where: readonly Term[],
    now: Basis,
    signal: AbortSignal | null,
  ): Promise<Row[]> => {
    const rows: Row[] = []
    for (const some of groupsOf(ids)) {
      await nextStep(signal)
      rows.push(...read(some, where, now))
    }
    return rows
  }
}

/** Ids in groups that are read at once, by how large the records are. */
function byWeight(ids: readonly string[], weights: ReadonlyMap<string, number>): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const id of ids) {
    const bytes = weights.get(id) ?? 0
    if (groups.length === 0 || bytes > room) {
      groups.push([])
      room = bytesAtOnce
    }
    groups.at(-1)?.push(id)
    room -= bytes
  }
  return groups
}

function inChunks<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size))
  return chunks
}
