/** A record in the form of a response. */
export type ShownRecord = Record<string, unknown>

/** The records of a file, some at a time. */
export type Batches = AsyncIterable<readonly ShownRecord[]>

/** True for a value that a cell does not show: none, an empty list, or an object without keys. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0)
