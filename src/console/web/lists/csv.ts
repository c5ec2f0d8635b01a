import { saveFile } from "../parts/save-file"
import type { Column } from "./columns"

/** How a spreadsheet in the user's locale expects numbers: with a decimal comma, the cells are separated by semicolons. */
export type CsvStyle = { separator: "," | ";"; decimal: "." | "," }

export function csvStyleOf(languages: readonly string[]): CsvStyle {
  const format = new Intl.NumberFormat([...languages], { numberingSystem: "latn" })
  const decimal = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value
  return decimal === "," ? { separator: ";", decimal: "," } : { separator: ",", decimal: "." }
}

/** Prevents a spreadsheet from running a text that begins like a formula. Numbers are written as they are. */
function cellOf(value: unknown, { decimal }: CsvStyle): string {
  if (typeof value === "number") return String(value).replace(".", decimal)
  const text = String(value ?? "")
  const safe = typeof value === "string" && /^[=+\-@'\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

const lineOf = (cells: readonly unknown[], style: CsvStyle): string =>
  `${cells.map((cell) => cellOf(cell, style)).join(style.separator)}\r\n`

/** The first line of a file: the byte order mark, by which Excel recognises UTF-8, and the titles. */
export const csvHead = <T>(columns: Column<T>[], style: CsvStyle): string =>
  `\uFEFF${lineOf(
    columns.map(({ title }) => title),
    style,
  )}`

export const csvLines = <T>(rows: readonly T[], columns: Column<T>[], style: CsvStyle): string =>
  rows
    .map((row) =>
      lineOf(
        columns.map(({ key, plain }) => (plain ? plain(row) : row[key])),
        style,
      ),
    )
    .join("")

/** Saves texts as one file. */
export const saveCsv = (texts: string[], name: string): void =>
  saveFile(new Blob(texts, { type: "text/csv" }), `${name}.csv`)

/** Saves rows as a file in the style of the user's locale. */
export function saveAsCsv<T>(rows: readonly T[], columns: Column<T>[], name: string): void {
  const style = csvStyleOf(navigator.languages)
  saveCsv([csvHead(columns, style), csvLines(rows, columns, style)], name)
}
