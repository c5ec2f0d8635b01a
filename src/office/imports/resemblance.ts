import type { SheetRow } from "../sheets/model"
import type { ImportKind } from "./kind"
import type { JobFault } from "../jobs/model"
import { columnOf } from "./faults"
import type { MappedColumn } from "./model"

type Row = Pick<SheetRow, "row" | "input">

/**
 * Returns a function that warns of rows that may be records which exist, or other rows of the file. It remembers the rows
 * that it was given, as hashes of what is compared of them.
 */
export function resemblance({
  resembling,
}: Pick<ImportKind, "resembling">): (rows: readonly Row[], columns: readonly MappedColumn[]) => JobFault[] {
  if (!resembling) return () => []
  const firstRows = new Map<bigint | number, number>()
  return (rows, columns) =>
    rows.flatMap(({ row, input }): JobFault[] => {
      const compared = resembling.comparedOf(input)
      const same = compared.flatMap(([field, value]) => {
        const key = Bun.hash(`${field}:${value}`)
        const first = firstRows.get(key)
        if (first === undefined) firstRows.set(key, row)
        return first === undefined ? [] : [{ field, first }]
      })
      const found = compared.length > 0 ? resembling.find(input) : null
      if (found) {
        const { id: existing, name, number, fields } = found
        return [warning(row, { fields, existing, number, name }, `${number} (${name})`, columns)]
      }
      const [other] = same
      if (!other) return []
      const fields = same.filter(({ first }) => first === other.first).map(({ field }) => field)
      return [warning(row, { fields, row: other.first }, `row ${other.first}`, columns)]
    })
}

/** What a row has in common with a record that exists, or with another row of the file. */
export type Resembled = {
  fields: readonly string[]
  existing?: string
  number?: string
  name?: string
  row?: number
}

function warning(row: number, params: Resembled, other: string, columns: readonly MappedColumn[]): JobFault {
  const [field = ""] = params.fields
  const message = `This may be the same as ${other}: ${params.fields.join(", ")}.`
  return {
    row,
    column: columnOf(field, columns),
    field,
    code: "POSSIBLE_DUPLICATE",
    params: { ...params },
    message,
  }
}
