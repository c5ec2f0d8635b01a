import { stringify } from "csv-stringify/sync"
import { valueIn, type TitledColumn } from "../columns"
import { escapeCsv } from "../../../shared/sheet-escape"
import type { CellType, DecimalSign, Delimiter } from "../model"
import { isEmpty, type Batches } from "./records"

/** A line break and every delimiter need quotes, also those that the file does not have. A number such as 80,5 needs none. */
export const needsQuotes = /^(?!-?\d+,\d+$)[^]*[\r\n,;\t]/

export type CsvStyle = { delimiter: Delimiter; decimal: DecimalSign; bom: boolean }

/** Writes records as CSV: titles first, one row per record, lines that end with CR LF (RFC 4180). */
export async function* csvText(
  batches: Batches,
  columns: readonly TitledColumn[],
  { delimiter, decimal, bom }: CsvStyle,
): AsyncGenerator<string, undefined> {
  const options = {
    delimiter,
    record_delimiter: "windows",
    quoted_match: needsQuotes,
    // Programs skip an empty line, so a row whose only cell is empty has quotes.
    quoted_empty: columns.length === 1,
  }
  yield (bom ? "\ufeff" : "") + stringify([columns.map(({ title }) => title)], options)
  for await (const records of batches)
    yield stringify(
      records.map((record) =>
        columns.map(({ field, type }) => cellText(valueIn(record, field), type, decimal)),
      ),
      options,
    )
  return undefined
}

function cellText(value: unknown, type: CellType, decimal: DecimalSign): string {
  if (isEmpty(value)) return ""
  switch (type) {
    case "number":
      return String(value).replace(".", decimal)
    case "boolean":
    case "date":
      return String(value)
    case "list":
    case "json":
      return escapeCsv(JSON.stringify(value))
    case "text":
      return escapeCsv(String(value))
  }
}
