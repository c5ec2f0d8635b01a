import { unescapeXlsx } from "../../../shared/sheet-escape"
import { longestCell, longestXlsxCell, mostSharedStrings } from "./limits"
import { SheetError } from "./sheet-error"
import { textStore, type TextStore } from "./text-store"
import { readXml } from "./xml"

/** Reads the texts that the cells of a workbook share. */
export async function sharedStrings(parts: AsyncIterable<string>): Promise<TextStore> {
  const strings = textStore()
  let [text, isText, isReading]: [string, boolean, boolean] = ["", false, false]
  await readXml(parts, {
    open(name) {
      if (name === "si") text = ""
      else if (name === "rPh") isReading = true
      else if (name === "t") isText = !isReading
    },
    close(name) {
      if (name === "si") {
        if (strings.length === mostSharedStrings) throw tooManyCells()
        // The rest of a text that is too long is not needed, and millions of cells may refer to the same text.
        strings.add(unescapeXlsx(text).slice(0, longestCell + 1))
      } else if (name === "rPh") isReading = false
      else if (name === "t") isText = false
    },
    text(part) {
      if (isText && text.length <= longestXlsxCell) text += part
    },
  })
  return strings
}

const tooManyCells = (): SheetError =>
  new SheetError("TOO_MANY_CELLS", "The file has too many cells. Save the table as CSV and try again.")
