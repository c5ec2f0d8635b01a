import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { clock } from "../../core/lib/clock"
import { messageOf, Unusable } from "../../core/lib/refusal"
import { type BackupState, backupName, countedNames, madeAt, timeOf } from "../../storage/names"
import type { Deps } from "./backup-schedule"
import type { Log } from "../../core/lib/process/log"

/** Automatic backups in a folder. A backup that fails is logged, and tried again at the next check. */
export function backupFolder(folder: string, { config, backups, log }: Deps) {
  prepare(folder)
  const report = reportOnce(log)
  const counted = () => countedNames(readdirSync(folder), (name) => report(join(folder, name)))
  let hasFailed = false

  /** The path of the newest backup; null if there is none. */
  const latest = (): string | null => {
    try {
      const name = counted().at(-1)
      return name === undefined ? null : join(folder, name)
    } catch {
      // The folder has disappeared. The log reports this at the next backup.
      return null
    }
  }
  return {
    latest,
    state: (): BackupState => ({ place: "folder", latest: timeOf(latest()), hasFailed }),

    /** Creates a backup if the newest is older than the interval, and deletes the oldest. */
    async backUpIfDue(): Promise<void> {
      const file = join(folder, backupName())
      try {
        if (clock.real() - madeAt(counted().at(-1)) < config.backupEvery) return
        await backups.copyTo(file)
        hasFailed = false
        for (const old of counted().slice(0, -config.backupKeep)) rmSync(join(folder, old), { force: true })
        log.info("A backup was created.", { file })
      } catch (error) {
        hasFailed = true
        log.error("A backup could not be created.", {
          file,
          error: messageOf(error),
        })
      }
    },
  }
}

export type BackupFolder = ReturnType<typeof backupFolder>

function prepare(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    readdirSync(folder)
  } catch (error) {
    throw new Unusable(`The folder ${folder} for backups cannot be used: ${messageOf(error)}.`)
  }
}

/** Returns a function that logs, once for each name, that a backup is ignored. */
export function reportOnce(log: Log): (name: string) => void {
  const reported = new Set<string>()
  return (file) => {
    if (!reported.has(file))
      log.warn(
        "The name of a backup has a time in the future, or no valid time. It is ignored and not deleted.",
        { file },
      )
    reported.add(file)
  }
}
