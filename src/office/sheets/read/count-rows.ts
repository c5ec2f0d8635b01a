import type { SheetType } from "../model"
import type { Cell } from "./cells"
import { headRows, mostCsvRows, mostXlsxRows } from "./limits"
import type { SheetRecord } from "./records"
import { SheetError, shown } from "./sheet-error"

export const mostRowsOf = (type: SheetType): number => (type === "xlsx" ? mostXlsxRows : mostCsvRows)

export const tooManyRows = (most: number): SheetError =>
  new SheetError(
    "TOO_MANY_ROWS",
    `The file has more than ${shown(most)} rows. Split it into several files.`,
    {
      params: { max: most },
    },
  )

/**
 * Counts the rows at the beginning of a file, and estimates how many all of it has. `lines` is the number of lines of a
 * CSV file. If it may have too many rows, all of them are counted, because line breaks inside cells make lines too. Of
 * the other files, all rows are counted.
 */
export function rowCounter(type: SheetType, lines: number | null) {
  const most = mostRowsOf(type)
  const countsAll = lines === null || lines - 1 > most
  let [rows, lastRow, breaks] = [0, 1, 0]
  return {
    add({ row, cells }: SheetRecord): void {
      rows++
      if (rows > most) throw tooManyRows(most)
      if (rows > headRows) return
      lastRow = row
      for (const cell of cells) breaks += breaksIn(cell)
    },
    /** True while the format is recognized from the rows. */
    isAtBeginning: (): boolean => rows <= headRows,
    /** True when the next rows are not needed. */
    isEnough: (): boolean => rows >= headRows && !countsAll,
    /** The number of rows. Those that were not counted are taken to have as many lines as the others. */
    result(isWhole: boolean): number {
      if (isWhole || lines === null) return rows
      return Math.round(((lines - 1) * rows) / (lastRow - 1 + breaks))
    },
  }
}

const breaksIn = (cell: Cell): number =>
  typeof cell === "string" && /[\r\n]/.test(cell) ? (cell.match(/\r\n?|\n/g)?.length ?? 0) : 0
