import { Unusable } from "../../lib/refusal"
import type { Database } from "../engine"
import { placeOf } from "../place"
import { migrate } from "../schema/migrate"
import { findUnfinished, markStatement, type Progress, type Unfinished } from "./mark"

/** Opens the source as it is now. While the copy is checked, the connection is idle for any time. */
export function openSource(name: string): Database {
  const db = placeOf(name).openSnapshot()
  db.engine.transfer.allowIdle()
  return db
}

/** The database that a copy is written to, and how far an earlier copy has come. */
export type Target = { db: Database; progress: Progress | null }

/** Opens or creates the target, and locks it. A database that has something else in it is refused and not changed. */
export function openTarget(name: string, source: string): Target {
  const place = placeOf(name)
  if (place.is(source)) throw new Unusable(`${place.shown} is the source itself. Choose another target.`)
  const db = place.openTarget((seen) => void findCopy(seen, place.shown))
  try {
    db.engine.lock.alone()
    const unfinished = findCopy(db, place.shown)
    if (!unfinished) migrate(db, undefined, markStatement)
    return { db, progress: unfinished?.progress ?? null }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Returns null if the database has no tables. */
function findCopy(db: Database, shown: string): Unfinished | null {
  const unfinished = findUnfinished(db)
  if (!unfinished && !db.engine.schema.isEmpty())
    throw new Unusable(
      `${shown} already has a Kontor database. Choose an empty database or a new file for the copy.`,
    )
  return unfinished
}
