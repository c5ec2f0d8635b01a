import type { Database, Leadership, LeaderWork } from "../core/engine/engine"
import type { Subscribe } from "../core/engine/others-writes"
import { chainEndOf } from "../core/write/audit-log"
import type { Log } from "../core/lib/process/log"
import type { Services } from "../services"
import { runWhenDue } from "../office/jobs/run-due"
import type { Schedule } from "./backups/backup-schedule"

/** In milliseconds. The delay lets the requests that waited for the start run first. */
const startAfter = 100

type Deps = {
  db: Database
  services: Services
  /** Tells of commits of this server, and of those of others. */
  subscribe: Subscribe
  onOthersWrite: Subscribe
  schedule: Schedule
  log: Log
  /** A demo deletes nothing because it is old: its clock may be moved by years. It has learned its words before. */
  isDemo: boolean
  /** The clock of a demo stands: nothing may depend on how much real time has passed. Its controls write the counters. */
  isStill: boolean
}

/** Starts the work in addition to requests: writing counters, learning words, backups, and the work of the leader. */
export function startUpkeep(deps: Deps): Leadership {
  const { db, services, schedule, log, isDemo, isStill } = deps
  const { flushCounters, search, feed } = services
  let leading: Leadership | undefined
  const begin = (): void => {
    leading = db.engine.lead(leaderWork(deps), { log })
    if (!isDemo) void ignoreFailure(search.learn())
    logChainEnd(db, log)
    schedule.start()
  }
  const start = isStill ? void begin() : setTimeout(begin, startAfter)
  const timers = [
    setInterval(() => void (isStill || ignoreFailure(flushCounters())), 5_000),
    setInterval(() => ignoreFailure(search.learnOthers()), 60_000),
    setInterval(releaseMemoryWhenIdle(db), checkMemoryEvery),
    setInterval(() => logChainEnd(db, log), 86_400_000),
  ]
  return {
    problem: () => leading?.problem() ?? null,
    async stop() {
      clearTimeout(start)
      timers.forEach(clearInterval)
      schedule.stop()
      await leading?.stop()
      await feed.stop()
      await ignoreFailure(flushCounters({ all: true }))
      logChainEnd(db, log)
    },
  }
}

/** The work that one server does for all that share a database: deleting expired rows, jobs, webhooks, mail. */
function leaderWork({ db, services, subscribe, onOthersWrite, log, isDemo, isStill }: Deps): LeaderWork {
  const { forgotten, feed, jobs, mailSending, pairs, webhookSending, works } = services
  let timers: Timer[] = []
  let due: ReturnType<typeof runWhenDue> | undefined
  const deleteOld = () => void (isDemo || ignoreFailure(services.deleteExpired()))
  let unsubscribe = () => {}
  return {
    start() {
      if (db.engine.isShared)
        log.info("This server runs the jobs and sends the webhooks and the mail of the database.")
      deleteOld()
      void feed.settle()
      void ignoreFailure(pairs.settle())
      void ignoreFailure(jobs.runner.start(log))
      webhookSending.sender.start(log)
      mailSending.sender.start(log)
      forgotten.worker.start()
      const looking = isStill ? nothingDue : runWhenDue(works, log)
      due = looking
      timers = [setInterval(deleteOld, 3_600_000), setInterval(() => ignoreFailure(pairs.settle()), 60_000)]
      const ends = [
        onOthersWrite(jobs.runner.followOthers),
        onOthersWrite(forgotten.worker.wake),
        onOthersWrite(looking.notice),
        subscribe(looking.notice),
        webhookSending.onResume(looking.notice),
      ]
      unsubscribe = () => ends.forEach((end) => end())
    },
    async stop() {
      unsubscribe()
      timers.forEach(clearInterval)
      await due?.stop()
      await ignoreFailure(jobs.runner.stop())
      await Promise.all([
        ignoreFailure(webhookSending.sender.stop()),
        ignoreFailure(mailSending.sender.stop()),
        forgotten.worker.stop(),
      ])
    },
  }
}

/** Where the clock stands still, what a write makes due runs in its order (`src/server/demo.ts`). */
const nothingDue: ReturnType<typeof runWhenDue> = { notice() {}, stop: async () => {} }

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

/** The interval of the check, in milliseconds. */
const checkMemoryEvery = 20_000
/** The CPU time in microseconds per interval below which the server is idle: a hundredth of a core. */
const idleCpu = checkMemoryEvery * 1000 * 0.01

/** Releases the page cache and unused heap when the server becomes idle. */
function releaseMemoryWhenIdle(db: Database): () => void {
  let lastUsage = process.cpuUsage()
  let wasIdle = true
  return () => {
    const { user, system } = process.cpuUsage(lastUsage)
    lastUsage = process.cpuUsage()
    const isIdle = user + system < idleCpu
    if (isIdle && !wasIdle) {
      db.engine.shrinkCache()
      Bun.gc(true)
      Bun.shrink()
    }
    wasIdle = isIdle
  }
}
