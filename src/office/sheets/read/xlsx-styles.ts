import { readXml } from "./xml"

/** A longer format is of no spreadsheet program. */
const longestCode = 255

/** The built-in formats that show a day. Those from 27 on are of eastern languages. */
const builtIn: readonly [from: number, to: number][] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [34, 36],
  [50, 58],
]

/** Returns for each style of an XLSX file whether it shows a number as a date. */
export async function dateStyles(parts: AsyncIterable<string>): Promise<boolean[]> {
  const isDate = new Map<number, boolean>()
  const styles: boolean[] = []
  let isInCells = false
  await readXml(parts, {
    open(name, { numFmtId, formatCode = "" }) {
      const id = Number(numFmtId)
      if (name === "numFmt" && formatCode.length <= longestCode) isDate.set(id, isDateCode(formatCode))
      // Only the formats of cells count: there are named ones in a list of the same form.
      else if (name === "cellXfs") isInCells = true
      else if (name === "cellStyles" || name === "dxfs") isInCells = false
      else if (name === "xf" && isInCells) styles.push(isDate.get(id) ?? isBuiltIn(id))
    },
  })
  return styles
}

const isBuiltIn = (id: number): boolean => builtIn.some(([from, to]) => id >= from && id <= to)

function isDateCode(code: string): boolean {
  const signs = code
    .replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]|[_*]./g, "")
    .split(";", 1)[0]
    ?.toLowerCase()
  if (signs === undefined || signs.includes("general")) return false
  // Without a day or a year, `m` is a month only when there are no hours and seconds.
  return /[dy]/.test(signs) || (signs.includes("m") && !/[hs]/.test(signs))
}
