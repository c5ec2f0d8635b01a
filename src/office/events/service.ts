import type { Database } from "../../core/engine/engine"
import type { Subscribe } from "../../core/engine/others-writes"
import type { Writer } from "../../core/write/writer"
import { business } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { nextStep } from "../../core/lib/turns"
import { findJumps } from "../../core/write/clock-jumps"
import { openReaders } from "./readers"
import type { Event, EventKind } from "./model"
import { listOf, valueOf } from "../../core/engine/sql"
import { invalid, Refusal } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"

/** The number of events that are looked at before other requests may run, and at most for one page. */
const atOnce = 5_000
const mostPerPage = 200_000
const deletedAtOnce = 500
/** The time between two such transactions, in milliseconds. */
const deletedEvery = 10

type Deps = {
  db: Database
  writer: Writer
  /** Identifies the feed of this file. */
  feed: string
  /** Calls a listener after each commit that wrote events. */
  subscribe: Subscribe
  kinds: readonly EventKind[]
  /** How long events are kept, in milliseconds. */
  keptFor: number
}

/** Some events, and the number to go on after. `hasMore` tells that not all events after it were looked at. */
type Found = { events: Event[]; last: number; hasMore: boolean }

/** Events that are deleted: the numbers of the first and the last one, and the last number of each type. */
export type Deleted = { first: number; last: number; types: ReturnType<typeof findTypesBefore> }

export function eventService(deps: Deps) {
  const { db, writer, feed, subscribe, kinds, keptFor } = deps
  const end = (): number => findEnds(db)?.newest ?? 0
  return {
    kinds,
    feed,
    readers: openReaders(subscribe),

    latest: end,

    /** The number of the oldest event that is kept. */
    oldest: (): number => findEnds(db)?.oldest ?? 1,

    /** Returns the number to read after. Without a position, it is the one before the oldest event. */
    startOf(position: string | undefined): number {
      if (position === "latest") return end()
      const ends = findEnds(db)
      if (position === undefined) return (ends?.oldest ?? 1) - 1
      const seq = readPosition(position, feed)
      assertKept(ends, seq)
      if (seq > (ends?.newest ?? 0)) throw expired("The position is not in this feed.")
      return seq
    },

    /** Returns the number of the last event before a time. Refuses a time after which events were deleted. */
    before: (time: string): number => findBefore(db, time),

    positionOf: (seq: number): string => writePosition({ feed, seq }),

    read: (
      after: number,
      types: readonly string[],
      limit: number,
      signal: AbortSignal | null,
    ): Promise<Found> => read(db, after, types, limit, signal),

    /** Deletes events that are older than they are kept. `onDelete` is called in each transaction, before it deletes. */
    async deleteExpired(onDelete: (deleted: Deleted) => void): Promise<void> {
      const before = later(business.now(), -keptFor)
      while ((await writer(() => deleteSome(db, before, onDelete))) === deletedAtOnce)
        await Bun.sleep(deletedEvery)
    },
  }
}

export type EventService = ReturnType<typeof eventService>

/** Refuses a number after which events were deleted. */
function assertKept(ends: ReturnType<typeof findEnds>, after: number): void {
  if (after < (ends?.oldest ?? 1) - 1) throw expired("Events after this position were deleted.")
}

/** Deletes some of the events that were written before a time, and returns their number. */
function deleteSome(db: Database, before: string, onDelete: (deleted: Deleted) => void): number {
  const [ends, kept] = [findEnds(db), findKept(db, before, deletedAtOnce)]
  if (!ends || kept === null || kept === ends.oldest) return 0
  onDelete({ first: ends.oldest, last: kept - 1, types: findTypesBefore(db, kept) })
  return deleteBefore(db, kept)
}

/** Looks at the events after a number in slices. */
async function read(
  db: Database,
  after: number,
  types: readonly string[],
  limit: number,
  signal: AbortSignal | null,
): Promise<Found> {
  const ends = findEnds(db)
  // A reader that was slow for longer than events are kept must not skip those that it has not read.
  assertKept(ends, after)
  const newest = ends?.newest ?? 0
  const events: Event[] = []
  let last = after
  for (const first = after; last < newest && last - first < mostPerPage;) {
    if (last > first) await nextStep(signal)
    const to = Math.min(last + atOnce, newest)
    events.push(...findBetween(db, { after: last, to }, types, limit - events.length))
    last = events.length === limit ? (events.at(-1)?.seq ?? to) : to
    if (events.length === limit) break
  }
  return { events, last: Math.max(last, after), hasMore: last < newest }
}

type Row = Omit<Event, "kind" | "changed" | "record"> & { changed: string }

