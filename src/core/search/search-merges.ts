import type { Database } from "../engine/engine"
import { mergeSegments, searchTables, segmentsToMerge } from "./search-tables"
import type { Writer } from "../write/writer"
import { steadyMillis } from "../lib/clock"

/** The number of pages that one transaction merges. It takes about as long as a group of marks. */
const pagesAtOnce = 8

/** With more new segments, merging cannot wait: every search reads all segments, and FTS5 itself merges 256 at once. */
const mostSegments = 128

/** Merges the segments of search tables that text was written to, in small steps. */
export function searchMerges(db: Database, writer: Writer) {
  /** The new segments of each search table. A table is merged from `segmentsToMerge` on. */
  const segments = new Map<string, number>()
  const known = new Set<string>()
  const isDue = (name: string): boolean => (segments.get(name) ?? 0) >= segmentsToMerge

  /** Returns false when there is nothing to merge. */
  async function step(): Promise<boolean> {
    const name = [...segments.keys()].find(isDue)
    if (name === undefined) return false
    const count = segments.get(name) ?? 0
    segments.delete(name)
    const hasMore = await writer(() => mergeSegments(db, name, pagesAtOnce))
    // Added again at the end, so that the tables take turns.
    if (hasMore) segments.set(name, count + (segments.get(name) ?? 0))
    return true
  }

  return {
    /** Notes that a group of text was written to the search tables of a kind. Each group is a segment. */
    add(table: string): void {
      for (const name of searchTables(table)) {
        // The first group after a start counts as the last one, because earlier runs may have left any number of segments.
        segments.set(name, (segments.get(name) ?? (known.has(name) ? 0 : segmentsToMerge - 1)) + 1)
        known.add(name)
      }
    },
    step,

    /** True when merging cannot wait until no records are written. */
    isBehind: (): boolean => [...segments.values()].some((count) => count > mostSegments),

    /** Merges for some milliseconds. */
    async run(millis: number): Promise<void> {
      for (const end = steadyMillis() + millis; steadyMillis() < end;) if (!(await step())) return
    },
  }
}
