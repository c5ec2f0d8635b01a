import type { Database } from "bun:sqlite"
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
       WHERE seq > ? AND seq <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`,
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
 * Deletes the oldest events up to the first one that was written at a time or later, at most `most`, but never the newest
 * event. Returns their number.
 */
export function deleteBefore(db: Database, time: string, most: number): number {
  const oldest = db
    .query<{ seq: number; at: string }, [number]>(
      "SELECT seq, created_at AS at FROM events ORDER BY seq LIMIT ?",
    )
    .all(most + 1)
  const kept = oldest.find(({ at }) => at >= time) ?? oldest.at(-1)
  return kept ? db.query("DELETE FROM events WHERE seq < ?").run(kept.seq).changes : 0
}
