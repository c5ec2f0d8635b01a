import { existsSync, realpathSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Unusable } from "../../lib/refusal"
import { backgroundBackup } from "../backup/background-backup"
import { copyAll } from "../backup/backup"
import { syncFile } from "../backup/files"
import { discard } from "../backup/unfinished"
import type { Database, Place } from "../engine"
import { holdFile, releaseFile } from "./lock"
import { openFile, openFileReader, openFileSnapshot, openToLook } from "./open"
import { openToRead } from "./read-only"

/** A file of SQLite, or `:memory:`. */
export const filePlace = (file: string): Place => ({
  shown: file,
  is: (other) =>
    file === ":memory:" ||
    (existsSync(file) && existsSync(other) && realpathSync(file) === realpathSync(other)),
  assertExists() {
    if (!existsSync(file)) throw new Unusable(`There is no database at ${file}. "kontor serve" creates one.`)
  },
  emptySentence: null,
  open: () => openFile(file),
  openWhenUp: () => Promise.resolve(openFile(file)),
  openToRead: () => openToRead(file),
  openReader: () => openFileReader(file),
  openSnapshot: () => openFileSnapshot(file),
  openTarget(check) {
    if (existsSync(file) && statSync(file).size > 0) {
      const seen = openToLook(file)
      try {
        check(seen)
      } finally {
        seen.close()
      }
    }
    return openFile(file)
  },
  hold: () => holdFile(file),
  release: () => releaseFile(file),
  backups: {
    inBackground: (db) => backgroundBackup(db, file),
    beforeMigration: async (db, version, now) =>
      file === ":memory:" ? null : backUpBeforeMigration(db, file, version, now),
  },
})

/**
 * Creates a backup next to the file before a migration, and returns its name. It gets this name when it is complete
 * and synced. An incomplete backup always has the same name, so that the next attempt replaces it.
 */
async function backUpBeforeMigration(
  db: Database,
  file: string,
  version: number,
  now: string,
): Promise<string> {
  const copy = `${file}.v${version}-${now.replace(/\D/g, "").slice(0, 14)}.backup`
  const unfinished = `${file}.copy.unfinished`
  try {
    discard(unfinished)
    await copyAll({ db, file }, unfinished)
    syncFile(unfinished)
    renameSync(unfinished, copy)
    syncFile(dirname(copy))
    return copy
  } catch (error) {
    discard(unfinished)
    throw error
  }
}
