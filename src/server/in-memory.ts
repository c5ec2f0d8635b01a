import { createApp } from "../app"
import { backgroundBackup } from "../db/background-backup"
import { openWriter } from "../db/commit"
import { migrate } from "../db/migrate"
import { openDatabase } from "../db/open"
import { stderrLog } from "../lib/log"
import { exporter } from "../modules/exports/exporter"
import { newSecret } from "../lib/secret"
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
