import { unescapeXlsx } from "../../../../shared/sheet-escape"
import type { Cell } from "../cells"
import { dateOfSerial } from "../dates"
import { longestCell, longestXlsxCell, mostColumns, mostSharedStrings } from "../limits"
import type { SheetRecord } from "../records"
import { type Attributes, localName, readXml, xmlScanner } from "./xml"
import { openZip, type ZipParts } from "./zip"
import { SheetError } from "../sheet-error"

/** What the values of cells refer to. */
type Context = { strings: TextStore; styles: readonly NumberStyle[]; from1904: boolean }

/** How a style shows a number, if not as it is. */
type NumberStyle = "date" | "percent" | null

type RawCell = { type: string; style: number; value: string; inline: string; hasFormula: boolean }

/** Reads the rows of the first visible sheet of an XLSX file one after the other. */
export async function* xlsxRecords(bytes: Buffer): AsyncGenerator<SheetRecord> {
  const { sheet, strings, styles, from1904 } = await openWorkbook(await openZip(bytes))
  const context: Context = {
    strings: strings ? await sharedStrings(strings()) : textStore(),
    styles: styles ? await numberStyles(styles()) : [],
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
  return numberOf(value, context.styles[style] ?? null, context.from1904)
}

/** Excel computes with 15 digits. What is stored beyond them is not shown, and not meant. */
function numberOf(text: string, style: NumberStyle, from1904: boolean): Cell {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const date = style === "date" ? dateOfSerial(value, from1904) : null
  if (date !== null) return { date }
  const number = text.length > 15 ? Number(value.toPrecision(15)) : value
  return style === "percent" ? { percent: number } : number
}

/** Reads the texts that the cells of a workbook share. */
async function sharedStrings(parts: AsyncIterable<string>): Promise<TextStore> {
  const strings = textStore()
  let [text, isText, isReading]: [string, boolean, boolean] = ["", false, false]
  await readXml(parts, {
    open(name) {
      if (name === "si") text = ""
      else if (name === "rPh") isReading = true
      else if (name === "t") isText = !isReading
    },
    close(name) {
      if (name === "si") {
        if (strings.length === mostSharedStrings) throw tooManyCells()
        // The rest of a text that is too long is not needed, and millions of cells may refer to the same text.
        strings.add(unescapeXlsx(text).slice(0, longestCell + 1))
      } else if (name === "rPh") isReading = false
      else if (name === "t") isText = false
    },
    text(part) {
      if (isText && text.length <= longestXlsxCell) text += part
    },
  })
  return strings
}

const tooManyCells = (): SheetError =>
  new SheetError("TOO_MANY_CELLS", "The file has too many cells. Save the table as CSV and try again.")

const firstSize = 1024 * 1024

/** Keeps many texts in one piece of memory. As strings, short ones take several times as much. */
function textStore() {
  let bytes = Buffer.allocUnsafe(firstSize)
  let ends = new Uint32Array(firstSize / 16)
  let count = 0
  const endOf = (index: number): number => (index < 0 ? 0 : (ends[index] ?? 0))
  return {
    get length(): number {
      return count
    },
    add(text: string): void {
      const start = endOf(count - 1)
      const size = Buffer.byteLength(text)
      if (start + size > bytes.length) bytes = Buffer.concat([bytes], 2 * (start + size))
      if (count === ends.length) {
        const longer = new Uint32Array(2 * count)
        longer.set(ends)
        ends = longer
      }
      bytes.write(text, start)
      ends[count++] = start + size
    },
    /** The text with an index; empty when there is none. */
    get: (index: number): string =>
      index >= 0 && index < count ? bytes.toString("utf8", endOf(index - 1), endOf(index)) : "",
  }
}

type TextStore = ReturnType<typeof textStore>

/** A longer format is of no spreadsheet program. */
const longestCode = 255

/** The built-in formats that show a day. Those from 27 on are of eastern languages. */
const builtIn: readonly [from: number, to: number][] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [34, 36],
  [50, 58],
]

/** The built-in formats that show percent. */
const builtInPercent = [9, 10]

/** Returns for each style of an XLSX file how it shows a number. */
async function numberStyles(parts: AsyncIterable<string>): Promise<NumberStyle[]> {
  const own = new Map<number, NumberStyle>()
  const styles: NumberStyle[] = []
  let isInCells = false
  await readXml(parts, {
    open(name, { numFmtId, formatCode = "" }) {
      const id = Number(numFmtId)
      if (name === "numFmt" && formatCode.length <= longestCode) own.set(id, styleOf(formatCode))
      // Only the formats of cells count: there are named ones in a list of the same form.
      else if (name === "cellXfs") isInCells = true
      else if (name === "cellStyles" || name === "dxfs") isInCells = false
      else if (name === "xf" && isInCells) styles.push(own.has(id) ? (own.get(id) ?? null) : builtInStyle(id))
    },
  })
  return styles
}

