import type { Database } from "../core/engine/engine"
import { rmSync } from "node:fs"
import { latestVersion, migrate, versionOf } from "../core/engine/schema/migrate"
import { placeOf } from "../core/engine/place"
import { kindList } from "../kinds"
import { real } from "../core/lib/clock"
import { messageOf, Unusable } from "../core/lib/refusal"
import { reindex, searchedKinds } from "../core/search/reindex"

/** Rebuilds the search tables of one kind, for the steps of a migration. */
export function reindexKind(db: Database, name: string): void {
  const kind = searchedKinds(kindList).find((each) => each.name === name)
  if (!kind) throw new Error(`there is no kind ${name} with search tables`)
  reindex(db, kind)
}

/** Upgrades the database to the latest version. If a file had an older version, a backup is stored next to it. */
export async function bringUpToDate(
  db: Database,
  file: string,
): Promise<{ from: number; to: number; copy: string | null }> {
  const version = versionOf(db)
  const bring = () => migrate(db, undefined, { reindex: reindexKind })
  if (version === 0 || version === latestVersion) return { ...bring(), copy: null }
  let copy: string | null = null
  try {
    copy = (await placeOf(file).backups?.beforeMigration(db, version, real.now())) ?? null
    return { ...bring(), copy }
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

/** Opens a file for a command. A server may be using it. */
export function openExisting(file: string): Database {
  const place = placeOf(file)
  place.assertExists()
  const db = place.open()
  const version = versionOf(db)
  if (version === latestVersion) return db
  db.close()
  if (version === 0 && place.emptySentence !== null) throw new Unusable(place.emptySentence)
  throw new Unusable(
    `The database is at version ${version} and this Kontor at ${latestVersion}. Run "kontor migrate" first.`,
  )
}
