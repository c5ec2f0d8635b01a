import { type Encoding, type SheetErrorReason, type SheetType, delimiters, type Delimiter } from "../model"
import { SheetError } from "./sheet-error"

/** How much of a file tells whether it is UTF-16. */
const sampledBytes = 1_000

/** Returns the encoding that a file names in its first bytes, if it does. */
export function encodingOfMark(bytes: Uint8Array): Exclude<Encoding, "windows-1252"> | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return null
}

/**
 * Returns which UTF-16 the bytes are, or null. Without a byte order mark it shows in the bytes that are zero: nearly
 * every second one for western languages, and no other.
 */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const marked = encodingOfMark(bytes)
  if (marked) return marked === "utf-8" ? null : marked
  const pairs = Math.min(bytes.length, sampledBytes) >> 1
  let [high, low] = [0, 0]
  for (let i = 0; i < pairs; i++) {
    if (bytes[2 * i] === 0) high++
    if (bytes[2 * i + 1] === 0) low++
  }
  if (high === 0 && low > 0 && low >= pairs * 0.7) return "utf-16le"
  if (low === 0 && high > 0 && high >= pairs * 0.7) return "utf-16be"
  return null
}

/**
 * Recognizes the encoding of a whole file. A file that is not UTF-8 is Windows-1252: all bytes are characters in it, and
 * it is what Excel writes in western languages. All bytes are looked at, because the first letter that is different in
 * both may be far from the beginning.
 */
