import { Unusable } from "../../lib/refusal"
import type { Database } from "../engine"
import type { Key } from "./table"
import { findPosition, storePosition } from "../positions"

/** How far a copy has come: the table that is copied, and the key of its last row that is stored. */
export type Progress = {
  /** Identifies the source and its state. */
  source: string
  /** The name of the source, for messages. */
  from: string
  table: string
  after: Key | null
}

const mark = "unfinished-copy"

/**
 * Marks a new database as an unfinished copy. It runs in the transaction that creates the tables, so that nobody takes
 * an empty copy for a new database.
 */
export const markStatement = `INSERT INTO positions (name, position) VALUES ('${mark}', '')`

/** The mark of an unfinished copy. `progress` is null as long as there are no rows. */
export type Unfinished = { progress: Progress | null }

/** Returns null if the database is not an unfinished copy. */
export function findUnfinished(db: Database): Unfinished | null {
  // Files of old versions do not have the table.
  if (!db.engine.schema.hasTable("positions")) return null
  const found = findPosition(db, mark)
  if (found === null) return null
  return { progress: found === "" ? null : (JSON.parse(found) as Progress) }
}

export const storeProgress = (db: Database, progress: Progress): void =>
  storePosition(db, mark, JSON.stringify(progress))

export function deleteMark(db: Database): void {
  db.query("DELETE FROM positions WHERE name = ?").run(mark)
}

/** Refuses an unfinished copy: it does not have all records. */
export function assertFinished(db: Database): void {
  const unfinished = findUnfinished(db)
  if (!unfinished) return
  const source = unfinished.progress ? ` of ${unfinished.progress.from}` : ""
  throw new Unusable(
    `The database is an unfinished copy${source}. Run the same "kontor copy" again to finish it, or delete it.`,
  )
}
