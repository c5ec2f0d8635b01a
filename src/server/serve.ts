import type { Database, Leadership } from "../core/engine/engine"
import { createApp } from "../app"
import type { Config, Env } from "../config"
import {
  forgetAdminPassword,
  forgetMetricsToken,
  takeBackupSecrets,
  takeFirstAdmin,
  bucketOf,
} from "../config/secrets"
import type { BackgroundBackup } from "../core/engine/backup/background-backup"
import { openWriter } from "../core/write/commit"
import { closeDatabase, placeOf } from "../core/engine/place"
import { readerThread, type ReaderThread } from "../core/engine/reader-thread"
import { secretOf } from "../core/engine/secrets"
import type { Writer } from "../core/write/writer"
import { type DemoAccess, fillWithDemo } from "../demo/fill"
import { keepInDemo } from "../demo/mail"
import { clientAddress } from "../core/http/request/address"
import { type FetchHandler, oneAnswer } from "../core/http/answer/record-answer"
import { type Log, stderrLog } from "../core/lib/process/log"
import { print, say } from "../core/lib/process/output"
import { exporter, type Exporter } from "../office/exports/exporter"
import { readUser } from "../office/users/service"
import type { Services } from "../services"
import { version } from "../version"
import { backupSchedule, type Schedule } from "./backup-schedule"
import type { UploadTarget } from "./backup-uploads"
import { clockWarnings } from "./clock-warnings"
import { bringUpToDate, isUpToDate } from "./database"
import { exportThread } from "./export-thread"
import { drainAndStop, type Listener, longestSilence, openListener } from "./listener"
import { listenToSignals } from "./signals"
import { readTls, reloadCertificate } from "./tls"
import { startUpkeep } from "./upkeep"
import type { FailedWrites } from "../core/http/route/health"
import { loopLag } from "../core/lib/metrics/loop-lag"
import type { Watched } from "../office/metrics/service"

/**
 * Serves until SIGTERM or SIGINT; resolves when everything is closed. SIGHUP reloads the certificate. `warnings` are those
 * of the options.
 */
export async function serve(config: Config, warnings: readonly string[]): Promise<void> {
  const signals = listenToSignals()
  let isStopping = false
  void signals.stopRequested.then(() => (isStopping = true))
  const log = stderrLog(config.logLevel)
  for (const warning of warnings) log.warn(warning)
  // The database may be opened before the log is written.
  log.flush()
  const started = await startServer(config, { log, isStopping: () => isStopping }).catch((error: unknown) => {
    // A server that was still waiting for its database had nothing to stop.
    if (isStopping) return null
    throw error
  })
  if (started) signals.onReload(started.reload)
  await signals.stopRequested
  await started?.stop()
}

/** `reload` reads the certificate again. */
type Started = { stop(): Promise<void>; reload(): void }

/** What a server uses of its process. */
type Surroundings = { env?: Env; log: Log; tell: (text: string) => void; isStopping: () => boolean }

/** Starts a server. Several can run in one process. */
export async function startServer(
  config: Config,
  {
    env,
    log = stderrLog(config.logLevel),
    tell = print,
    isStopping = () => false,
  }: Partial<Surroundings> = {},
): Promise<Started> {
  const tls = readTls(config)
  placeOf(config.db).hold()
  // The server listens before it opens the file, so that a port in use does not change the file. Until then requests
  // wait.
  const requests = waitingRequests()
  const listener = openListener(config, {
    tls,
    log,
    fetch: oneAnswer((request) => requests.answer(request, listener)),
  })
  return start(config, { listener, begin: requests.begin, env, log, tell, isStopping })
}

/** Holds requests until `begin` is called with their handler. Migrating a large file may take minutes. */
function waitingRequests() {
  const opened = Promise.withResolvers<FetchHandler>()
  let handler: FetchHandler | null = null
  return {
    answer(request: Request, listener: Listener): Response | Promise<Response> {
      if (handler) return handler(request)
      listener.timeout(request, 0)
      return opened.promise.then((handle) => {
        listener.timeout(request, longestSilence)
        return handle(request)
      })
    },
    begin(handle: FetchHandler): void {
      handler = handle
      opened.resolve(handle)
    },
  }
}

type Deps = Surroundings & { listener: Listener; begin: (handler: FetchHandler) => void }

/** Opens the file, starts to handle requests, and prints the URL. */
async function start(config: Config, deps: Deps): Promise<Started> {
  const { listener, begin, env, log, tell } = deps
  forgetMetricsToken(env)
  if (config.demo) forgetAdminPassword(env)
  const admin = config.demo ? null : takeFirstAdmin(env)
  const uploads = uploadTarget(config, env)
  const db = await openUpToDate(config, deps)
  const { writer, meter, endWrites, subscribe, onOthersWrite, failedWrites } = watchedWriter(db, log)
  const { backups, exports, thread } = threadsOf(config, db, log)
  const schedule = backupSchedule({ config, backups, log }, uploads)
  const loop = loopLag()
  const url = urlOf(config, listener)
  let isStopping = false
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
    isStopping: () => isStopping,
    secretOf: (name) => secretOf(db, name),
  })
  if (admin && !services.users.hasActiveAdmin()) await createAdmin(services, writer, admin, log)
  await services.webhookSending.open()
  const demo = config.demo ? await fillWithDemo(db, services) : null
  const setupLink = await newSetupLink(services, writer, config.publicUrl ?? url)
  begin(fetch)
  tell([`Kontor listening on ${url}`, ...welcome(demo, setupLink)].join("\n"))
  warnOfPlainHttp(config)
  warnOfWeakTls(db, log)
  for (const { message } of clockWarnings(db)) log.warn(message)
  const started = (upkeep = startUpkeep({ db, services, onOthersWrite, schedule, log }))
  log.info("Started.", { version, url, db: placeOf(config.db).shown })
  const stop = () => {
    isStopping = true
    services.events.readers.stop()
    loop.stop()
    return stopAll({ listener, exports, thread, upkeep: started, endWrites, db, file: config.db, log })
  }
  return { stop, reload: () => reloadCertificate({ ...config, listener, log }) }
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

