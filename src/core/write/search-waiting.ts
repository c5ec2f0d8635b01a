import type { Database } from "../engine/engine"
import type { Tx } from "./writer"

/** A record whose search text must be written, by its table and its row number. */
export type SearchMark = { source: string; record: number }

/** A record whose search text is not in the search tables of its kind yet. */
export type Waiting = SearchMark & { position: number }

/** Returns a function that writes the marks of a commit. */
export function feedWaiting(db: Database): (writes: Tx[]) => void {
  const insert = "INSERT INTO search_waiting (source, record) VALUES (?, ?)"
  return (writes) => {
    const marks = writes.flatMap(({ searchMarks }) => searchMarks)
    db.engine.runEach(
      insert,
      marks.map(({ source, record }) => [source, record]),
    )
  }
}

/** Returns the number of marks. One record may have several. */
export const countWaiting = (db: Database): number =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM search_waiting").get()?.n ?? 0

export const isWaiting = (db: Database): boolean =>
  db.query("SELECT 1 FROM search_waiting LIMIT 1").get() !== null

/** Returns the oldest marks. */
export const findWaiting = (db: Database, most: number): Waiting[] =>
  db
    .query<Waiting, [number]>("SELECT position, source, record FROM search_waiting ORDER BY position LIMIT ?")
    .all(most)

export function deleteWaitingTo(db: Database, position: number): void {
  db.query("DELETE FROM search_waiting WHERE position <= ?").run(position)
}

/** Deletes the marks of a table whose search tables were rebuilt. */
export function deleteWaitingOf(db: Database, source: string): void {
  db.query("DELETE FROM search_waiting WHERE source = ?").run(source)
}
