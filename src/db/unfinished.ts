import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { wallClock } from "../lib/clock"

/** A name for a file that is being made. Who finds it later knows by it that nobody needs the file. */
export const unfinishedIn = (folder: string, name: string): string =>
  join(folder, `.${name}.${crypto.randomUUID()}.unfinished`)

const unfinishedName = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished(-journal)?$/
const anHour = 3_600_000

/**
 * Removes what a power cut or a stop has left of earlier copies, which would add up to a full disk. Nobody has written to it
 * for an hour: what is younger may be a copy that is being made. What cannot be removed, as it is somebody else's in the
 * folder for temporary files, is no reason to make no copy.
 */
export function clearLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => unfinishedName.test(each))) {
    try {
      const { mtimeMs } = statSync(join(folder, name))
      if (Date.parse(wallClock()) - mtimeMs > anHour) rmSync(join(folder, name))
    } catch {
      continue
    }
  }
}
