import { unescapeXlsx } from "../../../shared/sheet-escape"
import type { Cell } from "./cells"
import { dateOfSerial } from "./dates"
import { longestXlsxCell, mostColumns } from "./limits"
import type { SheetRecord } from "./records"
import { textStore, type TextStore } from "./text-store"
import { sharedStrings } from "./xlsx-strings"
import { dateStyles } from "./xlsx-styles"
import { openWorkbook } from "./xlsx-workbook"
import { xmlScanner, type Attributes } from "./xml"
import { openZip } from "./zip"

/** What the values of cells refer to. */
type Context = { strings: TextStore; isDate: readonly boolean[]; from1904: boolean }

type RawCell = { type: string; style: number; value: string; inline: string; hasFormula: boolean }

/** Reads the rows of the first visible sheet of an XLSX file one after the other. */
export async function* xlsxRecords(bytes: Buffer): AsyncGenerator<SheetRecord> {
  const { sheet, strings, styles, from1904 } = await openWorkbook(await openZip(bytes))
  const context: Context = {
    strings: strings ? await sharedStrings(strings()) : textStore(),
    isDate: styles ? await dateStyles(styles()) : [],
    from1904,
  }
  const records: SheetRecord[] = []
  const scan = sheetScanner(context, records)
  for await (const text of sheet()) {
    scan(text)
    yield* records.splice(0)
  }
}

/** Adds each complete row to `records`. */
function sheetScanner(context: Context, records: SheetRecord[]): (part: string) => void {
  let [row, column] = [0, 0]
  let cells: Cell[] = []
  let cell: RawCell | null = null
  let into: "value" | "inline" | null = null
  let isReading = false
  return xmlScanner({
    open(name, attributes) {
      if (name === "row") {
        row = Math.max(row + 1, Number(attributes["r"] ?? 0) || 0)
        ;[cells, column] = [[], 0]
      } else if (name === "c") {
        column = columnOf(attributes["r"]) ?? column
        cell = rawCell(attributes)
      } else if (name === "f") {
        if (cell) cell.hasFormula = true
      } else if (name === "v") into = "value"
      else if (name === "rPh") isReading = true
      else if (name === "t" && !isReading) into = "inline"
    },
    close(name) {
      if (name === "v" || name === "t") into = null
      else if (name === "rPh") isReading = false
      else if (name === "c" && cell) {
        setCell(cells, column++, valueOf(cell, context))
        cell = null
      } else if (name === "row") records.push({ row, cells })
    },
    text(text) {
      if (cell && into && cell[into].length <= longestXlsxCell) cell[into] += text
    },
  })
}

const rawCell = (attributes: Attributes): RawCell => ({
  type: attributes["t"] ?? "n",
  style: Number(attributes["s"] ?? -1),
  value: "",
  inline: "",
  hasFormula: false,
})

/** Cells in columns that are too far right count, but there is only place for one of them. */
function setCell(cells: Cell[], column: number, value: Cell): void {
  if (value === null) return
  const index = Math.min(column, mostColumns)
  while (cells.length < index) cells.push(null)
  cells[index] = value
}

/** The index of the column of a cell such as `AB12`. */
function columnOf(cell: string | undefined): number | null {
  const letters = cell && /^[A-Z]{1,3}/.exec(cell)?.[0]
  if (!letters) return null
  let column = 0
  for (let i = 0; i < letters.length; i++) column = column * 26 + letters.charCodeAt(i) - 64
  return column - 1
}

function valueOf({ type, style, value, inline, hasFormula }: RawCell, context: Context): Cell {
  if (hasFormula && value === "" && type !== "str")
    return {
      error: "The cell has a formula without a value: save the file once in your spreadsheet program.",
    }
  if (type === "inlineStr") return unescapeXlsx(inline) || null
  if (value === "") return null
  if (type === "s") return context.strings.get(Number(value)) || null
  if (type === "str") return unescapeXlsx(value)
  if (type === "b") return value === "1" || value === "true"
  if (type === "e") return { error: `The cell has the error ${value} of a formula.` }
  if (type === "d") return { date: value.slice(0, 10) }
  return numberOf(value, context.isDate[style] ?? false, context.from1904)
}

/** Excel computes with 15 digits. What is stored beyond them is not shown, and not meant. */
function numberOf(text: string, isDate: boolean, from1904: boolean): Cell {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const date = isDate ? dateOfSerial(value, from1904) : null
  if (date !== null) return { date }
  return text.length > 15 ? Number(value.toPrecision(15)) : value
}
