import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { clock } from "../../lib/clock"

/** Deletes a database that is not complete, with the files that SQLite added to it. */
export function discard(file: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(file + suffix, { force: true })
}

/** Returns a name for a file that is not complete yet. `deleteUnfinished` finds the file by this name. */
export const unfinishedIn = (folder: string, name: string): string =>
  join(folder, `.${name}.${crypto.randomUUID()}.unfinished`)

/** The name of a backup that the server uploads and does not keep. */
const uploadName = "scheduled-upload"

/** Returns a name for a backup that the server uploads and does not keep. `deleteUploads` finds the file by this name. */
export const uploadIn = (folder: string): string => unfinishedIn(folder, uploadName)

/** Deletes backups that a server was uploading when it was killed. No other server may be running on the database. */
export function deleteUploads(folder: string): void {
  const isUpload = (name: string) => name.startsWith(`.${uploadName}.`) && unfinishedName.test(name)
  for (const name of readdirSync(folder).filter(isUpload)) {
    try {
      rmSync(join(folder, name))
    } catch {
      continue
    }
  }
}

const unfinishedName = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished(-journal|-wal|-shm)?$/
const anHour = 3_600_000

/**
 * Deletes the incomplete files of interrupted backups, which would fill the disk over time. Only files that are older
 * than an hour are deleted, because a newer one may be in use. Files that cannot be deleted, such as those of another
 * user, are skipped.
 */
export function deleteUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => unfinishedName.test(each))) {
    try {
      const { mtimeMs } = statSync(join(folder, name))
      if (clock.real() - mtimeMs > anHour) rmSync(join(folder, name))
    } catch {
      continue
    }
  }
}
