/** A record in the form of a response. */
export type ShownRecord = Record<string, unknown>

/** The records of a file, some at a time. */
export type Batches = AsyncIterable<readonly ShownRecord[]>

/**
 * Makes a row of each line of a document: the record with the line instead of the list. A document without lines has one
 * row. The rows of one document at a time are in memory.
 */
export async function* rowPerLine(batches: Batches, list: string): AsyncGenerator<ShownRecord[], undefined> {
  for await (const records of batches)
    for (const record of records) {
      const lines = record[list]
      yield Array.isArray(lines) && lines.length > 0
        ? lines.map((line: unknown) => ({ ...record, [list]: line }))
        : [{ ...record, [list]: null }]
    }
  return undefined
}

/** True for a value that a cell does not show: none, an empty list, or an object without keys. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0)
