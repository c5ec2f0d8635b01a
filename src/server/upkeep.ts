import type { Database } from "bun:sqlite"
import { chainEndOf } from "../db/audit-log"
import type { Log } from "../lib/log"
import type { Services } from "../services"
import type { Schedule } from "./backup-schedule"
import { lookEvery, releaseMemoryWhenIdle } from "./memory"

/** Clients that wait for the start are answered first. */
const startAfter = 100

type Deps = { db: Database; services: Services; schedule: Schedule; log: Log; onStart: () => void }

/** What happens beside requests: counters are written, what has expired is deleted, words are learned, copies are made. */
export function startUpkeep({ db, services, schedule, log, onStart }: Deps): { stop(): Promise<void> } {
  const { flushCounters, deleteExpired, search } = services
  const start = setTimeout(() => {
    onStart()
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

/** Upkeep that fails is tried again at its next turn; the writer has logged why. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => {})

/** What the log was up to here. A log that is kept on another machine proves it when the file has been rewritten. */
function tellChainEnd(db: Database, log: Log): void {
  try {
    log.info("Audit log.", chainEndOf(db))
  } catch (error) {
    log.error("The end of the audit log could not be read.", { error: String(error) })
  }
}
