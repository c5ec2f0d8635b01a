import type { Fault, PlannedColumn, SheetFormat, SheetRow } from "../model"
import { convert, isEmpty, textOf, type Cell } from "./cells"
import { mostColumns } from "./limits"
import { cut, quoted, SheetError, shown } from "./sheet-error"

/**
 * A row of a file. `row` is its number as a spreadsheet shows it. `notAnObject` is the text of a line of NDJSON that is not
 * a JSON object.
 */
export type SheetRecord = { row: number; cells: readonly Cell[]; notAnObject?: string }

const longestTitle = 200

/** Names that a value must not be set by, because every object has them. */
const inherited: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

/** The letters of a column, as a spreadsheet shows them: A to Z, AA, AB… */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/** The names of the columns: the titles, unique and not empty. */
export function titlesOf(cells: readonly Cell[]): string[] {
  if (cells.length > mostColumns)
    throw new SheetError(
      "TOO_MANY_COLUMNS",
      `The file has more than ${shown(mostColumns)} columns, so it cannot be read.`,
      { params: { max: mostColumns } },
    )
  const used = new Set<string>()
  return cells.map((cell, index) => {
    const title = textOf(cell).trim().slice(0, longestTitle) || columnLetters(index)
    let name = title
    for (let i = 2; used.has(name); i++) name = `${title} (${i})`
    used.add(name)
    return name
  })
}

/** The number of cells up to the last one with content. */
export function widthOf(cells: readonly Cell[]): number {
  let width = cells.length
  while (width > 0 && isEmpty(cells[width - 1])) width--
  return width
}

/** Converts records to rows by a plan: which column is which field. */
export function rowConverter(
  titles: readonly string[],
  plan: readonly PlannedColumn[],
  format: SheetFormat,
): (record: SheetRecord) => SheetRow {
  const columns = plan
    .map((each) => ({ ...each, path: each.field.split(".") }))
    .filter(({ path }) => !path.some((name) => inherited.has(name)))
  return ({ row, cells, notAnObject }) => {
    if (notAnObject !== undefined) return { row, input: {}, faults: [noObject(row, notAnObject)] }
    const input: Record<string, unknown> = {}
    const faults: Fault[] = []
    const width = widthOf(cells)
    if (width > titles.length) faults.push(tooManyCells(row, width, titles.length, format))
    for (const { index, field, type, number, near, path } of columns) {
      const cell = cells[index] ?? null
      if (isEmpty(cell)) continue
      const converted = convert(cell, type, format, number, near)
      if ("value" in converted) setAt(input, path, converted.value)
      else faults.push({ row, column: titles[index] ?? null, field, ...converted.fault })
    }
    return { row, input, faults }
  }
}

const noObject = (row: number, text: string): Fault => ({
  row,
  column: null,
  field: null,
  code: "NOT_AN_OBJECT",
  params: { value: cut(text) },
  message: `The line ${quoted(text)} is not a JSON object.`,
})

const tooManyCells = (
  row: number,
  cells: number,
  titles: number,
  { headingRow }: Pick<SheetFormat, "headingRow">,
): Fault => ({
  row,
  column: null,
  field: null,
  code: "TOO_MANY_CELLS",
  params: { cells, titles },
  message: `The row has ${cells > mostColumns ? `more than ${mostColumns}` : cells} cells, but ${headingRow === 1 ? "the first row" : `row ${headingRow} with the titles`} has ${titles}.`,
})

/** Sets a value in an object that may be inside others: `address.city`. */
function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let object = target
  for (const name of path.slice(0, -1)) {
    const inner = object[name]
    if (isObject(inner)) object = inner
    else {
      const created: Record<string, unknown> = {}
      object[name] = created
      object = created
    }
  }
  object[path.at(-1) ?? ""] = value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
