import type { Encoding, GivenFormat, SheetColumn, SheetHead } from "../model"
import { bareForm, senseOf, titleForm } from "../title-form"
import { type Cell, isEmpty, textOf } from "./cells"
import { rowCounter } from "./count-rows"
import { dateOrderVotes } from "./dates"
import { beginningOf, firstRecords, headingRowOf, joined } from "./shape/heading"
import { addDecimalVote, decimalOf } from "./numbers"
import { type SheetRecord, titlesOf } from "./records"
import { SheetError } from "./sheet-error"
import { withoutSign } from "./signs"
import { type AsyncPieceOf, openSource, piecesOf } from "./source"

const mostSamples = 5
const mostSigns = 3
const mostFirstRows = 5
const longestSample = 100

/**
 * Recognizes the format and the columns of a file by its first rows, and counts its rows. What is given is not recognized.
 * `known` are the forms of titles by which the row of the titles is found, and `whole` those of `openSource`.
 */
export async function readHead(
  pieceOf: AsyncPieceOf,
  given: GivenFormat,
  known: readonly string[] = [],
  whole: readonly string[] = [],
): Promise<SheetHead> {
  const { layout, records } = await openSource(pieceOf, given, whole)
  const { type, encoding } = layout
  const counter = rowCounter(
    type,
    type === "csv" && encoding ? await countLines(piecesOf(pieceOf), encoding) : null,
  )
  const orders = dateOrderVotes()
  const firstRows: string[][] = []
  let columns: SheetColumn[] | null = null
  let isWhole = true
  const source = records[Symbol.asyncIterator]()
  const first = await firstRecords(source)
  let headingRow = type === "ndjson" ? 0 : (given.headingRow ?? headingRowOf(first, known))
  for await (const record of joined(first, source)) {
    if (record.row < headingRow) continue
    if (!columns) {
      columns = columnsOf(record)
      headingRow = record.row
    } else {
      counter.add(record)
      if (firstRows.length < mostFirstRows) firstRows.push(textsOf(record, columns))
      if (counter.isAtBeginning()) addCells(columns, record, orders)
      isWhole = !counter.isEnough()
      if (!isWhole) break
    }
  }
  if (!columns)
    throw first.length === 0 ? new SheetError("EMPTY", "The file is empty.") : noHeading(headingRow)
  const dateOrder = given.dateOrder ?? orders.result()
  const decimal = decimalOf(columns, layout.delimiter, given)
  const isDateOrderGuessed = given.dateOrder === undefined && !orders.isTold()
  const format = { ...layout, ...decimal, dateOrder, isDateOrderGuessed, headingRow }
  return { format, columns, firstRows, beginning: beginningOf(first), rows: counter.result(isWhole) }
}

const noHeading = (row: number): SheetError =>
  new SheetError("NO_HEADING", `The file has no titles in row ${row}: it has fewer rows.`, {
    params: { row },
  })

const columnsOf = ({ cells }: SheetRecord): SheetColumn[] =>
  titlesOf(cells).map((name) => ({
    name,
    form: titleForm(name),
    bare: bareForm(name),
    sense: senseOf(name),
    samples: [],
    decimals: { ".": 0, ",": 0 },
    signs: [],
  }))

/** Adds what the cells of a row tell about their columns. */
function addCells(
  columns: readonly SheetColumn[],
  { cells }: SheetRecord,
  orders: ReturnType<typeof dateOrderVotes>,
): void {
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (!column || isEmpty(cell)) continue
    addSample(column, cell)
    if (typeof cell !== "string") continue
    const { text, sign } = withoutSign(cell)
    addDecimalVote(column.decimals, text)
    if (sign !== null && column.signs.length < mostSigns && !column.signs.includes(sign))
      column.signs.push(sign)
    orders.add(cell)
  }
}

const textsOf = ({ cells }: SheetRecord, columns: readonly SheetColumn[]): string[] =>
  columns.map((_, index) => sampleOf(cells[index] ?? null))

const sampleOf = (cell: Cell): string => textOf(cell).trim().slice(0, longestSample)

function addSample({ samples }: SheetColumn, cell: Cell): void {
  if (samples.length >= mostSamples) return
  const sample = sampleOf(cell)
  if (!samples.includes(sample)) samples.push(sample)
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Counts the lines of a text file by its bytes, which is much faster than reading its rows. */
async function countLines(pieces: AsyncIterable<Uint8Array>, encoding: Encoding): Promise<number> {
  const codesOf = encoding.startsWith("utf-16") ? wideCodes(encoding === "utf-16be") : null
  let [lines, last] = [0, lineFeed]
  for await (const piece of pieces) {
    const codes = codesOf?.(piece) ?? piece
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0
      if (code === carriageReturn || (code === lineFeed && last !== carriageReturn)) lines++
      last = code
    }
  }
  return last === lineFeed || last === carriageReturn ? lines : lines + 1
}

/** Returns a function that joins two bytes each. A piece may end between them. */
function wideCodes(isHighFirst: boolean): (piece: Uint8Array) => Uint16Array {
  let rest: Uint8Array = new Uint8Array()
  return (piece) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const codes = new Uint16Array(bytes.length >> 1)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let i = 0; i < codes.length; i++) codes[i] = view.getUint16(2 * i, !isHighFirst)
    rest = bytes.slice(2 * codes.length)
    return codes
  }
}
