import type { Database } from "../../engine/engine"
import { probeWrite, type Writer } from "../../write/writer"
import { unavailable } from "../../engine/failures"
import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { ok } from "../answer/envelope"
import { page, type Route } from "./route"

const checkEvery = 5_000

type Deps = {
  db: Database
  writer: Writer
  failedWrites: () => number
  /** Why no server does the work in the background, as a sentence; null if one does. */
  leaderProblem: () => string | null
}

/**
 * Routes for supervisors: /health says that the process runs, /ready that the database can be read and written, and that
 * some server does the work in the background. The check writes so little that it can succeed on an almost full disk, so
 * /ready also fails when a write failed recently.
 */
export function healthRoutes({ db, writer, failedWrites, leaderProblem }: Deps): Route[] {
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
        // The check's own failure has been reported and must not count again.
        if (!isWritten) seenFailures = failedWrites()
        return isWritten && !hasFailed
      })
    }
    if (!(await isReady) || failedWrites() !== seenFailures) throw unavailable()
    const problem = leaderProblem()
    if (problem !== null)
      throw new Refusal("SERVICE_UNAVAILABLE", problem, { headers: { "retry-after": "5" } })
    return ok({ status: "ready" })
  }

  return [page("GET", "/health", () => ok({ status: "ok" })), page("GET", "/ready", ready)]
}