export async function recognizeEncoding(pieces: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let isFirst = true
  let last: Uint8Array = new Uint8Array()
  try {
    for await (const piece of pieces) {
      const known = isFirst ? (encodingOfMark(piece) ?? utf16Of(piece)) : null
      if (known) return known
      isFirst = false
      last = piece
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return "utf-8"
  } catch (error) {
    if (!isInvalidText(error)) throw error
    if (isMostlyUtf8(last)) throw new SheetError("MIXED_ENCODING", mixed)
    return "windows-1252"
  }
}

const mixed =
  "The file is UTF-8, but some of its characters are damaged or in another encoding. Save it again as UTF-8, or set the encoding."

/** True when bytes have more characters that only UTF-8 has than bytes that UTF-8 cannot have. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const [valid, invalid] = [text.match(/[\u0080-\ufffc]/g), text.match(/\ufffd/g)]
  return (valid?.length ?? 0) > (invalid?.length ?? 0)
}

/** True for the error of a decoder that was given bytes of another encoding. */
export const isInvalidText = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"

const save = "Save it as CSV or XLSX in your spreadsheet program and try again."
const image = "The file is an image, not a table. A table is a CSV or XLSX file."

/** The first bytes of files that are not tables, and what to say about each. */
const others: readonly [signature: string, reason: SheetErrorReason, sentence: string][] = [
  ["%PDF", "PDF", "The file is a PDF, not a table. A table is a CSV or XLSX file."],
  ["\xd0\xcf\x11\xe0", "OLD_EXCEL", `The file is an old Excel file (.xls) or has a password. ${save}`],
  ["\x89PNG", "IMAGE", image],
  ["\xff\xd8\xff", "IMAGE", image],
  ["GIF8", "IMAGE", image],
  ["RIFF", "NOT_A_TABLE", "The file is an image or a recording, not a table. A table is a CSV or XLSX file."],
  ["\x1f\x8b", "COMPRESSED", "The file is compressed (gzip). Unpack it and try again."],
  ["7z\xbc\xaf", "COMPRESSED", "The file is compressed (7z). Unpack it and try again."],
  ["Rar!", "COMPRESSED", "The file is compressed (RAR). Unpack it and try again."],
  ["PK\x05\x06", "NOT_A_TABLE", "The file is an empty ZIP file, not a table."],
]

/** Recognizes the type of a file by its beginning, or tells why it is not a table. */
export function sniff(bytes: Uint8Array): SheetType | SheetError {
  const start = Buffer.from(bytes.subarray(0, 100)).toString("latin1")
  if (start.startsWith("PK\x03\x04")) return typeOfZip(start)
  for (const [signature, reason, sentence] of others)
    if (start.startsWith(signature)) return new SheetError(reason, sentence)
  if (utf16Of(bytes)) return bytes.length > 2 ? "csv" : empty()
  if (bytes.includes(0))
    return new SheetError("NOT_A_TABLE", "The file is not a table. A table is a CSV or XLSX file.")
  return typeOfText(bytes)
}

const empty = (): SheetError => new SheetError("EMPTY", "The file is empty.")

/** OpenDocument files are ZIP files too. They begin with their type. */
function typeOfZip(start: string): SheetType | SheetError {
  if (!start.includes("mimetypeapplication/")) return "xlsx"
  return new SheetError("OPEN_DOCUMENT", `The file is an OpenDocument file, which cannot be read. ${save}`)
}

function typeOfText(bytes: Uint8Array): SheetType | SheetError {
  const text = new TextDecoder().decode(bytes.subarray(0, 10_000)).trimStart()
  if (text === "" && bytes.every((byte) => byte <= 0x20 || byte >= 0x80)) return empty()
  if (/^<(\?xml|!doctype|html|table)/i.test(text))
    return new SheetError("WEB_PAGE", `The file is a web page or XML, not a table. ${save}`)
  return /^\{\s*["}]/.test(text) ? "ndjson" : "csv"
}

/** The records that are looked at. */
const sampledRecords = 100
/** The share of records with as many cells as the titles, from which a delimiter is believed. */
const enough = 0.9
/** The same below a title, where few records may be left. */
const likelyEnough = 0.6
/**
 * In this order: titles and numbers often contain a comma, sometimes as many in each row, but hardly ever one of the
 * others.
 */
const likeliest: readonly Delimiter[] = ["\t", ";", ","]

/** A first line `sep=;`, by which Excel is told the delimiter. */
const separatorLine = /^"?sep=(.?)"?[ \t;,]*$/i

/**
 * Recognizes the delimiter by the beginning of a file, `isWhole` when it is the whole file: the number of cells is the
 * same in most rows.
 */
export function recognizeDelimiter(text: string, isWhole: boolean): Delimiter {
  const named = delimiterOfLine(text.slice(0, 20).split(/[\r\n]/, 1)[0] ?? "")
  if (named) return named
  const found = likeliest.map((delimiter) => ({
    delimiter,
    ...evenness(cellCounts(text, delimiter, isWhole)),
  }))
  const sure = found.find(({ cells, share }) => cells > 1 && share >= enough)
  if (sure) return sure.delimiter
  const likely = found.filter(({ cells }) => cells > 1).toSorted((a, b) => b.share - a.share)[0]
  const below = belowTitle(text, isWhole)
  if (below && (!likely || likely.share < below.share)) return below.delimiter
  if (likely) return likely.delimiter
  // A file with one column. A delimiter in its values is not one.
  return delimiters.find((delimiter) => !text.includes(delimiter)) ?? "\t"
}

/** The rows above the titles, such as the name of a price list, that may have fewer cells. */
const mostAbove = 10
/** A comma in texts is hardly ever twice in each of them. */
const fewestCells: Readonly<Record<Delimiter, number>> = { "\t": 2, ";": 2, ",": 3 }

/** The delimiter by which most records have the same number of cells, from one of the first records on; null without one. */
function belowTitle(text: string, isWhole: boolean): { delimiter: Delimiter; share: number } | null {
  const found = likeliest.flatMap((delimiter) => {
    const counts = cellCounts(text, delimiter, isWhole)
    const starts = Array.from({ length: Math.min(mostAbove, counts.length - 2) }, (_, i) => i + 1)
    return starts.flatMap((start) => {
      const { cells, share } = evenness(counts.slice(start))
      return cells >= fewestCells[delimiter] && share >= likelyEnough ? [{ delimiter, share }] : []
    })
  })
  return found.toSorted((a, b) => b.share - a.share)[0] ?? null
}

function delimiterOfLine(line: string): Delimiter | null {
  const sign = separatorLine.exec(line)?.[1]
  if (sign === undefined || sign === "") return null
  const known = delimiters.find((delimiter) => delimiter === sign)
  if (known) return known
  throw new SheetError(
    "OTHER_DELIMITER",
    `The first line says that "${sign}" is between the columns. It must be a comma, a semicolon or a tab.`,
    { params: { value: sign } },
  )
}

/** True for the record of a first line `sep=;`, whatever it was split by. */
export const isSeparatorRecord = (record: readonly string[]): boolean =>
  /^sep=.?$/i.test(record[0] ?? "") && record.slice(1).every((cell) => cell === "")

/** The number of cells of the titles, and the share of the other records with as many. */
function evenness(counts: readonly number[]): { cells: number; share: number } {
  const [cells = 0, ...others] = counts
  const same = others.filter((count) => count === cells).length
  return { cells, share: others.length > 0 ? same / others.length : 1 }
}

/** Counts the cells of the first records that are not empty. A quotation mark counts only at the start of a cell. */
function cellCounts(text: string, delimiter: string, isWhole: boolean): number[] {
  const counts: number[] = []
  let [cells, start, isQuoted] = [1, 0, false]
  for (let i = 0; i < text.length && counts.length < sampledRecords; i++) {
    const sign = text[i]
    if (sign === '"') {
      if (isQuoted || isStartOfCell(text, i, delimiter)) isQuoted = !isQuoted
    } else if (isQuoted) continue
    else if (sign === delimiter) cells++
    else if (sign === "\n" || sign === "\r") {
      if (text.slice(start, i).trim() !== "") counts.push(cells)
      ;[cells, start] = [1, i + 1]
    }
  }
  if (isWhole && counts.length < sampledRecords && text.slice(start).trim() !== "") counts.push(cells)
  return counts
}

function isStartOfCell(text: string, index: number, delimiter: string): boolean {
  const before = text[index - 1]
  // After a closing quotation mark another one is an escaped one, which opens again.
  return before === undefined || before === delimiter || before === "\n" || before === "\r" || before === '"'
}
