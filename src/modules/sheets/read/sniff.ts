import type { SheetType } from "../model"
import { utf16Of } from "./encoding"

const save = "Save it as CSV or XLSX in your spreadsheet program and try again."

/** The first bytes of files that are not tables, and what to say about each. */
const others: readonly [signature: string, sentence: string][] = [
  ["%PDF", "The file is a PDF, not a table. A table is a CSV or XLSX file."],
  ["\xd0\xcf\x11\xe0", `The file is an old Excel file (.xls) or has a password. ${save}`],
  ["\x89PNG", "The file is an image, not a table. A table is a CSV or XLSX file."],
  ["\xff\xd8\xff", "The file is an image, not a table. A table is a CSV or XLSX file."],
  ["GIF8", "The file is an image, not a table. A table is a CSV or XLSX file."],
  ["RIFF", "The file is an image or a recording, not a table. A table is a CSV or XLSX file."],
  ["\x1f\x8b", "The file is compressed (gzip). Unpack it and try again."],
  ["7z\xbc\xaf", "The file is compressed (7z). Unpack it and try again."],
  ["Rar!", "The file is compressed (RAR). Unpack it and try again."],
  ["PK\x05\x06", "The file is an empty ZIP file, not a table."],
]

/** Recognises the type of a file by its beginning, or tells why it is not a table. */
export function sniff(bytes: Uint8Array): SheetType | { refused: string } {
  const start = Buffer.from(bytes.subarray(0, 100)).toString("latin1")
  if (start.startsWith("PK\x03\x04")) return typeOfZip(start)
  for (const [signature, sentence] of others) if (start.startsWith(signature)) return { refused: sentence }
  if (utf16Of(bytes)) return bytes.length > 2 ? "csv" : { refused: "The file is empty." }
  if (bytes.includes(0)) return { refused: "The file is not a table. A table is a CSV or XLSX file." }
  return typeOfText(bytes)
}

/** OpenDocument files are ZIP files too. They begin with their type. */
function typeOfZip(start: string): SheetType | { refused: string } {
  if (!start.includes("mimetypeapplication/")) return "xlsx"
  return { refused: `The file is an OpenDocument file, which cannot be read. ${save}` }
}

function typeOfText(bytes: Uint8Array): SheetType | { refused: string } {
  const text = new TextDecoder().decode(bytes.subarray(0, 10_000)).trimStart()
  if (text === "" && bytes.every((byte) => byte <= 0x20 || byte >= 0x80))
    return { refused: "The file is empty." }
  if (/^<(\?xml|!doctype|html|table)/i.test(text))
    return { refused: `The file is a web page or XML, not a table. ${save}` }
  return "csv"
}
