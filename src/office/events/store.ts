import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import type { Event } from "./model"

type Row = Omit<Event, "kind" | "changed" | "record"> & { changed: string }

/** Finds events of these types in a range of numbers, in their order. */
export function findBetween(
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
export const findEnds = (db: Database): { oldest: number; newest: number } | null => {
  const oldest = db.query<{ seq: number }, []>("SELECT seq FROM events ORDER BY seq LIMIT 1").get()
  const newest = db.query<{ seq: number }, []>("SELECT seq FROM events ORDER BY seq DESC LIMIT 1").get()
  return oldest && newest && { oldest: oldest.seq, newest: newest.seq }
}

/**
 * Finds the number before which events can be deleted: of the first event that was written at a time or later, but at
 * most `most` events after the oldest one, and never after the newest event; null without events.
 */
export function findKept(db: Database, time: string, most: number): number | null {
  const oldest = db
    .query<{ seq: number; at: string }, [number]>(
      "SELECT seq, created_at AS at FROM events ORDER BY seq LIMIT ?",
    )
    .all(most + 1)
  const kept = oldest.find(({ at }) => at >= time) ?? oldest.at(-1)
  return kept?.seq ?? null
}

/** Deletes the events before a number, and returns how many these were. */
export const deleteBefore = (db: Database, seq: number): number =>
  db.query("DELETE FROM events WHERE seq < ?").run(seq).changes

/** Finds the types of the events before a number, each with the number of its newest event. */
export const findTypesBefore = (db: Database, seq: number): { type: string; newest: number }[] =>
  db
    .query<{ type: string; newest: number }, [number]>(
      "SELECT type, max(seq) AS newest FROM events WHERE seq < ? GROUP BY type",
    )
    .all(seq)
