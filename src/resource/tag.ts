import { Refusal } from "../lib/refusal"

/**
 * The number of changes of a record that are not edits, such as changes of an item's stock. Records have it under a
 * symbol, so that copies of a record keep it and responses do not show it.
 */
const changeCount = Symbol("changeCount")

type Versioned = { version: number; [changeCount]?: number }

/** The state of a record that the caller expects. Without a change count, only the version is compared. */
export type Tag = { version: number; changeCount: number | null }

/** The states that the caller expects (If-Match); null when the caller did not send any. */
export type Expected = readonly Tag[] | null

/** Moves the column change_count of a row to the symbol. */
export function hideChangeCount(row: Record<string, unknown>): void {
  ;(row as Record<symbol, unknown>)[changeCount] = row.change_count
  delete row.change_count
}

/** The ETag of a record: `"<version>.<change count>"`. It differs after every stored change of the record. */
export const etagOf = (record: Versioned): string => `"${record.version}.${record[changeCount] ?? 0}"`

const entityTag = /(?<!W\/)"(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?"/g

/** Returns the states in a list of ETags. Tags in another format match no record. */
export const readTags = (header: string): Tag[] =>
  [...header.matchAll(entityTag)].map(([, version, count]) => ({
    version: Number(version),
    changeCount: count === undefined ? null : Number(count),
  }))

/** Throws when the record was changed after the caller read it. */
export function assertVersion(record: Versioned, expected: Expected): void {
  const count = record[changeCount] ?? 0
  const isExpected = (tag: Tag) =>
    tag.version === record.version && (tag.changeCount === null || tag.changeCount === count)
  if (expected === null || expected.some(isExpected)) return
  throw new Refusal(
    "PRECONDITION_FAILED",
    `The record has changed; it is now at version ${record.version}, ETag ${etagOf(record)}. Get it again and repeat the update.`,
    { params: { version: record.version } },
  )
}
