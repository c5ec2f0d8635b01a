import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { unescapeCsvInner } from "../../../shared/sheet-escape"
import type { Delimiter, Encoding } from "../model"
import { isInvalidText, isSeparatorRecord } from "./recognize"
import { longestCsvRow } from "./limits"
import type { SheetRecord } from "./records"
import { SheetError, shown } from "./sheet-error"

/** Decodes a file. Bytes of another encoding are an error, and never replaced by other characters. */
export async function* decodedText(
  pieces: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!isInvalidText(error)) throw error
    throw new SheetError(
      "OTHER_ENCODING",
      `The file has characters that are not ${encoding.toUpperCase()}. Choose another encoding.`,
      { params: { encoding: encoding.toUpperCase() } },
    )
  }
}

/** Reads the records of a CSV file one after the other, empty ones too. A first line `sep=;` is left out. */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  delimiter: Delimiter,
): AsyncGenerator<SheetRecord> {
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: longestCsvRow,
  })
  let skipped = 0
  const rowOfNext = () => parser.info.records + 1 - skipped
  // By default, 16 pieces of the file would be read ahead.
  const source = Readable.from(limited(decodedText(pieces, encoding), rowOfNext), { highWaterMark: 1 })
  // The error of the source is also the error of the parser, which is thrown below.
  pipeline(source, parser, () => {})
  let row = 0
  try {
    for await (const cells of parser) {
      if (row + skipped === 0 && isSeparatorRecord(cells)) skipped++
      else yield { row: ++row, cells: cells.map(unescapeCsvInner) }
    }
  } catch (error) {
    throw error instanceof CsvError ? errorOf(error, rowOfNext()) : error
  }
}

/** Stops when a row does not end: the parser limits the length of its cells, but not their number. */
async function* limited(texts: AsyncIterable<string>, rowOfNext: () => number): AsyncGenerator<Buffer> {
  let [row, size] = [0, 0]
  for await (const text of texts) {
    // A stream must not be given an empty text.
    if (text === "") continue
    if (row !== rowOfNext()) [row, size] = [rowOfNext(), 0]
    size += text.length
    if (size > 2 * longestCsvRow + text.length) throw tooLong(row)
    yield Buffer.from(text)
  }
}

function errorOf({ code }: CsvError, row: number): SheetError {
  const params = { row }
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    const sentence = `A quotation mark is opened in row ${shown(row)} and never closed.`
    return new SheetError("QUOTE_NOT_CLOSED", sentence, { params })
  }
  if (code === "CSV_MAX_RECORD_SIZE") return tooLong(row)
  return new SheetError("ROW_UNREADABLE", `Row ${shown(row)} cannot be read.`, { params })
}

const tooLong = (row: number): SheetError =>
  new SheetError(
    "ROW_TOO_LONG",
    `Row ${shown(row)} is too long: perhaps a quotation mark is opened in it and never closed.`,
    { params: { row } },
  )
