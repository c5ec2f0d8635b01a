import type { Database } from "bun:sqlite"
import { removeText, writeText } from "../db/search-tables"
import { countWaiting, deleteWaitingTo, findWaiting, isWaiting, type Waiting } from "../db/search-waiting"
import type { Writer } from "../db/writer"
import type { Resource } from "./define"
import { searchColumns, searchedKinds } from "./reindex"
import { searchText } from "./search"
import { statementCache, type Prepared } from "./statements"

/** The number of marks that one transaction handles. It takes about two milliseconds, in which other requests wait. */
const mostAtOnce = 64
/** In milliseconds. Fewer marks wait for this time, because a large group takes far less time per record. */
const longestWait = 250

/** What a search needs, so that it finds everything that was written before it. */
export type SearchFeed = {
  /** True when records wait for their search text. */
  isWaiting(): boolean
  /** Writes the search text of all records that wait now. */
  settle(): Promise<void>
}

/**
 * Writes the search text of records a moment after their commit, in groups. A write only marks its records, in the same
 * transaction, so the text is not lost at a crash. A search first writes what waits.
 */
export function searchFeed(db: Database, writer: Writer, kinds: readonly Resource[]) {
  const tables = new Map(searchedKinds(kinds).map((kind) => [kind.table, kind]))
  const prepared = statementCache(db)
  let noted = 0
  let timer: Timer | undefined

  const feedSome = (): Promise<number> => writer(() => feed(db, tables, prepared))

  /** The marks are in the order of the commits, so the oldest ones are those that waited when it began. */
  async function settle(): Promise<void> {
    for (let left = countWaiting(db); left > 0;) {
      const fed = await feedSome()
      if (fed === 0) return
      left -= fed
    }
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    noted = 0
    // The marks stay when the file cannot be written. They are tried again after the next write, or by a search.
    settle().catch(() => {})
  }

  return {
    isWaiting: (): boolean => isWaiting(db),

    /** A search without the newest records is better than none when the file cannot be written. */
    settle: (): Promise<void> => settle().catch(() => {}),

    /** Notes that a committed write has marked a record. */
    note(): void {
      noted++
      if (noted === mostAtOnce) start()
      else timer ??= setTimeout(start, longestWait)
    },

    /** Writes what waits before the file is closed. */
    stop(): Promise<void> {
      clearTimeout(timer)
      return settle().catch(() => {})
    },
  }
}

/** Writes the text of the records with the oldest marks, and returns the number of marks. */
function feed(db: Database, tables: ReadonlyMap<string, Resource>, prepared: Prepared): number {
  const marks = findWaiting(db, mostAtOnce)
  for (const [source, some] of Map.groupBy(marks, (mark) => mark.source)) {
    const kind = tables.get(source)
    if (kind) feedTable(db, kind, some, prepared)
  }
  const last = marks.at(-1)
  if (last) deleteWaitingTo(db, last.position)
  return marks.length
}

function feedTable(db: Database, kind: Resource, marks: readonly Waiting[], prepared: Prepared): void {
  const { table } = kind
  const marked = [...new Set(marks.map(({ record }) => record))]
  const row = prepared(`SELECT ${searchColumns(kind)} FROM ${table} WHERE seq = ?`)
  const rows = marked.flatMap((seq) => {
    const record = row.get(seq) as Record<string, unknown> | null
    return record ? [{ seq, ...searchText(kind, record) }] : []
  })
  // New rows are removed too, because the number of a deleted row can be used again. This costs little.
  removeText(db, table, marked)
  writeText(db, table, rows)
}
