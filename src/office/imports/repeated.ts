import type { JobFault } from "../jobs/model"
import type { Pace } from "../jobs/pace"
import type { SheetRow } from "../sheets/model"
import { columnOf } from "./faults"
import type { ImportKind } from "./kind"
import type { MappedColumn } from "./model"

/** The first two rows of each key that a file has more than once. */
export type RepeatedRows = Map<string, { first: number; second: number }>

type Keyed = Pick<ImportKind, "keys" | "recordOf">

/**
 * Reads a whole file and returns the keys that it has more than once. The check needs them from its first row on: which
 * of several rows with the same key is right, nobody knows, so all of them are faults.
 */
export async function findRepeated(
  batches: AsyncIterable<readonly SheetRow[]>,
  kind: Keyed,
  pace: Pace,
): Promise<RepeatedRows> {
  const firstRows = new Map<string, number>()
  const repeated: RepeatedRows = new Map()
  for await (const rows of batches)
    await pace(rows, async (some) => {
      for (const { row, input } of some)
        for (const { key } of keysIn(input, kind)) {
          const first = firstRows.get(key)
          if (first === undefined) firstRows.set(key, row)
          else if (!repeated.has(key)) repeated.set(key, { first, second: row })
        }
    })
  return repeated
}

/** Returns the faults of a row whose keys other rows have too. */
export function repeatedKeys(
  { row, input }: Pick<SheetRow, "row" | "input">,
  repeated: RepeatedRows,
  kind: Keyed,
  columns: readonly MappedColumn[],
): JobFault[] {
  return keysIn(input, kind).flatMap(({ name, value, key }) => {
    const rows = repeated.get(key)
    if (!rows) return []
    const other = row === rows.first ? rows.second : rows.first
    return {
      row,
      column: columnOf(name, columns),
      field: name,
      code: "IN_FILE_TWICE",
      params: { value, row: other },
      message: `${name} ${JSON.stringify(value)} is in row ${other} too.`,
    }
  })
}

type Key = { name: string; value: string; key: string }

/** Returns the keys of a row. Where a kind finds records in several ways, the record itself is the only key. */
function keysIn(input: SheetRow["input"], { keys, recordOf }: Keyed): Key[] {
  const given = keys.flatMap(({ name, form }) => {
    const text = input[name]
    if (typeof text !== "string") return []
    const value = text.trim()
    return { name, value: value.slice(0, 64), key: `${name}:${form(value)}` }
  })
  const record = recordOf?.(input) ?? null
  return record === null ? given : given.slice(0, 1).map((first) => ({ ...first, key: record }))
}
