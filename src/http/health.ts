import type { Database } from "bun:sqlite"
import { probeWrite } from "../db/probe"
import { unavailable, type Writer } from "../db/writer"
import { steadyMillis } from "../lib/clock"
import type { App } from "./app"
import { ok } from "./envelope"

const checkEvery = 5_000

/**
 * For supervisors: /health says the process lives, /ready that the database answers and can be written. A nearly full
 * disk may still take the little that the check writes, so /ready also says no when a write has failed lately.
 */
export function health(db: Database, writer: Writer, failedWrites: () => number) {
  let checkedAt = -Infinity
  let seenFailures = 0
  let isReady: Promise<boolean> = Promise.resolve(false)

  const check = (): Promise<boolean> =>
    writer((tx) => {
      probeWrite(db, tx)
      return true
    }).catch(() => false)

  return (app: App) =>
    app
      .get("/health", () => ok({ status: "ok" }), { detail: { hide: true } })
      .get(
        "/ready",
        async () => {
          if (steadyMillis() - checkedAt >= checkEvery) {
            checkedAt = steadyMillis()
            const hasFailed = failedWrites() !== seenFailures
            seenFailures = failedWrites()
            isReady = check().then((isWritten) => {
              // Its own failure has been told, and must not count a second time.
              if (!isWritten) seenFailures = failedWrites()
              return isWritten && !hasFailed
            })
          }
          if (!(await isReady) || failedWrites() !== seenFailures) throw unavailable()
          return ok({ status: "ready" })
        },
        { detail: { hide: true } },
      )
}