/** Where backups are uploaded to; null if they are not. The secrets are removed from the environment in any case. */
function uploadTarget(config: Config, env: Env | undefined): UploadTarget | null {
  const secrets = takeBackupSecrets(env)
  const { backupTo: address } = config
  return address && { address, bucket: bucketOf(config, address, secrets), passphrase: secrets.passphrase }
}

/** Returns a new setup link; null if there is an admin. An earlier link must not work if the admin is disabled. */
async function newSetupLink({ users, setupLink }: Services, writer: Writer, address: string) {
  if (!users.hasActiveAdmin()) return writer((tx) => setupLink.renew(tx, address))
  if (setupLink.address() !== null) await writer((tx) => setupLink.remove(tx))
  return null
}

type Running = {
  listener: Listener
  exports: Exporter
  thread: ReaderThread | null
  upkeep: Leadership
  endWrites: () => Promise<void>
  db: Database
  file: string
  log: Log
}

async function stopAll({
  listener,
  exports,
  thread,
  upkeep,
  endWrites,
  db,
  file,
  log,
}: Running): Promise<void> {
  log.info("Stopping.")
  await drainAndStop(listener)
  exports.stop()
  thread?.stop()
  await upkeep.stop()
  await endWrites()
  closeDatabase(db)
  placeOf(file).release()
  log.info("Stopped.")
  log.flush()
}

async function openUpToDate({ db: file }: Config, { log, isStopping }: Deps): Promise<Database> {
  const db = await placeOf(file).openWhenUp({ log, isOver: isStopping })
  await db.engine.lock.forServer({
    isReady: () => isUpToDate(db),
    async prepare() {
      const { from, to, copy } = await bringUpToDate(db, file)
      if (copy) say(`The database was upgraded from version ${from} to ${to}; a backup is in ${copy}.`)
    },
  })
  return db
}

/** A writer whose failures are logged and counted. After `endWrites`, it does nothing. */
function watchedWriter(db: Database, log: Log) {
  let failed: FailedWrites = { count: 0, last: null }
  let isEnded = false
  const { writer, meter, subscribe, onOthersWrite } = openWriter(db, (error) => {
    failed = { count: failed.count + 1, last: error }
    log.error("A write failed.", { error: String(error) })
  })
  return {
    writer: ((work, by) => (isEnded ? new Promise(() => {}) : writer(work, by))) as Writer,
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

type AppDeps = { log: Log; backups: BackgroundBackup | null; url: string; schedule: Schedule }

/** Only clients on this machine can reach these addresses. */
const loopbackOnly = ["127.0.0.1", "::1"]

/** What the app needs from the configuration and from the connections. */
function appConfig(config: Config, listener: Listener, { log, backups, url, schedule }: AppDeps) {
  // On a loopback address every client has that address. Looking it up in Bun takes as long as reading a record.
  const known = config.trustedProxies === null && loopbackOnly.includes(config.host) ? config.host : null
  const peerOf = (request: Request): string => listener.requestIP(request)?.address ?? ""
  return {
    plans: config.plans,
    keepEvents: config.keepEvents,
    allowPrivateWebhooks: config.allowPrivateWebhooks,
    noSending: config.noSending,
    ...(config.demo ? { deliver: keepInDemo } : {}),
    log,
    addressOf: (request: Request) =>
      known ?? clientAddress(peerOf(request), request.headers, config.trustedProxies),
    peerOf,
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

type Admin = NonNullable<ReturnType<typeof takeFirstAdmin>>

async function createAdmin(
  { users }: Services,
  writer: Writer,
  { email, name, password }: Admin,
  log: Log,
): Promise<void> {
  const draft = await readUser({ email, name, role: "admin", password }, "kontor")
  // Another server may have created it in the meantime.
  const created = await writer((tx) => (users.hasActiveAdmin() ? null : users.create(tx, draft)))
  if (created) log.info("The first admin was created.", { email: created.email })
}

/** Returns the lines that `serve` prints after the URL: how to sign in. */
function welcome(demo: DemoAccess | null, setupLink: string | null): string[] {
  if (demo)
    return [
      "This is a demo shop in memory. Its data is lost when Kontor stops.",
      `Sign in as ${demo.email} with the password ${demo.password}`,
      `API key with every scope: ${demo.key}`,
    ]
  return setupLink ? [`Set up the first admin: ${setupLink}`] : []
}

const loopback = /^(127\.|::1$|localhost$)/

function warnOfPlainHttp({ tlsCert, host }: Config): void {
  if (tlsCert !== null || loopback.test(host)) return
  say(
    `Warning: others on the network can read plain http on ${host}. Use --tls-cert and --tls-key, or put a reverse proxy with TLS in front and listen on 127.0.0.1.`,
  )
}

/** Logs that the address of the database names a weaker mode of TLS than the default. */
function warnOfWeakTls(db: Database, log: Log): void {
  const { weakness } = db.engine
  if (weakness) log.warn(weakness.message, { db: weakness.db })
}

function urlOf({ host, tlsCert }: Config, { port }: Listener): string {
  const shown = host.includes(":") ? `[${host}]` : host
  return `${tlsCert === null ? "http" : "https"}://${shown}:${port}`
}
