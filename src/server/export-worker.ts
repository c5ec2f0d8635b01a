// Exports records in a separate thread, because reading and writing all of them takes long.
import type { Database } from "../core/engine/engine"
import { runAfterRequests } from "../core/lib/process/priority"
import { openSnapshot } from "../core/engine/place"
import { sentFailure } from "../core/engine/failures"
import { followClock } from "../core/lib/clock"
import type { End } from "../core/lib/process/ending-worker"
import { newSecret } from "../core/lib/secret"
import { Unusable } from "../core/lib/refusal"
import type { ToThread } from "../office/exports/receiving"
import { sending } from "../office/exports/sending"
import { createServices } from "../services"
import { exportedFile } from "./exported-file"

declare const self: Worker

runAfterRequests()

const { send, taken } = sending((message, transfer) => self.postMessage(message, transfer))

let db: Database | null = null

self.onmessage = async ({ data }: MessageEvent<ToThread | End>) => {
  if ("taken" in data) return taken(data.taken)
  if ("end" in data) {
    db?.close()
    process.exit()
  }
  try {
    // What an export shows of a day is as at its beginning, and a demo has a clock of its own.
    followClock(() => data.at)
    db = openSnapshot(data.source)
    await send(exportedFile(db, servicesOf(db), data.job))
  } catch (error) {
    self.postMessage(sentFailure(error))
  }
}

/** The services on a snapshot, to which nothing can be written. They issue nothing that is signed. */
const servicesOf = (db: Database) =>
  createServices({
    db,
    writer: () => Promise.reject(new Unusable("An export cannot write.")),
    issuer: () => "",
    secretOf: newSecret,
    thread: null,
    subscribe: () => () => {},
    keepEvents: Infinity,
    allowPrivateWebhooks: null,
    publicUrl: null,
    noSending: true,
  })
