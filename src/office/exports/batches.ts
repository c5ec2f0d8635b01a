import type { ShownRecord } from "../sheets/write/records"
import type { Exportable } from "./model"

/** The number of records that are in memory at once. A document can have hundreds of lines. */
const recordsAtOnce = 50

/** Reads records by their ids, in their order, some at a time. */
export async function* batchesOf(
  ids: Iterable<string>,
  findMany: Exportable["findMany"],
): AsyncGenerator<ShownRecord[], undefined> {
  let some: string[] = []
  for (const id of ids) {
    some.push(id)
    if (some.length < recordsAtOnce) continue
    yield (await findMany(some, null)) as ShownRecord[]
    some = []
  }
  if (some.length > 0) yield (await findMany(some, null)) as ShownRecord[]
  return undefined
}
