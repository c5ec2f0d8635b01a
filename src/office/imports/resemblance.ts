import type { SheetRow } from "../sheets/model"
import type { ImportKind } from "./kind"
import { type ImportState, type ImportWarning, mostWarnings } from "./model"

type Row = Pick<SheetRow, "row" | "input">

/**
 * Returns a function that warns of rows that may be records which exist, or other rows of the file. It remembers the rows
 * that it was given, as hashes of what is compared of them.
 */
export function resemblance({
  resembling,
}: Pick<ImportKind, "resembling">): (rows: readonly Row[]) => ImportWarning[] {
  if (!resembling) return () => []
  const firstRows = new Map<bigint | number, number>()
  return (rows) =>
    rows.flatMap(({ row, input }): ImportWarning[] => {
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
        return [warning(row, { fields: [...fields], existing, number, name }, `${number} (${name})`)]
      }
      const [other] = same
      if (!other) return []
      const fields = same.filter(({ first }) => first === other.first).map(({ field }) => field)
      return [warning(row, { fields, row: other.first }, `row ${other.first}`)]
    })
}

const warning = (row: number, params: ImportWarning["params"], other: string): ImportWarning => ({
  row,
  field: params.fields[0] ?? "",
  code: "POSSIBLE_DUPLICATE",
  message: `This may be the same as ${other}: ${params.fields.join(", ")}.`,
  params,
})

/** Adds warnings to the state of an import, which keeps the first ones. */
export const warned = (state: ImportState, more: readonly ImportWarning[]): ImportState =>
  more.length === 0
    ? state
    : {
        ...state,
        warnings: [...(state.warnings ?? []), ...more].slice(0, mostWarnings),
        warningCount: (state.warningCount ?? 0) + more.length,
      }
