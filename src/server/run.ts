import type { Database } from "bun:sqlite"
import { createApp } from "../app"
import { forgetAdminPassword, takeFirstAdmin, type Config } from "../config"
import { backgroundBackup, type BackgroundBackup } from "../db/background-backup"
import { openWriter } from "../db/commit"
import { holdFile } from "../db/lock"
import { closeDatabase, openDatabase } from "../db/open"
import { secretOf } from "../db/secrets"
import type { Writer } from "../db/writer"
import { fillWithDemo, type DemoAccess } from "../demo/fill"
import { clientAddress } from "../http/address"
import type { Log } from "../lib/log"
import { print, say } from "../lib/output"
import { newSecret } from "../lib/secret"
import { readUser } from "../modules/users/service"
import type { Services } from "../services"
import { version } from "../version"
import { backupSchedule } from "./backup-schedule"
import { bringUpToDate } from "./database"
import type { Listening } from "./listening"
import type { FetchHandler } from "../http/one-answer"
import { startUpkeep } from "./upkeep"

const longestDrain = 10_000
const loopback = /^(127\.|::1$|localhost$)/
/** Who reaches these is on this machine. The address is not asked for then, which takes as long as reading a record. */
const hereOnly = ["127.0.0.1", "::1"]

type Deps = { server: Listening; log: Log; told: Promise<void> }

/** Serves until `told` resolves, which asks it to stop; resolves when everything is closed. `begin` gets what answers. */
export async function run(
  config: Config,
  { server, log, told }: Deps,
  begin: (answer: FetchHandler) => void,
): Promise<void> {
  if (config.demo) forgetAdminPassword()
  const admin = config.demo ? null : takeFirstAdmin()
  const db = openUpToDate(config)
  const { writer, failedWrites } = watchedWriter(db, log)
  const backups = backgroundBackup(db, config.db)
  const schedule = backupSchedule(config, backups, log)
  const setupToken = newSecret()
  const url = urlOf(config, server)
  const state = { isStopping: false }
  const { fetch, services } = createApp({
    ...appConfig(config, server, { log, backups, url }),
    db,
    writer,
    failedWrites,
    isStopping: () => state.isStopping,
    setupToken,
    secretOf: (name) => secretOf(db, name),
  })
  if (admin && !services.users.hasActiveAdmin()) await createAdmin(services, writer, admin, log)
  if (config.demo) compileAsUsual()
  const demo = config.demo ? await fillWithDemo(db, services) : null
  begin(fetch)
  const needsAdmin = !services.users.hasActiveAdmin()
  const setUpLink = needsAdmin ? `${config.publicUrl ?? url}/setup#token=${setupToken}` : null
  print([`Kontor listening on ${url}`, ...welcome(demo, setUpLink)].join("\n"))
  warnOfPlainHttp(config)
  const upkeep = startUpkeep({ db, services, schedule, log, onStart: compileAsUsual })
  log.info("Started.", { version, url, db: config.db })
  await told
  state.isStopping = true
  await stop({ server, upkeep, db, log })
}

type Running = { server: Listening; upkeep: { stop(): Promise<void> }; db: Database; log: Log }

async function stop({ server, upkeep, db, log }: Running): Promise<void> {
  log.info("Stopping.")
  await drained(server)
  await upkeep.stop()
  closeDatabase(db)
  log.info("Stopped.")
  log.flush()
}

function openUpToDate({ db: file }: Config) {
  const db = openDatabase(file)
  holdFile(file)
  const { from, to, copy } = bringUpToDate(db, file)
  if (copy) say(`The database went from version ${from} to ${to}; a copy is kept in ${copy}.`)
  return db
}

/** A writer whose failures are logged and counted. */
function watchedWriter(db: Database, log: Log) {
  let failed = 0
  const { writer } = openWriter(db, (error) => {
    failed++
    log.error("A write failed.", { error: String(error) })
  })
  return { writer, failedWrites: () => failed }
}

type AppDeps = { log: Log; backups: BackgroundBackup; url: string }

/** What the app needs to know of the configuration and of the connections. */
function appConfig(config: Config, server: Listening, { log, backups, url }: AppDeps) {
  const isHereOnly = config.trustedProxies === null && hereOnly.includes(config.host)
  return {
    plans: config.plans,
    log,
    addressOf: (request: Request) =>
      clientAddress(
        isHereOnly ? config.host : (server.requestIP(request)?.address ?? ""),
        request.headers,
        config.trustedProxies,
      ),
    keepOpen: (request: Request, seconds: number) => server.timeout(request, seconds),
    allowedHosts: config.allowedHosts.concat(config.publicUrl ? new URL(config.publicUrl).hostname : []),
    corsOrigins: config.corsOrigins,
    isSecure: config.tlsCert !== null,
    publicUrl: config.publicUrl,
    issuer: () => config.publicUrl ?? url,
    backups,
    file: config.db,
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
  const created = await writer((tx) => users.create(tx, draft))
  log.info("The first admin was created.", { email: created.email })
}

/** How to sign in, for the person who has just started Kontor. */
function welcome(access: DemoAccess | null, setUpLink: string | null): string[] {
  if (access)
    return [
      "This is a made-up shop in memory; it is gone when Kontor stops.",
      `Sign in as ${access.email} with the password ${access.password}`,
      `API key with every scope: ${access.key}`,
    ]
  return setUpLink ? [`Set up the first admin: ${setUpLink}`] : []
}

function warnOfPlainHttp({ tlsCert, host }: Config): void {
  if (tlsCert !== null || loopback.test(host)) return
  say(
    `Warning: plain http on ${host} can be read on the way. Use --tls-cert and --tls-key, or put a reverse proxy with TLS in front and listen on 127.0.0.1.`,
  )
}

/** Waits for the requests that are being answered, up to a limit. */
async function drained(server: Listening): Promise<void> {
  const deadline = Bun.sleep(longestDrain).then(() => "late")
  while (server.pendingRequests > 0) if ((await Promise.race([deadline, Bun.sleep(20)])) === "late") break
  await server.stop(true)
}

/** The executable starts with a delayed JIT compiler, because a start is too short for compiling to pay. */
const compileAsUsual = () => Bun.unsafe.setJITPolicy(1)

function urlOf({ host, tlsCert }: Config, server: Listening): string {
  const shown = host.includes(":") ? `[${host}]` : host
  return `${tlsCert === null ? "http" : "https"}://${shown}:${server.port}`
}
