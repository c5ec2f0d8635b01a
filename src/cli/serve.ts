import { UsageError, type Config } from "../config"
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
  run({ config, flags, warnings }) {
    if (!config.demo) {
      assertNoSchedule(config)
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

/** Refuses automatic backups of a database that is not a file. */
function assertNoSchedule({ db, backupDir, backupTo }: Config): void {
  if (!placeOf(db).backups && (backupDir !== null || backupTo !== null))
    throw new UsageError(`--backup-dir and --backup-to need a database file. ${noBackups}`)
}
