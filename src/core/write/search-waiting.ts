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

/** The query of `findWaiting`. */
export const waitingRead = (most: number) => ({
  sql: "SELECT position, source, record FROM search_waiting ORDER BY position LIMIT ?",
  values: [most] as [number],
})

/** Returns the oldest marks. */
export function findWaiting(db: Database, most: number): Waiting[] {
  const { sql, values } = waitingRead(most)
  return db.query<Waiting, [number]>(sql).all(...values)
}

export function deleteWaitingTo(db: Database, position: number): void {
  db.engine.runEach("DELETE FROM search_waiting WHERE position <= ?", [[position]])
}

/** Deletes the marks of a table whose search tables were rebuilt. */
export function deleteWaitingOf(db: Database, source: string): void {
  db.query("DELETE FROM search_waiting WHERE source = ?").run(source)
}
