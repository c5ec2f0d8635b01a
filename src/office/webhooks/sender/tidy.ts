import type { Database } from "../../../core/engine/engine"
import type { Writer } from "../../../core/write/writer"
import { deleteOld, endPending } from "../deliveries/store"
import { findUnended, isActive } from "../store"

/** The time between two such writes, in milliseconds, in which other requests write. */
const pause = 5

/** Ends what webhooks that are not active would send again, and deletes old deliveries, in small writes. */
export function openTidy({ db, writer }: { db: Database; writer: Writer }) {
  let isStopped = false
  let running: Promise<void> | null = null
  const repeat = async (work: () => boolean): Promise<void> => {
    while (!isStopped && (await writer(work))) await Bun.sleep(pause)
  }
  const run = async (): Promise<void> => {
    for (const webhook of findUnended(db)) {
      // It may be activated meanwhile.
      await repeat(() => isActive(db, webhook) === false && endPending(db, webhook))
      await repeat(() => deleteOld(db, webhook))
    }
  }
  return {
    /** Starts unless it runs. After a failure it goes on at the next start; the writer has logged the reason. */
    start(): void {
      if (isStopped) return
      running ??= run()
        .catch(() => {})
        .finally(() => (running = null))
    },

    /** Ends what runs. It can be started again. */
    async stop(): Promise<void> {
      isStopped = true
      await running
      isStopped = false
    },
  }
}

export type Tidy = ReturnType<typeof openTidy>
