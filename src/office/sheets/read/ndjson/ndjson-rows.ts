import { shapeOfJson } from "../../../../core/lib/json"
import { escapeText } from "../../../../shared/sheet-escape"
import { type Cell, deepestJson } from "../cells"
import { decodedText } from "../csv-rows"
import { longestCsvRow, mostColumns } from "../limits"
import type { SheetRecord } from "../records"
import { SheetError, shown } from "../sheet-error"

type Json = Record<string, unknown>

/** A column: a key of the objects, or a key of an object in them, such as `address` and `city`. */
type Path = { key: string; part: string | null }

/**
 * Reads NDJSON as a table, one JSON object per line. The first record has the titles, and is no line of the file: they are
 * the keys of all objects. `whole` are the keys whose objects are one value; those of others have a column for each part.
 */
export async function* ndjsonRecords(
  piecesOf: () => AsyncIterable<Uint8Array>,
  whole: readonly string[],
): AsyncGenerator<SheetRecord> {
  const paths = await pathsIn(linesOf(piecesOf()), whole)
  // A line without any key is a fault, so it needs a title before it.
  yield { row: 0, cells: paths.length > 0 ? paths.map(titleOf) : ["id"] }
  for await (const { row, text } of linesOf(piecesOf())) {
    const object = objectOf(text)
    yield object
      ? { row, cells: paths.map((path) => cellOf(valueAt(object, path))) }
      : { row, cells: [], notAnObject: text }
  }
}

const titleOf = ({ key, part }: Path): string => (part === null ? key : `${key}.${part}`)

/** Returns the columns of a file, in the order in which they first occur. One more than allowed is enough. */
async function pathsIn(lines: AsyncIterable<Line>, whole: readonly string[]): Promise<Path[]> {
  const paths = new Map<string, Path>()
  const add = (key: string, part: string | null) => {
    const id = JSON.stringify([key, part])
    if (!paths.has(id) && paths.size <= mostColumns) paths.set(id, { key, part })
  }
  for await (const { text } of lines)
    for (const [key, value] of Object.entries(objectOf(text) ?? {})) {
      if (isObject(value) && !whole.includes(key)) for (const part of Object.keys(value)) add(key, part)
      else if (value !== null) add(key, null)
    }
  return [...paths.values()]
}

function valueAt(object: Json, { key, part }: Path): unknown {
  const value = Object.hasOwn(object, key) ? object[key] : null
  if (part === null) return value
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : null
}

/** The cell of a value, as a spreadsheet would have it. A text is read without the `'` that a table has before formulas. */
function cellOf(value: unknown): Cell {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value
  return escapeText(typeof value === "string" ? value : JSON.stringify(value))
}

function objectOf(text: string): Json | null {
  if (shapeOfJson(Buffer.from(text)).depth > deepestJson) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

type Line = { row: number; text: string }

/** Reads the lines that are not empty. Only one of them is in memory. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let [row, rest] = [1, ""]
  for await (const text of decodedText(pieces, "utf-8")) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line.length > longestCsvRow) throw tooLong(row)
      if (line.trim() !== "") yield { row, text: line }
      row++
    }
    if (rest.length > longestCsvRow) throw tooLong(row)
  }
  if (rest.trim() !== "") yield { row, text: rest }
}

const tooLong = (row: number): SheetError =>
  new SheetError("ROW_TOO_LONG", `Row ${shown(row)} has more than ${shown(longestCsvRow)} characters.`, {
    params: { row },
  })
