import type { Database } from "bun:sqlite"
import { probeWrite } from "../db/probe"
import { unavailable, type Writer } from "../db/writer"
import { steadyMillis } from "../lib/clock"
import { ok } from "./envelope"
import { page, type Route } from "./route"

const checkEvery = 5_000

/**
 * For supervisors: /health says the process lives, /ready that the database answers and can be written. A nearly full
 * disk may still take the little that the check writes, so /ready also says no when a write has failed lately.
 */
export function healthRoutes(db: Database, writer: Writer, failedWrites: () => number): Route[] {
  let checkedAt = -Infinity
  let seenFailures = 0
  let isReady: Promise<boolean> = Promise.resolve(false)

  const check = (): Promise<boolean> =>
    writer((tx) => {
      probeWrite(db, tx)
      return true
    }).catch(() => false)

  const ready = async () => {
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
  }

  return [page("GET", "/health", () => ok({ status: "ok" })), page("GET", "/ready", ready)]
}
