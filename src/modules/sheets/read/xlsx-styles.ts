import { attribute } from "./xml"
import { readXml } from "./xlsx-workbook"

const formatId = attribute("numFmtId")
const formatCode = attribute("formatCode")

/** The built-in formats that show a day. Those from 27 on are of eastern languages. */
const builtIn: readonly [from: number, to: number][] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [34, 36],
  [50, 58],
]

/** Returns for each style of an XLSX file whether it shows a number as a date. */
export function dateStyles(texts: Iterable<string>): boolean[] {
  const codes = new Map<number, string>()
  const styles: boolean[] = []
  let isInCells = false
  readXml(texts, (name, tag) => {
    const number = Number(formatId(tag) ?? Number.NaN)
    if (name === "numFmt") codes.set(number, formatCode(tag) ?? "")
    // Only the formats of cells count: there are named ones in a list of the same form.
    if (name === "cellXfs") isInCells = true
    else if (name === "cellStyles" || name === "dxfs") isInCells = false
    else if (name === "xf" && isInCells) styles.push(isDateFormat(number, codes.get(number)))
  })
  return styles
}

function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtIn.some(([from, to]) => id >= from && id <= to)
  const signs = code
    .replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|[_*]./g, "")
    .split(";", 1)[0]
    ?.toLowerCase()
  if (signs === undefined || signs.includes("general")) return false
  // Without a day or a year, `m` is a month only when there are no hours and seconds.
  return /[dy]/.test(signs) || (signs.includes("m") && !/[hs]/.test(signs))
}
