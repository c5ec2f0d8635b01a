import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "../config"
import type { BackgroundBackup } from "../db/background-backup"
import { wallClock } from "../lib/clock"
import type { Log } from "../lib/log"
import { Unusable } from "../lib/unusable"

const form = /^kontor-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.db$/
const lookEvery = 60_000

/** How far the clock of the machine that made a copy may be ahead of ours. */
const slack = 60_000

/**
 * Copies at fixed distances, reckoned from the newest copy in the folder, so that a machine that is switched off every
 * night has its copy in the morning. One that fails is tried again at the next look. What is named by a time that is yet
 * to come, or that there never is, would stop all others if it counted: it is left alone.
 */
export function backupSchedule(config: Config, copies: BackgroundBackup, log: Log): Schedule {
  const { backupDir: folder, backupEvery, backupKeep } = config
  if (folder === null) return { start: () => {}, stop: () => {} }
  prepare(folder)
  const told = new Set<string>()
  let isWorking = false

  const look = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    const file = join(folder, `kontor-${wallClock().slice(0, 19).replaceAll(":", "")}Z.db`)
    try {
      const newest = madeAt(countedIn(folder).at(-1))
      if (Date.parse(wallClock()) - newest < backupEvery) return
      await copies.copyTo(file)
      for (const old of countedIn(folder).slice(0, -backupKeep)) rmSync(join(folder, old), { force: true })
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

  /** The copies that count, the oldest first. Of the others each is told once. */
  function countedIn(place: string): string[] {
    const latest = Date.parse(wallClock()) + slack
    return copiesIn(place).filter((name) => {
      if (madeAt(name) <= latest) return true
      if (!told.has(name))
        log.warn(
          "A copy is named by a time in the future, or by none. It does not count and is not deleted.",
          {
            file: join(place, name),
          },
        )
      told.add(name)
      return false
    })
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

export type Schedule = { start: () => void; stop: () => void }

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