/** Finds events of these types in a range of numbers, in their order. */
function findBetween(
  db: Database,
  { after, to }: { after: number; to: number },
  types: readonly string[],
  limit: number,
): Event[] {
  return db
    .query<Row, [number, number, string, number]>(
      `SELECT id, seq, type, record_id AS recordId, version, created_at AS at, changed FROM events
       WHERE seq > ? AND seq <= ? AND type IN ${listOf("?")} ORDER BY seq LIMIT ?`,
    )
    .all(after, to, JSON.stringify(types), limit)
    .map(toEvent)
}

const toEvent = ({ id, seq, type, recordId, version, at, changed }: Row): Event => ({
  id,
  seq,
  type,
  kind: type.slice(0, type.indexOf(".")),
  recordId,
  version,
  at,
  changed: JSON.parse(changed) as string[],
})

/** Returns the numbers of the oldest and the newest event; null without events. */
const findEnds = (db: Database): { oldest: number; newest: number } | null => {
  const oldest = valueOf<number>(db, "SELECT seq FROM events ORDER BY seq LIMIT 1")
  const newest = valueOf<number>(db, "SELECT seq FROM events ORDER BY seq DESC LIMIT 1")
  return oldest === null || newest === null ? null : { oldest, newest }
}

/**
 * Finds the number before which events can be deleted: of the first event that was written at a time or later, but at
 * most `most` events after the oldest one, and never after the newest event; null without events. An event of the future
 * was written while the clock was wrong, and is as old as the next one.
 */
function findKept(db: Database, time: string, most: number): number | null {
  const oldest = db
    .query<{ seq: number; at: string }, [number]>(
      "SELECT seq, created_at AS at FROM events ORDER BY seq LIMIT ?",
    )
    .all(most + 1)
  const latest = business.latest()
  let kept = oldest.at(-1)
  let at = kept ? rightTime(db, kept.seq) : ""
  for (const event of oldest.toReversed()) {
    if (event.at <= latest) at = event.at
    if (at >= time) kept = event
  }
  return kept?.seq ?? null
}

/** The time of an event, or if that is in the future, of the next one that was written while the clock was right. */
const rightTime = (db: Database, seq: number): string =>
  valueOf<string>(
    db,
    "SELECT created_at FROM events WHERE seq >= ? AND created_at <= ? ORDER BY seq LIMIT 1",
    seq,
    business.latest(),
  ) ?? business.now()

/**
 * Finds the last event before a time: all events of the time or later come after it. The times of events grow with their
 * numbers, except where the clock was set back.
 */
function findBefore(db: Database, time: string): number {
  const ends = findEnds(db)
  if (!ends) return 0
  if (ends.oldest > 1 && rightTime(db, ends.oldest) > time)
    throw expired("Events after this time were deleted.")
  const lasts = [...findJumps(db).map(({ event }) => event), ends.newest]
  let from = ends.oldest
  for (const last of lasts) {
    if (last < from) continue
    const first = firstSince(db, time, from, last)
    if (first <= last) return first - 1
    from = last + 1
  }
  return ends.newest
}

/** The first of some numbers whose event was written at a time or later, by halves; the number after them if none was. */
function firstSince(db: Database, time: string, from: number, last: number): number {
  const at = (seq: number): string =>
    valueOf<string>(db, "SELECT created_at FROM events WHERE seq >= ? ORDER BY seq LIMIT 1", seq) ?? ""
  let [low, high] = [from, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(middle) < time) low = middle + 1
    else high = middle
  }
  return low
}

const deleteBefore = (db: Database, seq: number): number =>
  db.query("DELETE FROM events WHERE seq < ?").run(seq).changes

/** Finds the types of the events before a number, each with the number of its newest event. */
const findTypesBefore = (db: Database, seq: number): { type: string; newest: number }[] =>
  db
    .query<{ type: string; newest: number }, [number]>(
      "SELECT type, max(seq) AS newest FROM events WHERE seq < ? GROUP BY type",
    )
    .all(seq)

/**
 * A position in the feed: the id of the feed, and the number of the last event that was read. A restored file begins a
 * new feed, because its numbers are used again for other events.
 */
type Position = { feed: string; seq: number }

/** Returns the id of a feed. The secret that it is made from is in no backup, so that a restored file has a new feed. */
export const feedIdOf = (secret: string): string => digestOf(secret).slice(0, 16)

const writePosition = ({ feed, seq }: Position): string => `${feed}-${seq}`

/** Reads a position of this feed that a client has stored. */
function readPosition(text: string, feed: string): number {
  const [, given, digits] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(text) ?? []
  if (!given || !digits)
    throw invalid("after", "FORMAT", "must be a position from meta.next, or latest", { format: "position" })
  if (given !== feed) throw expired("The position belongs to another feed: the database was restored.")
  return Number(digits)
}

/** The refusal of a position whose next events no longer exist. */
const expired = (message: string): Refusal =>
  new Refusal(
    "EVENTS_EXPIRED",
    `${message} Get the position of latest, then read the records again, and go on with the events after that position.`,
  )
