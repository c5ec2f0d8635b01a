import { Refusal } from "../lib/refusal"
import { unique, withDefault } from "./field"
import { pairs } from "./object"
import { text } from "./text-field"

/**
 * The number of changes of a record that are not edits, such as changes of an item's stock, if there are any. It is not
 * a property, because responses do not show it, and a property with a symbol as its name would make them slower.
 */
const changeCounts = new WeakMap<object, number>()

type Versioned = { version: number }

/** The state of a record that the caller expects. Without a change count, only the version is compared. */
export type Tag = { version: number; changeCount: number | null }

/** The states that the caller expects (If-Match); null when the caller did not send any. */
export type Expected = readonly Tag[] | null

/** Removes the column change_count from a row and remembers its value. */
export function hideChangeCount(row: Record<string, unknown>): void {
  const count = Number(row.change_count)
  delete row.change_count
  if (count > 0) changeCounts.set(row, count)
}

export function keepChangeCount<T extends object>(record: object, copy: T): T {
  const count = changeCounts.get(record)
  if (count !== undefined) changeCounts.set(copy, count)
  return copy
}

/** The ETag of a record: `"<version>.<change count>"`. It differs after every stored change of the record. */
export function etagOf(record: Versioned): string {
  const count = changeCounts.get(record)
  return count === undefined ? `"${record.version}.0"` : `"${record.version}.${count}"`
}

const entityTag = /(?<!W\/)"(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?"/g

/** Returns the states in a list of ETags. Tags in another format match no record. */
export const readTags = (header: string): Tag[] =>
  [...header.matchAll(entityTag)].map(([, version, count]) => ({
    version: Number(version),
    changeCount: count === undefined ? null : Number(count),
  }))

/** Throws when the record was changed after the caller read it. */
export function assertVersion(record: Versioned, expected: Expected): void {
  const count = changeCounts.get(record) ?? 0
  const isExpected = (tag: Tag) =>
    tag.version === record.version && (tag.changeCount === null || tag.changeCount === count)
  if (expected === null || expected.some(isExpected)) return
  throw new Refusal(
    "PRECONDITION_FAILED",
    `The record has changed; it is now at version ${record.version}, ETag ${etagOf(record)}. Get it again and repeat the update.`,
    { params: { version: record.version }, headers: { etag: etagOf(record) } },
  )
}

const mostPairs = 50
const longestKey = 40
const longestValue = 500

/** The fields that tie a record to a record of another system. */
export const externalFields = {
  externalId: unique({
    ...text({
      max: 100,
      isCode: true,
      description: "The id of the record in another system. Unique, and compared exactly",
    }),
    isExact: true,
  }),
  metadata: withDefault(
    pairs({
      mostPairs,
      longestKey,
      longestValue,
      examples: [{ channel: "web" }],
      description: `Up to ${mostPairs} pairs of your own: keys of at most ${longestKey} characters, texts of at most ${longestValue}`,
    }),
    {},
  ),
}
