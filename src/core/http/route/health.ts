import type { Database } from "../../engine/engine"
import { problemOf, type Problem, unreachable } from "../../engine/failures"
import { probeWrite, type Writer } from "../../write/writer"
import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import type { ServerWarning } from "../../lib/warning"
import { failure, ok } from "../answer/envelope"
import { page, type Route, type RouteCall } from "./route"

const checkEvery = 5_000
/** In milliseconds: how long a database may take to answer. */
const patience = 1_000

/** How many writes have failed, and the error of the last one. */
export type FailedWrites = { count: number; last: unknown }

type Deps = {
  db: Database
  writer: Writer
  failedWrites: () => FailedWrites
  /** Why no server does the work in the background, as a sentence; null if one does. */
  leaderProblem: () => string | null
  /** What admins should know about the server while it works. */
  warnings: () => ServerWarning[]
}

/** A check that failed: its name, and why. */
type Failed = Problem & { check: "read" | "write" | "background" }

/**
 * Routes for supervisors: /health says that the process runs, /ready that the database can be read and written, and that
 * some server does the work in the background. The check writes so little that it can succeed on an almost full disk, so
 * /ready also fails when a write failed recently. What admins should know of a server that works are its warnings.
 */
export function healthRoutes({ db, writer, failedWrites, leaderProblem, warnings }: Deps): Route[] {
  let checkedAt = -Infinity
  let seenFailures = 0
  let last: Promise<Failed[]> = Promise.resolve([])

  const check = async (): Promise<Failed[]> => {
    const before = failedWrites()
    const recent = before.count === seenFailures ? [] : [recentlyFailed(before)]
    seenFailures = before.count
    const unread = (await db.engine.answers(patience)) ? failedRead(db) : [silent]
    // Without an answer to the one, there is none to the other, and each may take as long as a connection.
    const failed = unread.length > 0 ? unread : await failedWrite(db, writer)
    // The check's own failure has been reported and must not count again.
    if (failed.length > 0) seenFailures = failedWrites().count
    return failed.length > 0 ? failed : recent
  }

  const ready = async (context: RouteCall) => {
    if (steadyMillis() - checkedAt >= checkEvery) {
      checkedAt = steadyMillis()
      last = check()
    }
    const found = await last
    const since = failedWrites()
    const isNew = found.length === 0 && since.count !== seenFailures
    const problem = leaderProblem()
    const failed = [...found, ...(isNew ? [recentlyFailed(since)] : []), ...backgroundFailed(problem)]
    if (failed.length > 0) return notReady(failed, context)
    const warned = warnings()
    return { ...ok({ status: "ready" }), ...(warned.length > 0 && { warnings: warned }) }
  }

  return [page("GET", "/health", () => ok({ status: "ok" })), page("GET", "/ready", ready)]
}

function failedRead(db: Database): Failed[] {
  try {
    db.query("SELECT at FROM write_probe").get()
    return []
  } catch (error) {
    return [{ check: "read", ...problemOf(error) }]
  }
}

const silent: Failed = { check: "read", ...unreachable }

const failedWrite = (db: Database, writer: Writer): Promise<Failed[]> =>
  writer((tx) => probeWrite(db, tx)).then(
    () => [],
    // The writer refuses a write with a sentence for its caller. The cause is what happened.
    (error: unknown) => [{ check: "write", ...problemOf(error instanceof Refusal ? error.cause : error) }],
  )

const backgroundFailed = (problem: string | null): Failed[] =>
  problem === null ? [] : [{ check: "background", code: "NO_LEADER", message: problem }]

function recentlyFailed({ last }: FailedWrites): Failed {
  const { code, message } = problemOf(last)
  return { check: "write", code, message: `A write failed a moment ago. ${message}` }
}

/** The envelope of a refusal, with each check that failed. It has no text of the system, which could name hosts and users. */
function notReady(checks: readonly Failed[], { set }: Pick<RouteCall, "set">) {
  const sentences = new Set(checks.map(({ message }) => message))
  const refusal = new Refusal("SERVICE_UNAVAILABLE", [...sentences].join(" "))
  const { success, error } = failure(refusal)
  set.status = refusal.status
  set.headers["retry-after"] = "5"
  return { success, error: { ...error, checks } }
}
