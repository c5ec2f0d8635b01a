import { createApp } from "../app"
import { forgetAdminPassword, takeFirstAdmin, type Config } from "../config"
import { backgroundBackup } from "../db/background-backup"
import { holdFile } from "../db/lock"
import { closeDatabase, openDatabase } from "../db/open"
import { clientAddress } from "../http/address"
import type { Log } from "../lib/log"
import { newSecret } from "../lib/secret"
import { chainEndOf } from "../modules/audit/store"
import { readNewPassword } from "../modules/users/service"
import { version } from "../version"
import { backupSchedule } from "./backup-schedule"
import { print, say } from "./command"
import { bringUpToDate, openWriter } from "./database"
import { fillWithDemo, type DemoAccess } from "./demo-data"
import { giveBackAtRest, lookEvery } from "./rest"
import type { Answer, Listening } from "./serve"

const longestDrain = 10_000
/** Whoever waits for the start is answered first. */
const upkeepAfter = 100
const loopback = /^(127\.|::1$|localhost$)/
/** Whoever reaches these is on this machine. Not to ask from where saves as much time as reading a record takes. */
const hereOnly = ["127.0.0.1", "::1"]

/** Serves until it is `told` to stop; resolves when everything is closed. `begin` is told who answers. */
export async function run(
  config: Config,
  { server, log, told }: { server: Listening; log: Log; told: Promise<void> },
  begin: (answer: Answer) => void,
): Promise<void> {
  const isSecure = config.tlsCert !== null
  if (config.demo) forgetAdminPassword()
  const admin = config.demo ? null : takeFirstAdmin()
  const db = openDatabase(config.db)
  holdFile(config.db)
  const { from, to, copy } = bringUpToDate(db, config.db)
  if (copy) say(`The database went from version ${from} to ${to}; a copy is kept in ${copy}.`)

  let failedWrites = 0
  const { writer } = openWriter(db, (error) => {
    failedWrites++
    log.error("A write failed.", { error: String(error) })
  })
  const copies = backgroundBackup(db, config.db)
  const schedule = backupSchedule(config, copies, log)
  const setupToken = newSecret()
  let isStopping = false
  const isHereOnly = config.trustedProxies === null && hereOnly.includes(config.host)
  const { fetch, services, writeBehind, sweep, learnWords } = createApp({
    db,
    plans: config.plans,
    writer,
    failedWrites: () => failedWrites,
    log,
    addressOf: (request) =>
      clientAddress(
        isHereOnly ? config.host : (server.requestIP(request)?.address ?? ""),
        request.headers,
        config.trustedProxies,
      ),
    allowedHosts: config.allowedHosts.concat(config.publicUrl ? new URL(config.publicUrl).hostname : []),
    corsOrigins: config.corsOrigins,
    isSecure,
    publicUrl: config.publicUrl,
    issuer: () => config.publicUrl ?? url,
    isStopping: () => isStopping,
    setupToken,
    copies,
    file: config.db,
    keepOpen: (request, seconds) => server.timeout(request, seconds),
  })

  if (admin && !services.users.hasActiveAdmin()) {
    const password = await readNewPassword(admin.password, "kontor")
    const created = await writer((tx) =>
      services.users.create(tx, { email: admin.email, name: admin.name, role: "admin" }, password),
    )
    log.info("The first admin was created.", { email: created.email })
  }

  if (config.demo) compileAsUsual()
  const demo = config.demo ? await fillWithDemo(db, services) : null
  const url = urlOf(config, server, isSecure)
  begin(fetch)
  print([`Kontor listening on ${url}`, ...welcome(services.users.hasActiveAdmin(), demo)].join("\n"))
  if (!isSecure && !loopback.test(config.host))
    say(
      `Warning: plain http on ${config.host} can be read on the way. Use --tls-cert and --tls-key, or put a reverse proxy with TLS in front and listen on 127.0.0.1.`,
    )
  const upkeep = setTimeout(() => {
    compileAsUsual()
    void quietly(sweep())
    void quietly(learnWords())
    tellChainEnd()
    schedule.start()
  }, upkeepAfter)
  const timers = [
    setInterval(() => quietly(writeBehind()), 5_000),
    setInterval(() => quietly(sweep()), 3_600_000),
    setInterval(giveBackAtRest(db), lookEvery),
    setInterval(tellChainEnd, 86_400_000),
  ]
  log.info("Started.", { version, url, db: config.db })
  await told
  isStopping = true
  log.info("Stopping.")
  await drained()
  clearTimeout(upkeep)
  timers.forEach(clearInterval)
  schedule.stop()
  await quietly(writeBehind({ all: true }))
  tellChainEnd()
  closeDatabase(db)
  log.info("Stopped.")
  log.flush()

  /** How to get in, for whoever has just started it. */
  function welcome(hasAdmin: boolean, access: DemoAccess | null): string[] {
    if (access)
      return [
        "This is a made-up shop in memory; it is gone when Kontor stops.",
        `Sign in as ${access.email} with the password ${access.password}`,
        `API key with every scope: ${access.key}`,
      ]
    return hasAdmin ? [] : [`Set up the first admin: ${config.publicUrl ?? url}/setup#token=${setupToken}`]
  }

  /** Upkeep that fails is tried again at its next turn; the writer has logged why. */
  function quietly(work: Promise<void>): Promise<void> {
    return work.catch(() => {})
  }

  /** What the log was up to here. A log that is kept on another machine proves it when the file has been rewritten. */
  function tellChainEnd(): void {
    try {
      log.info("Audit log.", chainEndOf(db))
    } catch (error) {
      log.error("The end of the audit log could not be read.", { error: String(error) })
    }
  }

  /** Waits for the requests under way, but not for ever. */
  async function drained(): Promise<void> {
    const deadline = Bun.sleep(longestDrain).then(() => "late")
    while (server.pendingRequests > 0) if ((await Promise.race([deadline, Bun.sleep(20)])) === "late") break
    await server.stop(true)
  }
}

/** The executable starts with a compiler that is held back, because a start is over before it would pay. */
const compileAsUsual = () => Bun.unsafe.setJITPolicy(1)

function urlOf({ host }: Config, server: { port?: number }, isSecure: boolean): string {
  return `${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${server.port}`
}
