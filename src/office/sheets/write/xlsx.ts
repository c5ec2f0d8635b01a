import { writeXlsxStream } from "hucre/xlsx"
import { valueIn, type TitledColumn } from "../columns"
import { asDate } from "../../../shared/dates"
import { priceDigits } from "../../../shared/decimal"
import { escapeText } from "../../../shared/sheet-escape"
import type { CellType } from "../model"
import { isEmpty, type Batches } from "./records"

type Cell = string | number | boolean | Date | null

/** A cell of Excel cannot have more characters. */
const longestText = 32_767
/** The width of a column in characters. A narrower one would show a date as ####. */
const narrowest = 12

/** How an XLSX file is written. `digits` is the number of decimals of the currency. */
export type XlsxStyle = { name: string; digits: number }

/**
 * Writes records as XLSX: a sheet with titles, and further sheets when there are more rows than a sheet can have. Only
 * the rows that are not read yet are in memory.
 */
export const xlsxBytes = (
  batches: Batches,
  columns: readonly TitledColumn[],
  { name, digits }: XlsxStyle,
): ReadableStream<Uint8Array> =>
  writeXlsxStream(rowsOf(batches, columns), {
    name,
    columns: columns.map((column) => ({
      header: column.title,
      width: Math.max(narrowest, column.title.length + 2),
      ...formatOf(column, digits),
    })),
    freezePane: { rows: 1 },
  })

/**
 * Returns how the numbers of a column are shown. A spreadsheet program shows the signs of the user's country for `,` and
 * `.`. Numbers without a format, such as quantities, are shown with the decimals that they have. Dates have the format
 * of hucre, yyyy-mm-dd.
 */
function formatOf({ money }: TitledColumn, digits: number): { numFmt?: string } {
  if (money === undefined) return {}
  const further = money === "price" ? Math.max(0, priceDigits - digits) : 0
  // With optional decimals only, a whole number would end with the decimal sign.
  if (digits === 0) return further > 0 ? {} : { numFmt: "#,##0" }
  return { numFmt: `#,##0.${"0".repeat(digits)}${"#".repeat(further)}` }
}

async function* rowsOf(
  batches: Batches,
  columns: readonly TitledColumn[],
): AsyncGenerator<Cell[], undefined> {
  for await (const records of batches)
    for (const record of records) yield columns.map(({ field, type }) => cellOf(valueIn(record, field), type))
  return undefined
}

function cellOf(value: unknown, type: CellType): Cell {
  if (isEmpty(value)) return null
  switch (type) {
    case "number":
      return Number(value)
    case "boolean":
      return value === true
    case "date":
      return asDate(String(value))
    case "list":
    case "json":
      return textCell(JSON.stringify(value))
    case "text":
      return textCell(String(value))
  }
}

/**
 * Excel reads `_x0041_` as the character with this code, so its first character is written as such a code. XML has no
 * U+FFFE and U+FFFF.
 */
function textCell(text: string): string {
  const escaped = escapeText(text)
  const shown = escaped.length > longestText ? `${cut(escaped)}…` : escaped
  return shown.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_").replaceAll(/[\ufffe\uffff]/g, "\ufffd")
}

/** The beginning of a text, without half of a character. */
const cut = (text: string): string => text.slice(0, longestText - 1).replace(/[\ud800-\udbff]$/, "")
