import type { Database } from "../engine/engine"
import { searchTables, segmentsToMerge } from "../engine/schema/search-tables"
import { removeText, writeText } from "./search-tables"
import {
  countWaiting,
  deleteWaitingTo,
  findWaiting,
  isWaiting,
  type Waiting,
  waitingRead,
} from "../write/search-waiting"
import { integersOf, type Prepared, statementCache } from "../engine/sql"
import { system, type Writer } from "../write/writer"
import { steadyMillis } from "../lib/clock"
import type { Resource } from "../kind/define"
import { searchColumns, searchedKinds } from "./reindex"
import { searchText } from "./search"

/** The number of marks that one transaction handles. It takes about two milliseconds, in which other requests wait. */
const mostAtOnce = 64
/** In milliseconds. Fewer marks wait for this time, because a large group takes far less time per record. */
const longestWait = 250

/** The time for merging, compared with the time for writing text, while it cannot wait. Ten million records need 1.2. */
const mergeShare = 1.5
/** In milliseconds. Segments are merged when no records were written for this time, with a pause after each step. */
const quietTime = 200
const mergePause = 2

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
  const merges = searchMerges(db, writer)
  const settle = groupFeed(db, writer, kinds, merges.add)
  const background = backgroundFeed(settle, merges)
  let noted = 0
  let isHeld = false
  let timer: Timer | undefined

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    noted = 0
    background.start()
  }

  return {
    isWaiting: (): boolean => isWaiting(db),

    /** A search without the newest records is better than none when the file cannot be written. */
    settle: (): Promise<void> => settle().catch(() => {}),

    /** Notes that a committed write has marked a record. */
    note(): void {
      if (isHeld) return
      noted++
      if (noted === mostAtOnce) start()
      else timer ??= setTimeout(start, longestWait)
    },

    /**
     * Leaves it to `settle` to write, until the returned function is called. A shop that is being filled writes the text of
     * its records once.
     */
    hold(): () => void {
      isHeld = true
      return () => void (isHeld = false)
    },

    /** Writes what waits before the file is closed. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await background.stop()
      await settle().catch(() => {})
    },
  }
}

/** Writes the text of all records that wait when it is called. `afterGroup` gets the time that a group took. */
type Settle = (afterGroup?: (took: number) => Promise<void>) => Promise<void>

/** `onFed` is called with the tables whose text was written. */
function groupFeed(
  db: Database,
  writer: Writer,
  kinds: readonly Resource[],
  onFed: (table: string) => void,
): Settle {
  const tables = new Map(searchedKinds(kinds).map((kind) => [kind.table, kind]))
  const prepared = statementCache(db)
  return async (afterGroup = async () => {}) => {
    // The marks are in the order of the commits, so the oldest ones are those that waited when it began.
    for (let left = countWaiting(db); left > 0;) {
      const began = steadyMillis()
      const work = () => feed(db, tables, prepared)
      const { count, sources } = await writer(work, system, { reads: [waitingRead(mostAtOnce)] })
      if (count === 0) return
      left -= count
      for (const source of sources) onFed(source)
      await afterGroup(steadyMillis() - began)
    }
  }
}

/** Writes the text of records that wait when it is started, and merges segments in between and after it. */
function backgroundFeed(settle: Settle, merges: ReturnType<typeof searchMerges>) {
  let isDue = false
  let isStopped = false
  let running: Promise<void> | null = null
  let startedAt = 0

  async function run(): Promise<void> {
    while (!isStopped) {
      if (isDue) {
        isDue = false
        await settle((took) => (merges.isBehind() ? merges.run(took * mergeShare) : Promise.resolve()))
      } else if (steadyMillis() - startedAt < quietTime) await Bun.sleep(quietTime / 10)
      else if (await merges.step()) await Bun.sleep(mergePause)
      else return
    }
  }

  function start(): void {
    isDue = true
    startedAt = steadyMillis()
    // The marks stay when the file cannot be written. They are tried again after the next write, or by a search.
    running ??= run()
      .catch(() => {})
      .finally(() => {
        running = null
        // It may have become due just when there was nothing left to do.
        if (isDue && !isStopped) start()
      })
  }

  return {
    start,
    stop(): Promise<void> | null {
      isStopped = true
      return running
    },
  }
}

/** Writes the text of the records with the oldest marks. Returns the number of marks and the tables of the records. */
function feed(
  db: Database,
  tables: ReadonlyMap<string, Resource>,
  prepared: Prepared,
): { count: number; sources: string[] } {
  const marks = findWaiting(db, mostAtOnce)
  const bySource = Map.groupBy(marks, (mark) => mark.source)
  for (const [source, some] of bySource) {
    const kind = tables.get(source)
    if (kind) feedTable(db, kind, some, prepared)
  }
  const last = marks.at(-1)
  if (last) deleteWaitingTo(db, last.position)
  return { count: marks.length, sources: [...bySource.keys()] }
}

function feedTable(db: Database, kind: Resource, marks: readonly Waiting[], prepared: Prepared): void {
  const { table } = kind
  const marked = [...new Set(marks.map(({ record }) => record))]
  const records = prepared(`SELECT seq, ${searchColumns(kind)} FROM ${table} WHERE seq IN ${integersOf("?")}`)
  const rows = (records.all(JSON.stringify(marked)) as ({ seq: number } & Record<string, unknown>)[]).map(
    ({ seq, ...record }) => ({ seq, ...searchText(kind, record) }),
  )
  // New rows are removed too, because the number of a deleted row can be used again. This costs little.
  removeText(db, table, marked)
  writeText(db, table, rows)
}

/** The number of pages that one transaction merges. It takes about as long as a group of marks. */
const pagesAtOnce = 8

/** With more new segments, merging cannot wait: every search reads all segments, and FTS5 itself merges 256 at once. */
const mostSegments = 128

/** Merges the segments of search tables that text was written to, in small steps. */
function searchMerges(db: Database, writer: Writer) {
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
    const hasMore = await writer(() => db.engine.search.merge(name, pagesAtOnce))
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
