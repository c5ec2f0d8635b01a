import type { GivenFormat, SheetFormat } from "../model"
import { csvRecords, decodedText } from "./csv-rows"
import { recognizeEncoding, sniff, recognizeDelimiter } from "./recognize"
import { isEmpty } from "./cells"
import { tooManyRows } from "./count-rows"
import { mostRows, mostXlsxBytes } from "./limits"
import { ndjsonRecords } from "./ndjson/ndjson-rows"
import type { SheetRecord } from "./records"
import { SheetError } from "./sheet-error"
import { xlsxRecords } from "./xlsx/xlsx-rows"

/** Returns a piece of a file; null after the last one. */
export type AsyncPieceOf = (index: number) => Promise<Uint8Array | null>

/**
 * A file whose rows can be read, and the parts of its format that do not depend on its values. The first record has the
 * titles. Empty ones are left out.
 */
export type Source = {
  layout: Pick<SheetFormat, "type" | "encoding" | "delimiter">
  records: AsyncGenerator<SheetRecord>
}

/** The characters that the delimiter is recognized from. */
const delimiterSample = 200_000

/**
 * Opens a file. What is not given of its format is recognized. `whole` are the fields that are objects without parts, such
 * as metadata.
 */
export async function openSource(
  pieceOf: AsyncPieceOf,
  given: GivenFormat,
  whole: readonly string[] = [],
): Promise<Source> {
  const type = sniff((await pieceOf(0)) ?? new Uint8Array())
  if (type instanceof SheetError) throw type
  if (type === "xlsx") {
    const bytes = await wholeFile(pieceOf)
    return { layout: { type, encoding: null, delimiter: null }, records: filled(xlsxRecords(bytes)) }
  }
  if (type === "ndjson") {
    const records = ndjsonRecords(() => piecesOf(pieceOf), whole)
    return { layout: { type, encoding: "utf-8", delimiter: null }, records: filled(records) }
  }
  const encoding = given.encoding ?? (await recognizeEncoding(piecesOf(pieceOf)))
  const delimiter = given.delimiter ?? (await delimiterOf(decodedText(piecesOf(pieceOf), encoding)))
  return {
    layout: { type, encoding, delimiter },
    records: filled(csvRecords(piecesOf(pieceOf), encoding, delimiter)),
  }
}

async function* filled(
  records: AsyncIterable<SheetRecord> | Iterable<SheetRecord>,
): AsyncGenerator<SheetRecord> {
  for await (const record of records) {
    if (record.row > mostRows) throw tooManyRows(mostRows)
    if (record.notAnObject !== undefined || !record.cells.every(isEmpty)) yield record
  }
}

/** The pieces of a file from the first one on. */
export async function* piecesOf(pieceOf: AsyncPieceOf): AsyncGenerator<Uint8Array> {
  for (let index = 0, piece; (piece = await pieceOf(index)); index++) yield piece
}

const mostXlsxMegabytes = mostXlsxBytes / 1024 / 1024

async function wholeFile(pieceOf: AsyncPieceOf): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of piecesOf(pieceOf)) {
    size += piece.length
    if (size > mostXlsxBytes)
      throw new SheetError(
        "TOO_LARGE",
        `The file has more than ${mostXlsxMegabytes} MB. Save the table as CSV and try again.`,
        { params: { max: mostXlsxMegabytes } },
      )
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function delimiterOf(texts: AsyncIterable<string>) {
  let sample = ""
  for await (const text of texts) {
    sample += text
    if (sample.length >= delimiterSample) break
  }
  return recognizeDelimiter(sample.slice(0, delimiterSample), sample.length < delimiterSample)
}