function builtInStyle(id: number): NumberStyle {
  if (builtInPercent.includes(id)) return "percent"
  return builtIn.some(([from, to]) => id >= from && id <= to) ? "date" : null
}

function styleOf(code: string): NumberStyle {
  const signs = code
    .replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]|[_*]./g, "")
    .split(";", 1)[0]
    ?.toLowerCase()
  if (signs === undefined || signs.includes("general")) return null
  // Without a day or a year, `m` is a month only when there are no hours and seconds.
  if (/[dy]/.test(signs) || (signs.includes("m") && !/[hs]/.test(signs))) return "date"
  return signs.includes("%") ? "percent" : null
}

/** Unpacks a file inside. */
type Part = () => AsyncIterable<string>

/** The parts of an XLSX file that its first visible sheet needs. */
type Workbook = {
  sheet: Part
  strings: Part | undefined
  styles: Part | undefined
  from1904: boolean
}

type Relation = { id: string; type: string; target: string }

/** Finds the first visible sheet of an XLSX file and what belongs to it. */
async function openWorkbook(parts: ZipParts): Promise<Workbook> {
  const root = await relationsOf(parts, "", "_rels/.rels")
  const path = root.find((relation) => relation.type === "officeDocument")?.target ?? "xl/workbook.xml"
  if (path.endsWith(".bin"))
    throw new SheetError(
      "BINARY_EXCEL",
      "The file is a binary Excel file (.xlsb). Save it as XLSX or CSV in your spreadsheet program and try again.",
    )
  const workbook = parts.get(path)
  if (!workbook) throw new SheetError("OTHER_ZIP", "The file is a ZIP file, but not an XLSX file.")
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const name = path.slice(path.lastIndexOf("/") + 1)
  const relations = await relationsOf(parts, folder, `${folder ? `${folder}/` : ""}_rels/${name}.rels`)
  const { visible, from1904 } = await sheetsOf(workbook())
  const partOf = (wanted: string) =>
    parts.get(relations.find((relation) => relation.type === wanted)?.target ?? "")
  // A sheet may also be a chart, which has another type. By their ids, because there may be millions of both.
  const sheets = new Map<string, string>()
  for (const { id, type, target } of relations)
    if (type === "worksheet" && !sheets.has(id)) sheets.set(id, target)
  const shown = visible.find((id) => sheets.has(id))
  const sheet = shown === undefined ? undefined : parts.get(sheets.get(shown) ?? "")
  if (!sheet) throw new SheetError("NO_VISIBLE_SHEET", "The file has no visible sheet.")
  return { sheet, strings: partOf("sharedStrings"), styles: partOf("styles"), from1904 }
}

/** The IDs of the visible sheets in their order. */
async function sheetsOf(workbook: AsyncIterable<string>): Promise<{ visible: string[]; from1904: boolean }> {
  const visible: string[] = []
  let from1904 = false
  await readXml(workbook, {
    open(name, attributes) {
      const { date1904 = "", state = "" } = attributes
      if (name === "workbookPr") from1904 = ["1", "true"].includes(date1904)
      if (name === "sheet" && !["hidden", "veryHidden"].includes(state)) visible.push(idIn(attributes))
    },
  })
  return { visible, from1904 }
}

/** The ID of the relation of a sheet, in any namespace. */
const idIn = (attributes: Attributes): string =>
  Object.entries(attributes).find(([name]) => localName(name) === "id")?.[1] ?? ""

async function relationsOf(parts: ZipParts, folder: string, path: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const part = parts.get(path)
  if (!part) return relations
  await readXml(part(), {
    open(name, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (name !== "Relationship") return
      relations.push({ id, type: type.split("/").at(-1) ?? "", target: resolved(folder, target) })
    },
  })
  return relations
}

/** The path of a part that is named relative to a folder. */
function resolved(folder: string, path: string): string {
  if (path.startsWith("/")) return path.slice(1)
  const names = folder === "" ? [] : folder.split("/")
  for (const name of path.split("/")) {
    if (name === "..") names.pop()
    else if (name !== ".") names.push(name)
  }
  return names.join("/")
}
