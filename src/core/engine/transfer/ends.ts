import { existsSync, realpathSync, statSync } from "node:fs"
import { Unusable } from "../../lib/unusable"
import { asDatabase, isPostgresAddress, postgresOf, shownName, type Database } from "../engine"
import { holdDatabase } from "../sqlite/lock"
import { migrate } from "../schema/migrate"
import { openFile, openSnapshot, openToLook } from "../sqlite/open"
import { openedPostgres } from "../postgres/open"
import { isEmpty } from "../postgres/state"
import { findUnfinished, markStatement, type Progress, type Unfinished } from "./mark"

/** Opens the source as it is now. While the copy is checked, the connection is idle for any time. */
export function openSource(name: string): Database {
  const db = openSnapshot(name)
  postgresOf(db)?.run("SET idle_in_transaction_session_timeout = 0")
  return db
}

/** The database that a copy is written to, and how far an earlier copy has come. */
export type Target = { db: Database; progress: Progress | null }

/** Opens or creates the target, and locks it. A database that has something else in it is refused and not changed. */
export function openTarget(name: string, source: string): Target {
  if (isSame(name, source))
    throw new Unusable(`${shownName(name)} is the source itself. Choose another target.`)
  const db = isPostgresAddress(name) ? openPostgresTarget(name) : openFileTarget(name)
  try {
    holdDatabase(db, name)
    const unfinished = findCopy(db, name)
    if (!unfinished) migrate(db, undefined, { onCreate: markStatement })
    return { db, progress: unfinished?.progress ?? null }
  } catch (error) {
    db.close()
    throw error
  }
}

function isSame(name: string, source: string): boolean {
  if (isPostgresAddress(name)) return name === source
  return (
    name === ":memory:" ||
    (existsSync(name) && existsSync(source) && realpathSync(name) === realpathSync(source))
  )
}

/** A statement of the last check may take any time. */
function openPostgresTarget(name: string): Database {
  const db = openedPostgres(name, { answerTime: 0 })
  db.run("SET idle_in_transaction_session_timeout = 0")
  return asDatabase(db)
}

/** A file is only opened for writing if it is empty or an unfinished copy. */
function openFileTarget(file: string): Database {
  if (existsSync(file) && statSync(file).size > 0) {
    const seen = openToLook(file)
    try {
      findCopy(seen, file)
    } finally {
      seen.close()
    }
  }
  return openFile(file)
}

/** Returns null if the database has no tables. */
function findCopy(db: Database, name: string): Unfinished | null {
  const unfinished = findUnfinished(db)
  if (!unfinished && hasTables(db))
    throw new Unusable(
      `${shownName(name)} already has a Kontor database. Choose an empty database or a new file for the copy.`,
    )
  return unfinished
}

const hasTables = (db: Database): boolean => {
  const postgres = postgresOf(db)
  if (postgres) return !isEmpty(postgres)
  return db.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== null
}
