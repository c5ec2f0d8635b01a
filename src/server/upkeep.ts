import type { Database } from "bun:sqlite"
import { chainEndOf } from "../db/audit-log"
import type { Log } from "../lib/log"
import type { Services } from "../services"
import type { Schedule } from "./backup-schedule"
import { lookEvery, releaseMemoryWhenIdle } from "./memory"

/** Requests that waited for the start are answered first. */
const startAfter = 100

type Deps = { db: Database; services: Services; schedule: Schedule; log: Log }

/** Work in addition to requests: writes counters, deletes expired rows, learns words for search, makes backups. */
export function startUpkeep({ db, services, schedule, log }: Deps): { stop(): Promise<void> } {
  const { flushCounters, deleteExpired, search } = services
  const start = setTimeout(() => {
    void quietly(deleteExpired())
    void quietly(search.learn())
    tellChainEnd(db, log)
    schedule.start()
  }, startAfter)
  const timers = [
    setInterval(() => quietly(flushCounters()), 5_000),
    setInterval(() => quietly(deleteExpired()), 3_600_000),
    setInterval(releaseMemoryWhenIdle(db), lookEvery),
    setInterval(() => tellChainEnd(db, log), 86_400_000),
  ]
  return {
    async stop() {
      clearTimeout(start)
      timers.forEach(clearInterval)
      schedule.stop()
      await quietly(flushCounters({ all: true }))
      tellChainEnd(db, log)
    },
  }
}

/** Failed upkeep is tried again at its next interval; the writer has logged the reason. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => {})

/** Logs the end of the audit log. If the server log is stored on another machine, it proves a later rewrite of the file. */
function tellChainEnd(db: Database, log: Log): void {
  try {
    log.info("Audit log.", chainEndOf(db))
  } catch (error) {
    log.error("The end of the audit log could not be read.", { error: String(error) })
  }
}
