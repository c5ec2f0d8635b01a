import type { BeginningRow } from "../../model"
import { titleForm } from "../../title-form"
import { isEmpty, textOf } from "../cells"
import type { SheetRecord } from "../records"

/** The rows at the beginning of a file of which one has the titles. */
const mostRows = 20
/** More of the file is not kept, because a row may have megabytes. */
const longestBeginning = 500_000
/** A longer text is no title. */
const longestTitle = 100
/** The share of the widest row that the row of the titles has at least. */
const enough = 0.6

const shownRows = 10
const shownCells = 12
const shownLength = 60

/** Reads the first rows of a file. */
export async function firstRecords(records: AsyncIterator<SheetRecord>): Promise<SheetRecord[]> {
  const first: SheetRecord[] = []
  let length = 0
  while (first.length < mostRows && length < longestBeginning) {
    const { done, value } = await records.next()
    if (done) break
    first.push(value)
    for (const cell of value.cells) length += typeof cell === "string" ? cell.length : 1
  }
  return first
}

/** The rows that were read already, and then those after them. */
export async function* joined(
  first: readonly SheetRecord[],
  rest: AsyncIterator<SheetRecord>,
): AsyncGenerator<SheetRecord> {
  try {
    yield* first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/**
 * Returns the number of the row that has the titles: the one with the most titles of `known`, or else the first one that is
 * about as wide as the others, if the first row of the file is a single text such as "Price list 2026".
 */
export function headingRowOf(first: readonly SheetRecord[], known: readonly string[]): number {
  const forms = new Set(known)
  const rows = first.map(({ row, cells }) => ({ row, ...featuresOf(cells, forms) }))
  const top = rows[0]
  if (!top) return 1
  const widest = Math.max(...rows.map(({ filled }) => filled))
  const best = rows.reduce((a, b) => (b.titles > a.titles ? b : a))
  if (best.titles >= 2 && (best.titles >= top.titles + 2 || (top.filled === 1 && widest > 1))) return best.row
  if (top.filled > 1 || top.titles > 0 || widest < 2) return top.row
  const wide = rows.find(({ filled, texts }) => filled >= Math.max(2, enough * widest) && texts === filled)
  return wide?.row ?? top.row
}

/** How many cells of a row have content, how many of these are texts, and how many are different titles that are known. */
function featuresOf(cells: SheetRecord["cells"], known: ReadonlySet<string>) {
  const full = cells.filter((cell) => !isEmpty(cell))
  const texts = full.filter((cell) => typeof cell === "string" && cell.length <= longestTitle).map(textOf)
  const titles = new Set(texts.map(titleForm).filter((form) => known.has(form)))
  return {
    filled: full.length,
    texts: texts.filter((text) => !/^[\d.,'\s-]+$/.test(text)).length,
    titles: titles.size,
  }
}

/** The first rows of a file, to choose the one with the titles. */
export const beginningOf = (first: readonly SheetRecord[]): BeginningRow[] =>
  first.slice(0, shownRows).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, shownCells).map((cell) =>
      textOf(cell)
        .slice(0, 10 * shownLength)
        .trim()
        .slice(0, shownLength),
    ),
  }))
