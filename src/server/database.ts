import type { Database, Opened, Place } from "../core/engine/engine"
import { rmSync } from "node:fs"
import { latestVersion, migrate, versionOf } from "../core/engine/schema/migrate"
import { placeOf } from "../core/engine/place"
import { kindList } from "../kinds"
import { real } from "../core/lib/clock"
import { messageOf, Unusable } from "../core/lib/refusal"
import { isSearchCurrent, updateSearch } from "../core/search/reindex"

/** True if nothing must be changed before a server can use the database. */
export const isUpToDate = (db: Database): boolean =>
  versionOf(db) === latestVersion && isSearchCurrent(db, kindList)

type Upgrade = { from: number; to: number; copy: string | null }

/**
 * Upgrades the database to the latest version, and fills the search tables again if the kinds changed what is in them. If
 * a file had an older version, a backup is stored next to it.
 */
export async function bringUpToDate(db: Database, file: string): Promise<Upgrade> {
  const upgrade = await migrated(db, file)
  try {
    updateSearch(db, kindList)
  } catch (error) {
    const backup = upgrade.copy === null ? "" : ` A backup of version ${upgrade.from} is in ${upgrade.copy}.`
    throw new Unusable(
      `The database is at version ${upgrade.to}, but its search tables could not be filled: ${messageOf(error)}.${backup} Start Kontor again to go on.`,
    )
  }
  return upgrade
}

async function migrated(db: Database, file: string): Promise<Upgrade> {
  const version = versionOf(db)
  if (version === 0 || version === latestVersion) return { ...migrate(db), copy: null }
  let copy: string | null = null
  try {
    copy = (await placeOf(file).backups?.beforeMigration(db, version, real.now())) ?? null
    return { ...migrate(db), copy }
  } catch (error) {
    // The backup is not needed, because nothing has changed. A supervisor that restarts us in a loop would fill the
    // disk.
    if (copy !== null) rmSync(copy, { force: true })
    const reason = messageOf(error)
    throw new Unusable(
      `The database could not be upgraded from version ${version} to ${latestVersion}: ${reason}. Nothing was changed.`,
    )
  }
}

/** Opens a database for a command. A server may be using it. */
export function openExisting(file: string): Database {
  const place = placeOf(file)
  place.assertExists()
  const db = place.open()
  return current(place, { db, file, close: () => db.close() }).db
}

/** The same for a command that only reads it. The place of a file may be read-only. */
export function openExistingToRead(file: string): Opened {
  const place = placeOf(file)
  place.assertExists()
  return current(place, place.openToRead())
}

/** Refuses a database of another version. */
function current(place: Place, opened: Opened): Opened {
  const version = versionOf(opened.db)
  if (version === latestVersion) return opened
  opened.close()
  if (version === 0 && place.emptySentence !== null) throw new Unusable(place.emptySentence)
  throw new Unusable(
    `The database is at version ${version} and this Kontor at ${latestVersion}. Run "kontor migrate" first.`,
  )
}
