import { createApp } from "../app"
import { openWriter } from "../core/write/commit"
import { migrate } from "../core/engine/schema/migrate"
import { placeOf } from "../core/engine/place"
import { histogram } from "../core/lib/metrics/histogram"
import { stderrLog } from "../core/lib/process/log"
import { exporter } from "../office/exports/exporter"
import { newSecret } from "../core/lib/secret"
import { standardPlans } from "../shared/plans"
import { exportThread } from "./export-thread"

/** Creates the app on an empty database in memory, to read its routes and its API document for a server at `url`. */
export function appInMemory(url = "") {
  const place = placeOf(":memory:")
  const db = place.open()
  migrate(db)
  const log = stderrLog("error")
  const { writer, subscribe, meter } = openWriter(db)
  const app = createApp({
    db,
    writer,
    subscribe,
    watched: {
      writes: meter,
      loop: histogram(),
      requestsInFlight: () => 0,
      backups: () => [],
      certificateUntil: () => null,
    },
    metricsToken: null,
    peerOf: () => "",
    thread: null,
    keepEvents: Infinity,
    allowPrivateWebhooks: null,
    noSending: true,
    failedWrites: () => ({ count: 0, last: null }),
    leaderProblem: () => null,
    warnings: () => [],
    plans: standardPlans,
    log,
    addressOf: () => "",
    allowedHosts: [],
    corsOrigins: [],
    isSecure: false,
    publicUrl: null,
    issuer: () => url,
    backups: place.backups?.inBackground(db) ?? null,
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
