import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "../config"
import type { BackgroundBackup } from "../db/background-backup"
import { wallClock } from "../lib/clock"
import type { Log } from "../lib/log"
import { Unusable } from "../lib/unusable"

const form = /^kontor-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.db$/
const lookEvery = 60_000

/**
 * Copies at fixed distances, reckoned from the newest copy in the folder, so that a machine that is switched off every
 * night has its copy in the morning. One that fails is tried again at the next look.
 */
export function backupSchedule(config: Config, copies: BackgroundBackup, log: Log): Schedule {
  const { backupDir: folder, backupEvery, backupKeep } = config
  if (folder === null) return { start: () => {}, stop: () => {} }
  prepare(folder)
  let isWorking = false

  const look = async (): Promise<void> => {
    const newest = madeAt(copiesIn(folder).at(-1))
    if (isWorking || Date.parse(wallClock()) - newest < backupEvery) return
    isWorking = true
    const file = join(folder, `kontor-${wallClock().slice(0, 19).replaceAll(":", "")}Z.db`)
    try {
      await copies.copyTo(file)
      for (const old of copiesIn(folder).slice(0, -backupKeep)) rmSync(join(folder, old), { force: true })
      log.info("A copy was made.", { file })
    } catch (error) {
      log.error("A copy could not be made.", {
        file,
        error: error instanceof Error ? error.message : String(error),
      })
    } finally {
      isWorking = false
    }
  }

  let timer: Timer | undefined
  return {
    start() {
      void look()
      timer = setInterval(() => void look(), Math.min(lookEvery, backupEvery))
    },
    stop: () => clearInterval(timer),
  }
}

type Schedule = { start: () => void; stop: () => void }

function prepare(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    readdirSync(folder)
  } catch (error) {
    throw new Unusable(
      `The folder ${folder} for copies cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

/** The copies we have made there, the oldest first; what else lies there is not ours. */
const copiesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => form.test(name))
    .toSorted()

const madeAt = (name: string | undefined): number => {
  const [, day, hours, minutes, seconds] = form.exec(name ?? "") ?? []
  return day ? Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) : -Infinity
}
