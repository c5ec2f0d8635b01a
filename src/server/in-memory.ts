import { createApp } from "../app"
import { backgroundBackup } from "../core/engine/backup/background-backup"
import { openWriter } from "../core/write/commit"
import { migrate } from "../core/engine/schema/migrate"
import { openDatabase } from "../core/engine/sqlite/open"
import { stderrLog } from "../core/lib/log"
import { exporter } from "../office/exports/exporter"
import { newSecret } from "../core/lib/secret"
import { standardPlans } from "../shared/plans"
import { exportThread } from "./export-thread"

/** Creates the app on an empty database in memory, to read its routes and its API document for a server at `url`. */
export function appInMemory(url = "") {
  const db = openDatabase(":memory:")
  migrate(db)
  const log = stderrLog("error")
  const app = createApp({
    db,
    ...openWriter(db),
    thread: null,
    keepEvents: Infinity,
    allowPrivateWebhooks: null,
    noSending: true,
    failedWrites: () => 0,
    leaderProblem: () => null,
    plans: standardPlans,
    log,
    addressOf: () => "",
    allowedHosts: [],
    corsOrigins: [],
    isSecure: false,
    publicUrl: null,
    issuer: () => url,
    backups: backgroundBackup(db, ":memory:"),
    exporter: exporter({ db, file: ":memory:", newThread: exportThread, log }),
    file: ":memory:",
    latestBackup: () => null,
    uploadState: () => null,
    keepOpen: () => {},
    isStopping: () => false,
    secretOf: newSecret,
  })
  return { ...app, close: () => db.close() }
}
