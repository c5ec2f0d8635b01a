import type { Batches, ShownRecord } from "../sheets/write/records"
import { csvText } from "../sheets/write/csv"
import { ndjsonText } from "../sheets/write/ndjson"
import { xlsxBytes } from "../sheets/write/xlsx"
import type { InTable, Written } from "./model"

/** A file in pieces of any size. */
export type Pieces = AsyncIterable<string | Uint8Array>

/** Writes records as a file. */
export function listFile(batches: Batches, kind: string, written: Written, inTable: InTable): Pieces {
  if (written.format === "ndjson") return ndjsonText(batches, written.fields)
  const shown = mapped(batches, inTable)
  return written.format === "xlsx"
    ? (xlsxBytes(shown, written.columns, { name: kind, digits: written.digits }) as unknown as Pieces)
    : csvText(shown, written.columns, written.style)
}

async function* mapped(batches: Batches, convert: InTable): AsyncGenerator<ShownRecord[], undefined> {
  for await (const records of batches) yield convert(records)
  return undefined
}
