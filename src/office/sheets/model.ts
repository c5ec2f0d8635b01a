import type { Near } from "../../shared/dates"
import type { PriceSense } from "./title-form"

/** The forms of a table file. */
export const sheetTypes = ["csv", "xlsx", "ndjson"] as const
export type SheetType = (typeof sheetTypes)[number]

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const
export type Encoding = (typeof encodings)[number]

export const delimiters = [",", ";", "\t"] as const
export type Delimiter = (typeof delimiters)[number]

export const decimalSigns = [".", ","] as const
export type DecimalSign = (typeof decimalSigns)[number]

/** The order of day, month and year, with any of `.`, `-` and `/` between them; years may have two digits. */
export const dateOrders = ["ymd", "dmy", "mdy"] as const
export type DateOrder = (typeof dateOrders)[number]

/** How a file is written. An XLSX file has neither an encoding nor a delimiter, and NDJSON has no delimiter. */
export type SheetFormat = {
  type: SheetType
  encoding: Encoding | null
  delimiter: Delimiter | null
  decimal: DecimalSign
  /** True when no number of the file tells the decimal sign. A number such as 1.234 is then a fault. */
  isDecimalGuessed: boolean
  dateOrder: DateOrder
  /** True when no date of the file tells the order. A date such as 03/04/2026 is then a fault. */
  isDateOrderGuessed: boolean
  /** The number of the row that has the titles of the columns; 0 in NDJSON, whose lines have them. */
  headingRow: number
}

/** How much the values of a column tell for each decimal sign. */
export type DecimalVotes = Record<DecimalSign, number>

/**
 * A column as its file has it, with the forms of its title that are compared, the second one without what it says about
 * tax and currency, and with some of its values. `signs` are those of currencies and percent beside its numbers.
 */
export type SheetColumn = {
  name: string
  form: string
  bare: string
  /** Whether the title says that prices include tax. */
  sense: PriceSense | null
  samples: string[]
  decimals: DecimalVotes
  signs: string[]
}

/** A row at the beginning of a file, with its number and some of its cells, which are cut if they are long. */
export type BeginningRow = { row: number; cells: string[] }

/**
 * What is known before the rows are read. `firstRows` has a text for each column, cut if it is long; `beginning` has the
 * first rows of the file, also those above the titles. `rows` is the number of rows, without titles and empty ones. It may
 * be an estimate, but not for a file with more rows than allowed, which is refused.
 */
export type SheetHead = {
  format: SheetFormat
  columns: SheetColumn[]
  firstRows: string[][]
  beginning: BeginningRow[]
  rows: number
}

/** The type of the values that a column is converted to. `list` and `json` are JSON text in a cell. */
export type CellType = "text" | "number" | "boolean" | "date" | "list" | "json"

/** What the numbers of a field are: parts of a hundred, or money of the currency with this code. */
export type NumberUnit = "percent" | { currency: string }

/** How the numbers of one column are read. */
export type NumberForm = Pick<SheetFormat, "decimal" | "isDecimalGuessed"> & { unit: NumberUnit | null }

/**
 * Which column is which field. The field may be part of an object: `address.city`. A column of numbers without a form of
 * its own is read as the file is.
 */
export type PlannedColumn = {
  index: number
  field: string
  type: CellType
  number?: NumberForm
  /** What the dates of the column are near to that have no year. */
  near?: Near
}

/** What can be wrong with a row or a cell, before its field is looked at. */
export const sheetFaultCodes = [
  "NOT_A_NUMBER",
  "AMBIGUOUS_NUMBER",
  "OTHER_CURRENCY",
  "NOT_A_DATE",
  "AMBIGUOUS_DATE",
  "MONTH_FIRST",
  "NOT_A_BOOLEAN",
  "NOT_A_LIST",
  "NOT_AN_OBJECT",
  "FORMULA_ERROR",
  "CELL_TOO_LONG",
  "TOO_MANY_CELLS",
] as const
export type SheetFaultCode = (typeof sheetFaultCodes)[number]

/** Why a whole file cannot be read. */
export const sheetErrorReasons = [
  "EMPTY",
  "NO_HEADING",
  "NOT_A_TABLE",
  "PDF",
  "OLD_EXCEL",
  "BINARY_EXCEL",
  "OPEN_DOCUMENT",
  "IMAGE",
  "COMPRESSED",
  "WEB_PAGE",
  "OTHER_ZIP",
  "NO_VISIBLE_SHEET",
  "PASSWORD",
  "DAMAGED",
  "UNPACKS_TOO_LARGE",
  "TOO_LARGE",
  "TOO_MANY_CELLS",
  "TOO_MANY_ROWS",
  "TOO_MANY_COLUMNS",
  "MIXED_ENCODING",
  "OTHER_ENCODING",
  "OTHER_DELIMITER",
  "QUOTE_NOT_CLOSED",
  "ROW_TOO_LONG",
  "ROW_UNREADABLE",
  "STUCK",
  "UNREADABLE",
] as const
export type SheetErrorReason = (typeof sheetErrorReasons)[number]

/** A fault in a file. `column` is the name of the column, `field` the field that it is mapped to. */
export type Fault = {
  row: number
  column: string | null
  field: string | null
  code: SheetFaultCode
  /** The values that the message contains, for a client that shows it in another language. */
  params: Record<string, string | number>
  message: string
}

/**
 * One row of a file as a JSON object. `row` is its number as a spreadsheet shows it. A row of sums at the end of the file
 * has its text in `total`.
 */
export type SheetRow = { row: number; input: Record<string, unknown>; faults: Fault[]; total?: string }

/** The parts of the format that a person has set. The others are recognized. */
export type GivenFormat = Partial<Omit<SheetFormat, "type" | "isDecimalGuessed" | "isDateOrderGuessed">>

/** Returns a piece of the file; null after the last one. */
export type PieceOf = (index: number) => Uint8Array | null

/** Reads a file in a separate thread, without having it in memory as a whole. */
export type SheetReader = {
  /** Reads the beginning, and counts the rows. `known` are the forms of titles by which the row of the titles is found. */
  head(known?: readonly string[]): Promise<SheetHead>
  /**
   * Returns the rows from a row number on, some at a time. The next ones are read when they are asked for. With
   * `marksTotals`, rows of sums at the end are marked.
   */
  rows(
    format: SheetFormat,
    plan: readonly PlannedColumn[],
    from: number,
    marksTotals?: boolean,
  ): AsyncIterable<SheetRow[]>
  close(): void
}
