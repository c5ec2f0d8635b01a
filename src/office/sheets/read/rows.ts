import type { PlannedColumn, SheetFormat, SheetRow } from "../model"
import { mostRowsOf, tooManyRows } from "./count-rows"
import { rowConverter, titlesOf, type SheetRecord } from "./records"
import { openSource, type AsyncPieceOf } from "./source"
import { isTotal, mostTotals, totalText } from "./shape/totals"

/** With `marksTotals`, rows of sums at the end of the file are marked. */
export type RowsRequest = {
  format: SheetFormat
  plan: readonly PlannedColumn[]
  from: number
  marksTotals?: boolean
  /** See `openSource`. */
  whole?: readonly string[]
}

const batchRows = 150
/** A batch ends early after this many characters. */
const batchLength = 200_000

/** Reads the rows from a row number on, some at a time. The rows before it are read too, but not converted. */
export async function* readRows(pieceOf: AsyncPieceOf, request: RowsRequest): AsyncGenerator<SheetRow[]> {
  let batch: SheetRow[] = []
  let length = 0
  for await (const { row, size } of marked(convertedRows(pieceOf, request), request.marksTotals ?? false)) {
    batch.push(row)
    length += size
    if (batch.length < batchRows && length < batchLength) continue
    yield batch
    ;[batch, length] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

/** A row, the number of its characters, and what it says if it may be one of sums. */
type Converted = { row: SheetRow; size: number; total: string | null }

async function* convertedRows(
  pieceOf: AsyncPieceOf,
  { format, plan, from, marksTotals, whole }: RowsRequest,
): AsyncGenerator<Converted> {
  const { records } = await openSource(pieceOf, format, whole)
  const most = mostRowsOf(format.type)
  let convert: ((record: SheetRecord) => SheetRow) | null = null
  let rows = 0
  for await (const record of records) {
    if (record.row < format.headingRow) continue
    if (!convert) {
      convert = rowConverter(titlesOf(record.cells), plan, format)
      continue
    }
    if (++rows > most) throw tooManyRows(most)
    if (record.row < from) continue
    // The first row of a file is no sum of others.
    const isSum = marksTotals === true && rows > 1 && format.type !== "ndjson" && isTotal(record.cells)
    const total = isSum ? totalText(record.cells) : null
    yield { row: convert(record), size: lengthOf(record), total }
  }
}

/** Marks the rows of sums that no other row follows. */
async function* marked(rows: AsyncIterable<Converted>, marksTotals: boolean): AsyncGenerator<Converted> {
  let waiting: Converted[] = []
  for await (const each of rows) {
    if (marksTotals && each.total !== null && waiting.length < mostTotals) {
      waiting.push(each)
      continue
    }
    yield* waiting
    waiting = []
    yield each
  }
  for (const { row, size, total } of waiting)
    yield { row: total === null ? row : { ...row, total }, size, total }
}

const lengthOf = ({ cells, notAnObject = "" }: SheetRecord): number =>
  notAnObject.length +
  cells.reduce((sum: number, cell) => sum + (typeof cell === "string" ? cell.length : 1), 0)
