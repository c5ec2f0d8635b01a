import type { Config, Env } from "../config"
import { bucketOf, forgetMetricsToken, takeBackupSecrets, takeFirstAdmin } from "../config/secrets"
import type { Database } from "../core/engine/engine"
import { placeOf } from "../core/engine/place"
import { type FetchHandler, oneAnswer } from "../core/http/answer/record-answer"
import { loopLag } from "../core/lib/metrics/loop-lag"
import { type Log, stderrLog } from "../core/lib/process/log"
import { print, say } from "../core/lib/process/output"
import type { Writer } from "../core/write/writer"
import { readUser } from "../office/users/service"
import type { Services } from "../services"
import { version } from "../version"
import type { UploadTarget } from "./backups/backup-uploads"
import { clockWarnings } from "./clock-warnings"
import { bringUpToDate, isUpToDate } from "./database"
import { openDemo } from "./demo"
import { longestSilence } from "./limits"
import { drainAndStop, type Listener, loopback, openListener } from "./listener"
import { type OpenedShop, type OpenRunning, running } from "./running"
import { listenToSignals } from "./signals"
import { readTls, reloadCertificate } from "./tls"

/**
 * Serves until SIGTERM or SIGINT; resolves when everything is closed. SIGHUP reloads the certificate. `warnings` are those
 * of the options.
 */
export async function serve(
  config: Config,
  warnings: readonly string[],
  { greeting, until }: { greeting?: Surroundings["greeting"]; until?: Promise<void> } = {},
): Promise<void> {
  const signals = listenToSignals(until)
  let isStopping = false
  void signals.stopRequested.then(() => (isStopping = true))
  const log = stderrLog(config.logLevel)
  for (const warning of warnings) log.warn(warning)
  // The database may be opened before the log is written.
  log.flush()
  const started = await startServer(config, {
    log,
    ...(greeting ? { greeting } : {}),
    isStopping: () => isStopping,
  }).catch((error: unknown) => {
    // A server that was still waiting for its database had nothing to stop. A demo waits for none.
    if (isStopping && !config.demo) return null
    throw error
  })
  if (started) signals.onReload(started.reload)
  await signals.stopRequested
  await started?.stop()
}

/** `reload` reads the certificate again. */
type Started = { stop(): Promise<void>; reload(): void }

/** What a server uses of its process. */
type Surroundings = {
  env?: Env
  log: Log
  tell: (text: string) => void
  /** Makes the text that tells where the server is and how to sign in. */
  greeting: (url: string, opened: OpenedShop) => string
  isStopping: () => boolean
}

const usualGreeting = (url: string, { welcome }: OpenedShop): string =>
  [`Kontor listening on ${url}`, ...welcome].join("\n")

/** Starts a server. Several can run in one process. */
export async function startServer(
  config: Config,
  {
    env,
    log = stderrLog(config.logLevel),
    tell = print,
    greeting = usualGreeting,
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
  return start(config, { listener, begin: requests.begin, env, log, tell, greeting, isStopping })
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

/** Opens the database, starts to handle requests, and prints the URL. */
async function start(config: Config, deps: Deps): Promise<Started> {
  const { listener, begin, env, log, tell } = deps
  forgetMetricsToken(env)
  const admin = takeFirstAdmin(env)
  const uploads = uploadTarget(config, env)
  const loop = loopLag()
  const url = urlOf(config, listener)
  let isStopping = false
  const surroundings = { config, listener, log, url, uploads, loop, isStopping: () => isStopping }
  const open: OpenRunning = (db, more) => running(db, { ...surroundings, ...more })
  const opened = config.demo
    ? await openDemo(config, { open, owner: admin, listener })
    : await openShop(config, { ...deps, open, admin, url })
  begin(opened.fetch)
  tell(deps.greeting(url, opened))
  warnOfPlainHttp(config)
  const { db } = opened.current()
  if (db.engine.isShared) await listener.useStandIn()
  warnOfWeakTls(db, log)
  for (const { message } of clockWarnings(db)) log.warn(message)
  opened.current().begin()
  log.info("Started.", { version, url, db: placeOf(config.db).shown })
  const stop = async () => {
    isStopping = true
    opened.current().endLongAnswers()
    loop.stop()
    log.info("Stopping.")
    await drainAndStop(listener)
    await opened.current().stop()
    opened.end()
    placeOf(config.db).release()
    log.info("Stopped.")
    log.flush()
  }
  return { stop, reload: () => void reloadCertificate({ ...config, listener, log }) }
}

type ShopDeps = Deps & { open: OpenRunning; admin: Admin | null; url: string }

/** Opens the database of the configuration, and creates the first admin or a link to create one. */
async function openShop(config: Config, deps: ShopDeps): Promise<OpenedShop> {
  const { open, admin, log, url } = deps
  const shop = open(await openUpToDate(config, deps))
  const { fetch, services, writer } = shop
  if (admin && !services.users.hasActiveAdmin()) await createAdmin(services, writer, admin, log)
  await services.webhookSending.open()
  const setupLink = await newSetupLink(services, writer, config.publicUrl ?? url)
  return {
    current: () => shop,
    fetch,
    welcome: setupLink ? [`Set up the first admin: ${setupLink}`] : [],
    access: null,
    end() {},
  }
}

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
