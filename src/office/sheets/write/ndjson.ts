import { slim } from "../../../core/store/list"
import type { Batches } from "./records"

/** Writes records as NDJSON: one JSON object per line, as a response contains it. */
export async function* ndjsonText(
  batches: Batches,
  fields: string[] | undefined,
): AsyncGenerator<string, undefined> {
  for await (const records of batches)
    yield records.map((record) => `${JSON.stringify(slim(record, fields))}\n`).join("")
  return undefined
}
