import type { Config } from "../config"
import { postgresOf, type Database } from "../core/engine/engine"
import type { DemoAccess } from "../demo/fill"
import type { Log } from "../core/lib/log"
import { say } from "../core/lib/output"

/** Returns the lines that `serve` prints after the URL: how to sign in. */
export function welcome(demo: DemoAccess | null, setupLink: string | null): string[] {
  if (demo)
    return [
      "This is a demo shop in memory. Its data is lost when Kontor stops.",
      `Sign in as ${demo.email} with the password ${demo.password}`,
      `API key with every scope: ${demo.key}`,
    ]
  return setupLink ? [`Set up the first admin: ${setupLink}`] : []
}

const loopback = /^(127\.|::1$|localhost$)/

export function warnOfPlainHttp({ tlsCert, host }: Config): void {
  if (tlsCert !== null || loopback.test(host)) return
  say(
    `Warning: others on the network can read plain http on ${host}. Use --tls-cert and --tls-key, or put a reverse proxy with TLS in front and listen on 127.0.0.1.`,
  )
}

/** Logs that the address of the database names a weaker mode of TLS than the default. */
export function warnOfWeakTls(db: Database, log: Log): void {
  const postgres = postgresOf(db)
  if (!postgres?.weakness) return
  log.warn(`The connection to the database is weaker than with sslmode=verify-full. ${postgres.weakness}`, {
    db: postgres.filename,
  })
}
