import { UsageError, type Config } from "../config"
import { anyOrigin } from "../config/values"
import { noBackups, placeOf } from "../core/engine/place"
import { serve } from "../server/serve"
import type { Command } from "./command"

export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the API, the documentation and the console",
  usage: "[options]",
  examples: [
    "kontor serve",
    "kontor serve --db /srv/kontor.db --port 8080 --public-url https://kontor.example",
  ],
  takes: [
    "db",
    "host",
    "port",
    "publicUrl",
    "tlsCert",
    "tlsKey",
    "trustedProxies",
    "allowedHosts",
    "corsOrigins",
    "plans",
    "demo",
    "seed",
    "now",
    "run",
    "data",
    "backupDir",
    "backupTo",
    "s3Endpoint",
    "s3Region",
    "backupEvery",
    "backupKeep",
    "keepEvents",
    "allowPrivateWebhooks",
    "noSending",
    "metricsToken",
    "logLevel",
  ],
  logs: true,
  run({ config, flags, switches, warnings }) {
    if (!config.demo) {
      assertNoSchedule(config)
      assertNoDemo(config, { ...flags, ...switches })
      return serve(config, warnings)
    }
    // Only the flag is refused: the variable may be set for other commands, and a flag wins over a variable.
    if (flags.db !== undefined)
      throw new UsageError(
        "--demo serves from memory and uses no database file: remove either --demo or --db.",
      )
    return serve({ ...config, db: ":memory:" }, warnings)
  },
}

/** Refuses what only a demo may have. Variables may be set for other commands. */
function assertNoDemo({ corsOrigins }: Config, flags: object): void {
  for (const name of ["seed", "now", "run"])
    if (name in flags)
      throw new UsageError(`--${name} needs --demo: only a demo has a clock and a seed of its own.`)
  if ("data" in flags)
    throw new UsageError("--data needs --demo: other databases get their records by an import or the API.")
  if (corsOrigins.includes(anyOrigin))
    throw new UsageError("--cors-origins '*' needs --demo: the pages of any site could call the API.")
}

/** Refuses automatic backups of a database that is not a file. */
function assertNoSchedule({ db, backupDir, backupTo }: Config): void {
  if (!placeOf(db).backups && (backupDir !== null || backupTo !== null))
    throw new UsageError(`--backup-dir and --backup-to need a database file. ${noBackups}`)
}
