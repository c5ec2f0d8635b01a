import type { PlannedColumn, SheetFormat, SheetRow } from "../model"
import { mostRowsOf, tooManyRows } from "./count-rows"
import { rowConverter, titlesOf, type SheetRecord } from "./records"
import { openSource, type AsyncPieceOf } from "./source"

export type RowsRequest = { format: SheetFormat; plan: readonly PlannedColumn[]; from: number }

const batchRows = 150
/** A batch ends early after this many characters. */
const batchLength = 200_000

/** Reads the rows from a row number on, some at a time. The rows before it are read too, but not converted. */
export async function* readRows(
  pieceOf: AsyncPieceOf,
  { format, plan, from }: RowsRequest,
): AsyncGenerator<SheetRow[]> {
  const { records } = await openSource(pieceOf, format)
  const most = mostRowsOf(format.type)
  let convert: ((record: SheetRecord) => SheetRow) | null = null
  let batch: SheetRow[] = []
  let [rows, length] = [0, 0]
  for await (const record of records) {
    if (!convert) {
      convert = rowConverter(titlesOf(record.cells), plan, format)
      continue
    }
    if (++rows > most) throw tooManyRows(most)
    if (record.row < from) continue
    batch.push(convert(record))
    length += lengthOf(record)
    if (batch.length < batchRows && length < batchLength) continue
    yield batch
    ;[batch, length] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

const lengthOf = ({ cells }: SheetRecord): number =>
  cells.reduce((sum: number, cell) => sum + (typeof cell === "string" ? cell.length : 1), 0)
