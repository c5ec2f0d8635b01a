import { delimiters, type Delimiter } from "../model"
import { SheetError } from "./sheet-error"

/** The records that are looked at. */
const sampled = 100
/** The share of records with as many cells as the titles, from which a delimiter is believed. */
const enough = 0.9
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
  if (likely) return likely.delimiter
  // A file with one column. A delimiter in its values is not one.
  return delimiters.find((delimiter) => !text.includes(delimiter)) ?? "\t"
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
  for (let i = 0; i < text.length && counts.length < sampled; i++) {
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
  if (isWhole && counts.length < sampled && text.slice(start).trim() !== "") counts.push(cells)
  return counts
}

function isStartOfCell(text: string, index: number, delimiter: string): boolean {
  const before = text[index - 1]
  // After a closing quotation mark another one is an escaped one, which opens again.
  return before === undefined || before === delimiter || before === "\n" || before === "\r" || before === '"'
}
