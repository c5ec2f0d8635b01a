import { createApp, type Deps as AppDeps } from "../app"
import type { Config } from "../config"
import type { BackgroundBackup } from "../core/engine/backup/background-backup"
import type { Database, Leadership } from "../core/engine/engine"
import { closeDatabase, placeOf } from "../core/engine/place"
import { readerThread } from "../core/engine/reader-thread"
import { secretOf } from "../core/engine/secrets"
import type { FetchHandler } from "../core/http/answer/record-answer"
import { clientAddress } from "../core/http/request/address"
import type { FailedWrites } from "../core/http/route/health"
import type { LoopLag } from "../core/lib/metrics/loop-lag"
import type { Log } from "../core/lib/process/log"
import { openWriter } from "../core/write/commit"
import type { Writer } from "../core/write/writer"
import type { DemoAccess } from "../demo/owner"
import { exporter } from "../office/exports/exporter"
import type { Watched } from "../office/metrics/service"
import { backupSchedule, type Schedule } from "./backups/backup-schedule"
import type { UploadTarget } from "./backups/backup-uploads"
import { clockWarnings } from "./clock-warnings"
import { exportThread } from "./export-thread"
import type { Listener } from "./listener"
import { startUpkeep } from "./upkeep"

type Deps = {
  config: Config
  listener: Listener
  log: Log
  url: string
  uploads: UploadTarget | null
  loop: LoopLag
  isStopping: () => boolean
} & More

/** What only a demo has: its controls, what keeps its mail, and when. */
type More = Pick<AppDeps, "moreRoutes" | "deliver" | "isMailHeld">

/** An open database with everything that serves it. */
export function running(db: Database, { config, listener, log, url, uploads, loop, ...more }: Deps) {
  const isStill = config.demo && !config.run
  const { writer, meter, endWrites, subscribe, onOthersWrite, failedWrites } = watchedWriter(db, log, isStill)
  const { backups, exports, thread } = threadsOf(config, db, log)
  const schedule = backupSchedule({ config, backups, log }, uploads)
  let upkeep: Leadership | undefined
  const { fetch, services } = createApp({
    ...appConfig(config, listener, { log, backups, url, schedule }),
    watched: watchedOf(listener, { writes: meter, loop, schedule }),
    exporter: exports,
    db,
    writer,
    subscribe,
    thread,
    failedWrites,
    leaderProblem: () => upkeep?.problem() ?? null,
    warnings: () => clockWarnings(db),
    secretOf: (name) => secretOf(db, name),
    ...more,
  })
  const endLongAnswers = (): void => services.events.readers.stop()
  let ended: Promise<void> | undefined
  const endWork = async (): Promise<void> => {
    await upkeep?.stop()
    await endWrites()
  }
  const stop = async (): Promise<void> => {
    exports.stop()
    thread?.stop()
    await (ended ??= endWork())
    closeDatabase(db)
  }
  return {
    db,
    fetch,
    services,
    writer,
    /** Starts the work beside requests. */
    begin(): void {
      const { demo: isDemo } = config
      upkeep = startUpkeep({ db, services, subscribe, onOthersWrite, schedule, log, isDemo, isStill })
    },
    /** Ends the answers that would wait for events. */
    endLongAnswers,
    /** Ends the work beside requests, after which nothing is written. The database can still be read. */
    endWork: (): Promise<void> => (ended ??= endWork()),
    stop,
  }
}

export type Running = ReturnType<typeof running>
export type OpenRunning = (db: Database, more?: More) => Running

/** What a server has opened. `current` changes when a demo is reset. */
export type OpenedShop = {
  current: () => Running
  fetch: FetchHandler
  /** How to sign in, as lines. */
  welcome: string[]
  /** How programs use a demo; null for another shop. */
  access: (DemoAccess & { now: string; seed: number }) | null
  /** Ends what is outside of the database, after it was closed. */
  end: () => void
}

type WatchedDeps = Pick<Watched, "writes" | "loop"> & { schedule: Schedule }

/** What the metrics show of the server itself. */
const watchedOf = (listener: Listener, { writes, loop, schedule }: WatchedDeps): Watched => ({
  writes,
  loop,
  requestsInFlight: listener.pendingRequests,
  backups: schedule.states,
  certificateUntil: () => listener.certificate()?.until ?? null,
})

/** The threads that read the file: one for each backup and export, and one for long lists. */
const threadsOf = ({ db: file }: Config, db: Database, log: Log) => ({
  backups: placeOf(file).backups?.inBackground(db) ?? null,
  exports: exporter({ db, file, newThread: exportThread, log }),
  thread: file === ":memory:" ? null : readerThread(file),
})

/**
 * A writer whose failures are logged and counted. After `endWrites`, it does nothing. Where the clock stands still, nothing
 * that it writes depends on real time.
 */
function watchedWriter(db: Database, log: Log, isStill: boolean) {
  let failed: FailedWrites = { count: 0, last: null }
  let isEnded = false
  const { writer, meter, subscribe, onOthersWrite } = openWriter(db, {
    isTimed: !isStill,
    onFailure(error) {
      failed = { count: failed.count + 1, last: error }
      log.error("A write failed.", { error: String(error) })
    },
  })
  return {
    writer: ((work, by, planned) => (isEnded ? new Promise(() => {}) : writer(work, by, planned))) as Writer,
    /** Waits for the writes that are queued. Work in the background may want to write later, when the file is closed. */
    async endWrites(): Promise<void> {
      isEnded = true
      await writer(() => {}).catch(() => {})
    },
    meter,
    subscribe,
    onOthersWrite,
    failedWrites: () => failed,
  }
}

type Given = { log: Log; backups: BackgroundBackup | null; url: string; schedule: Schedule }

/** Only clients on this machine can reach these addresses. */
const loopbackOnly = ["127.0.0.1", "::1"]

/** What the app needs from the configuration and from the connections. */
function appConfig(config: Config, listener: Listener, { log, backups, url, schedule }: Given) {
  // On a loopback address every client has that address. Looking it up in Bun takes as long as reading a record.
  const known = config.trustedProxies === null && loopbackOnly.includes(config.host) ? config.host : null
  return {
    plans: config.plans,
    keepEvents: config.keepEvents,
    allowPrivateWebhooks: config.allowPrivateWebhooks,
    noSending: config.noSending,
    log,
    addressOf: (request: Request) =>
      known ?? clientAddress(listener.peerOf(request), request.headers, config.trustedProxies),
    peerOf: listener.peerOf,
    metricsToken: config.metricsToken,
    keepOpen: listener.timeout,
    allowedHosts: config.allowedHosts.concat(config.publicUrl ? new URL(config.publicUrl).hostname : []),
    corsOrigins: config.corsOrigins,
    isSecure: config.tlsCert !== null,
    publicUrl: config.publicUrl,
    issuer: () => config.publicUrl ?? url,
    backups,
    file: config.db,
    latestBackup: schedule.latest,
    uploadState: schedule.uploadState,
  }
}
