import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "../config"
import type { BackgroundBackup } from "../db/background-backup"
import { wallClock } from "../lib/clock"
import type { Log } from "../lib/log"
import { Unusable } from "../lib/unusable"

const form = /^kontor-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.db$/
const checkEvery = 60_000

/** How far the clock of the machine that created a backup may be ahead of ours, in milliseconds. */
const allowedSkew = 60_000

type Deps = {
  folder: string
  config: Config
  backups: BackgroundBackup
  log: Log
  /** The names of the ignored backups that were reported. */
  reported: Set<string>
}

/**
 * Creates backups at fixed intervals. An interval begins at the newest backup in the folder, so that a machine that is
 * switched off every night creates its backup in the morning. A backup that fails is tried again at the next check. A
 * backup whose name has a time in the future, or no valid time, is ignored and not deleted: if it counted as the newest
 * one, no other backup would be created.
 */
export function backupSchedule(config: Config, backups: BackgroundBackup, log: Log): Schedule {
  const { backupDir: folder, backupEvery } = config
  if (folder === null) return { start: () => {}, stop: () => {}, latest: () => null }
  prepare(folder)
  const deps: Deps = { folder, config, backups, log, reported: new Set() }
  let isWorking = false
  let timer: Timer | undefined

  const check = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    try {
      await backUpIfDue(deps)
    } finally {
      isWorking = false
    }
  }
  return {
    start() {
      void check()
      timer = setInterval(() => void check(), Math.min(checkEvery, backupEvery))
    },
    stop: () => clearInterval(timer),
    latest: () => latestOf(deps),
  }
}

export type Schedule = {
  start: () => void
  stop: () => void
  /** The path of the newest backup; null if there is none. */
  latest: () => string | null
}

function latestOf(deps: Deps): string | null {
  try {
    const name = countedBackups(deps).at(-1)
    return name === undefined ? null : join(deps.folder, name)
  } catch {
    // The folder has disappeared. The log reports this at the next backup.
    return null
  }
}

function prepare(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    readdirSync(folder)
  } catch (error) {
    throw new Unusable(
      `The folder ${folder} for backups cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

/** Creates a backup if the newest is older than the interval, and deletes the oldest. Failures are logged. */
async function backUpIfDue(deps: Deps): Promise<void> {
  const { folder, config, backups, log } = deps
  const { backupEvery, backupKeep } = config
  const file = join(folder, `kontor-${wallClock().slice(0, 19).replaceAll(":", "")}Z.db`)
  try {
    const newest = madeAt(countedBackups(deps).at(-1))
    if (Date.parse(wallClock()) - newest < backupEvery) return
    await backups.copyTo(file)
    for (const old of countedBackups(deps).slice(0, -backupKeep)) rmSync(join(folder, old), { force: true })
    log.info("A backup was created.", { file })
  } catch (error) {
    log.error("A backup could not be created.", {
      file,
      error: error instanceof Error ? error.message : String(error),
    })
  }
}

/** The backups with a valid time, the oldest first. Each ignored one is reported once. */
function countedBackups({ folder, log, reported }: Deps): string[] {
  const latest = Date.parse(wallClock()) + allowedSkew
  return backupsIn(folder).filter((name) => {
    if (madeAt(name) <= latest) return true
    if (!reported.has(name))
      log.warn(
        "The name of a backup has a time in the future, or no valid time. It is ignored and not deleted.",
        {
          file: join(folder, name),
        },
      )
    reported.add(name)
    return false
  })
}

/** The files that are named as backups, the oldest first. */
const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => form.test(name))
    .toSorted()

const madeAt = (name: string | undefined): number => {
  const [, day, hours, minutes, seconds] = form.exec(name ?? "") ?? []
  return day ? Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) : -Infinity
}
