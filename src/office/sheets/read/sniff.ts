import type { SheetErrorReason, SheetType } from "../model"
import { utf16Of } from "./encoding"
import { SheetError } from "./sheet-error"

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
  return "csv"
}
