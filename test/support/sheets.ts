import type { CellType, GivenFormat, PlannedColumn, SheetRow } from "../../src/office/sheets/model"
import { readHead } from "../../src/office/sheets/read/head"
import { readRows } from "../../src/office/sheets/read/rows"

/** Returns the pieces of a file, each of a number of bytes. */
export const inPieces =
  (bytes: Uint8Array, size = 256 * 1024) =>
  (index: number): Uint8Array | null =>
    index * size < bytes.length ? bytes.subarray(index * size, (index + 1) * size) : null

export const bytesOf = (text: string): Uint8Array => Buffer.from(text)

type Options = {
  given?: GivenFormat
  types?: Record<string, CellType>
  from?: number
  size?: number
  known?: readonly string[]
  marksTotals?: boolean
}

/** Reads a whole file, without the thread of `openSheet`. Each column is a field of its name; `types` says which are not text. */
export async function readSheet(
  file: string | Uint8Array,
  { given = {}, types = {}, from = 1, size, known = [], marksTotals = false }: Options = {},
) {
  const pieces = inPieces(typeof file === "string" ? bytesOf(file) : file, size)
  const pieceOf = async (index: number) => pieces(index)
  const head = await readHead(pieceOf, given, known)
  const plan = head.columns.map(({ name }, index): PlannedColumn => ({
    index,
    field: name,
    type: (Object.hasOwn(types, name) && types[name]) || "text",
  }))
  const rows: SheetRow[] = []
  for await (const batch of readRows(pieceOf, { format: head.format, plan, from, marksTotals }))
    rows.push(...batch)
  return {
    ...head,
    rows,
    inputs: rows.map(({ input }) => input),
    faults: rows.flatMap((row) => row.faults),
  }
}

/** Why a file cannot be read. */
export async function refusalOf(file: string | Uint8Array, options?: Options): Promise<string> {
  try {
    await readSheet(file, options)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "It was read."
}
