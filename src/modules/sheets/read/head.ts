import type { GivenFormat, SheetColumn, SheetHead } from "../model"
import { isEmpty, textOf, type Cell } from "./cells"
import { dateOrderVotes } from "./dates"
import { decimalVotes } from "./decimal"
import { headRows } from "./limits"
import { titlesOf } from "./records"
import { SheetError } from "./sheet-error"
import { openSource, type AsyncPieceOf } from "./source"

const mostSamples = 5
const longestSample = 100

/** What is given is not recognised. With `numbers`, only these columns tell the decimal sign. */
export type HeadRequest = { given: GivenFormat; numbers?: readonly number[] | undefined }

/** Recognises the format and the columns of a file by its first rows. */
export async function readHead(pieceOf: AsyncPieceOf, { given, numbers }: HeadRequest): Promise<SheetHead> {
  const { layout, records } = await openSource(pieceOf, given)
  const [decimals, orders] = [decimalVotes(), dateOrderVotes()]
  let columns: SheetColumn[] | null = null
  let rows = 0
  for await (const { cells } of records) {
    if (!columns) {
      columns = titlesOf(cells).map((name) => ({ name, samples: [] }))
      continue
    }
    for (const [index, cell] of cells.entries()) {
      if (isEmpty(cell)) continue
      addSample(columns[index], cell)
      if (typeof cell !== "string") continue
      if (!numbers || numbers.includes(index)) decimals.add(cell)
      orders.add(cell)
    }
    if (++rows >= headRows) break
  }
  if (!columns) throw new SheetError("The file is empty.")
  const decimal = given.decimal ?? decimals.result(layout.delimiter)
  const isDecimalGuessed = given.decimal === undefined && !decimals.isTold()
  const dateOrder = given.dateOrder ?? orders.result()
  const isDateOrderGuessed = given.dateOrder === undefined && !orders.isTold()
  return { format: { ...layout, decimal, isDecimalGuessed, dateOrder, isDateOrderGuessed }, columns }
}

function addSample(column: SheetColumn | undefined, cell: Cell): void {
  if (!column || column.samples.length >= mostSamples) return
  const sample = textOf(cell).trim().slice(0, longestSample)
  if (!column.samples.includes(sample)) column.samples.push(sample)
}
