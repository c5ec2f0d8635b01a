import { expect, test } from "bun:test"
import { stringify } from "csv-stringify/sync"
import fc from "fast-check"
import { escapeCsv, escapeText } from "../../../shared/sheet-escape"
import { delimiters, encodings, type Encoding } from "../model"
import { csvRecords } from "./csv-rows"

const cells = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('"', ",", ";", "\t", "\n", "\r", "a", "ü", " ")).map((signs) => signs.join("")),
)
const records = fc.array(fc.array(cells, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })

function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === "windows-1252") return Buffer.from(text, "latin1")
  if (encoding === "utf-8") return Buffer.from(text)
  const little = Buffer.from(text, "utf16le")
  return encoding === "utf-16le" ? little : little.swap16()
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test("Records that are written as CSV are read again, in every encoding and in pieces of any size.", async () => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom(...delimiters),
      fc.constantFrom(...encodings),
      fc.constantFrom("\n" as const, "\r\n" as const),
      fc.integer({ min: 1, max: 30 }),
      async (written, delimiter, encoding, lineBreak, size) => {
        // As Kontor writes them: what could be a formula has an apostrophe, which is removed inside of a cell.
        const escaped = written.map((record) => record.map(escapeCsv))
        const text = stringify(escaped, { delimiter, record_delimiter: lineBreak, quoted: true })
        const pieces = inPieces(encoded(text, encoding), size)
        const read = await Array.fromAsync(csvRecords(pieces, encoding, delimiter))
        expect(read).toEqual(written.map((record, i) => ({ row: i + 1, cells: record.map(escapeText) })))
      },
    ),
    { numRuns: 200 },
  )
})
