import type { Database } from "bun:sqlite"
import { existsSync, rmSync } from "node:fs"
import { keepCopy, latestVersion, migrate, versionOf } from "../db/migrate"
import { openDatabase } from "../db/open"
import { Unusable } from "../lib/unusable"
import { systemClock } from "../lib/clock"

/** Brings the file up to date, keeping a copy beside it when it held an older version. */
export function bringUpToDate(db: Database, file: string): { from: number; to: number; copy: string | null } {
  const version = versionOf(db)
  if (version === 0 || version === latestVersion || file === ":memory:") return { ...migrate(db), copy: null }
  let copy: string | null = null
  try {
    copy = keepCopy(db, file, version, systemClock()())
    return { ...migrate(db), copy }
  } catch (error) {
    // Nothing has changed, and whoever starts us again and again would fill the disk with copies.
    if (copy !== null) rmSync(copy, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Unusable(
      `The database could not be brought from version ${version} to ${latestVersion}: ${reason}. It is as it was.`,
    )
  }
}

/** Opens a file that a server may be using, for a command that works beside it. */
export function openExisting(file: string): Database {
  if (!existsSync(file)) throw new Unusable(`There is no database at ${file}. "kontor serve" makes one.`)
  const db = openDatabase(file)
  const version = versionOf(db)
  if (version === latestVersion) return db
  db.close()
  throw new Unusable(
    `The database is at version ${version} and this Kontor at ${latestVersion}. Run "kontor migrate" first.`,
  )
}
