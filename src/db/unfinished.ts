import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { wallClock } from "../lib/clock"

/** Returns a name for a file that is not complete yet. `deleteUnfinished` finds the file by this name. */
export const unfinishedIn = (folder: string, name: string): string =>
  join(folder, `.${name}.${crypto.randomUUID()}.unfinished`)

const unfinishedName = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished(-journal)?$/
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
      if (Date.parse(wallClock()) - mtimeMs > anHour) rmSync(join(folder, name))
    } catch {
      continue
    }
  }
}
