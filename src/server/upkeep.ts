import type { Database } from "../db/engine"
import { chainEndOf } from "../db/audit-log"
import type { Log } from "../lib/log"
import type { Services } from "../services"
import type { Schedule } from "./backup-schedule"
import { checkEvery as checkMemoryEvery, releaseMemoryWhenIdle } from "./memory"

/** In milliseconds. The delay lets the requests that waited for the start run first. */
const startAfter = 100

type Deps = { db: Database; services: Services; schedule: Schedule; log: Log }

/**
 * Starts the work in addition to requests: writing counters, deleting expired rows, learning words, jobs, webhooks,
 * backups.
 */
export function startUpkeep({ db, services, schedule, log }: Deps): { stop(): Promise<void> } {
  const { flushCounters, deleteExpired, markOverdue, search, feed, jobs, webhookSending } = services
  const start = setTimeout(() => {
    void ignoreFailure(deleteExpired())
    void ignoreFailure(markOverdue())
    void feed.settle()
    void ignoreFailure(search.learn())
    void ignoreFailure(jobs.runner.start(log))
    webhookSending.sender.start(log)
    logChainEnd(db, log)
    schedule.start()
  }, startAfter)
  const timers = [
    setInterval(() => ignoreFailure(flushCounters()), 5_000),
    setInterval(() => ignoreFailure(deleteExpired()), 3_600_000),
    setInterval(() => ignoreFailure(markOverdue()), 60_000),
    setInterval(releaseMemoryWhenIdle(db), checkMemoryEvery),
    setInterval(() => logChainEnd(db, log), 86_400_000),
  ]
  return {
    async stop() {
      clearTimeout(start)
      timers.forEach(clearInterval)
      schedule.stop()
      await ignoreFailure(jobs.runner.stop())
      await ignoreFailure(webhookSending.sender.stop())
      await feed.stop()
      await ignoreFailure(flushCounters({ all: true }))
      logChainEnd(db, log)
    },
  }
}

/** Ignores a failure: the work runs again at its next interval, and the writer has logged the reason. */
const ignoreFailure = (work: Promise<void>): Promise<void> => work.catch(() => {})

/** Logs the end of the audit log. With a server log on another machine, a later rewrite of the file can be detected. */
function logChainEnd(db: Database, log: Log): void {
  try {
    log.info("The end of the audit log.", chainEndOf(db))
  } catch (error) {
    log.error("The end of the audit log could not be read.", { error: String(error) })
  }
}
