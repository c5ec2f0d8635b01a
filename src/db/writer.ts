import type { Database } from "bun:sqlite"
import { steadyMillis, type Clock } from "../lib/clock"
import { Refusal } from "../lib/refusal"
import { endTurn } from "./change-token"

export type Warning = { code: string; field: string; message: string }

/** One row's text for the search tables of its kind; null takes the row out. */
export type SearchEntry = {
  table: string
  seq: number
  text: { words: string; more: string; fragments: string } | null
  isNew: boolean
}

/** On whose behalf something is written. */
export type Actor = {
  type: "user" | "apiKey" | "oauthClient" | "anonymous" | "system"
  id: string | null
  name: string | null
  requestId: string | null
  ip: string | null
  userAgent: string | null
}

export type Changes = Record<string, { from: unknown; to: unknown }>

/** One line for the audit log, without what the transaction knows already. */
export type AuditEntry = {
  action: string
  kind: string
  recordId: string | null
  outcome: "success" | "failure" | "refused"
  changes: Changes
}

/** What an entry says apart from its action and record. `kind` is the first word of the action unless it is given. */
type AuditOptions = { kind?: string; outcome?: AuditEntry["outcome"] }

/** The write in progress. Code that holds one runs inside a transaction, in which `now` does not change. */
export type Tx = {
  readonly now: string
  readonly by: Actor
  readonly warnings: Warning[]
  readonly searchEntries: SearchEntry[]
  readonly auditEntries: AuditEntry[]
  /** Adds an entry to the audit log, which is written before the commit: `tx.audit("invoices.status", id, changes)`. */
  audit(action: string, recordId: string | null, changes?: Changes, options?: AuditOptions): void
  /** Run once the write is on the disk. Caches and indexes in memory change here and nowhere else. */
  readonly afterCommit: (() => void)[]
  /** Run when the write is undone after all, because what was dropped from a cache may have been read again meanwhile. */
  readonly afterUndo: (() => void)[]
}

/** Runs `work` in a transaction and answers when the result is on the disk. */
export type Writer = <T>(work: (tx: Tx) => T, by?: Actor) => Promise<T>

/** Kontor itself: the command line, the first start, upkeep. */
export const system: Actor = {
  type: "system",
  id: null,
  name: "kontor",
  requestId: null,
  ip: null,
  userAgent: null,
}

type Job = {
  by: Actor
  work: (tx: Tx) => unknown
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
}
type Done = { job: Job; tx: Tx } & ({ value: unknown } | { error: unknown })

/**
 * Both bound how long one transaction holds the event loop: so many writes, or so many milliseconds of them. What search and
 * the audit log add at the end makes it about 25 ms in all.
 */
const batchLimit = 256
const batchTime = 15

type Deps = {
  db: Database
  clock: Clock
  /** Sees every write of a transaction that succeeded, before the commit. */
  beforeCommit: (kept: Tx[]) => void
  onFailure: (error: unknown) => void
  statements: ReturnType<typeof statementsOf>
}

const statementsOf = (db: Database) => ({
  begin: db.prepare("BEGIN IMMEDIATE"),
  commit: db.prepare("COMMIT"),
  rollback: db.prepare("ROLLBACK"),
  savepoint: db.prepare("SAVEPOINT one"),
  release: db.prepare("RELEASE one"),
  undo: db.prepare("ROLLBACK TO one"),
})

/**
 * Group commit: the writes of one turn of the event loop share a transaction and its one sync, each in a savepoint
 * of its own, so that a refused write undoes itself alone. `beforeCommit` sees all that succeeded.
 */
export function groupWriter(
  db: Database,
  clock: Clock,
  beforeCommit: (kept: Tx[]) => void,
  onFailure: (error: unknown) => void = () => {},
): Writer {
  const deps: Deps = { db, clock, beforeCommit, onFailure, statements: statementsOf(db) }
  const waiting: Job[] = []
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(runNext)
  }

  function runNext(): void {
    isScheduled = false
    try {
      runBatch(deps, waiting)
    } finally {
      schedule()
    }
  }

  return <T>(work: (tx: Tx) => T, by: Actor = system) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ by, work, resolve: resolve as (value: unknown) => void, reject })
      schedule()
    })
}

/** What a transaction has taken from the queue, and the writes that it has begun. */
type Batch = { jobs: Job[]; begun: Tx[] }

/** Runs what waits in one transaction, as far as that may go, and answers it. */
function runBatch(deps: Deps, waiting: Job[]): void {
  const { db, beforeCommit, onFailure, statements } = deps
  const batch: Batch = { jobs: [], begun: [] }
  try {
    endTurn(db)
    statements.begin.run()
    const done = runSome(deps, waiting, batch)
    const kept = done.flatMap((each) => ("value" in each ? [each.tx] : []))
    if (kept.length > 0) beforeCommit(kept)
    statements.commit.run()
    endTurn(db)
    settle(done)
  } catch (error) {
    if (db.inTransaction) statements.rollback.run()
    for (const tx of batch.begun) undone(tx)
    onFailure(error)
    // When the file cannot be written now, the writes that wait would fail as well, so they are refused together.
    batch.jobs.push(...waiting.splice(0, batchLimit))
    for (const job of batch.jobs) job.reject(unavailable())
  }
}

/** Runs what waits, and moves it to `batch`, until there is enough for one transaction. */
function runSome(deps: Deps, waiting: Job[], batch: Batch): Done[] {
  const done: Done[] = []
  const began = steadyMillis()
  let [now, longest] = [began, 0]
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    batch.jobs.push(job)
    done.push(runOne(deps, job, batch.begun))
    const before = now
    now = steadyMillis()
    longest = Math.max(longest, now - before)
    // The next one is expected to take as long as the longest so far.
    if (done.length >= batchLimit || now - began + longest > batchTime) break
  }
  return done
}

function runOne({ db, clock, statements }: Deps, job: Job, begun: Tx[]): Done {
  const tx = newTx(clock(), job.by)
  begun.push(tx)
  statements.savepoint.run()
  try {
    const value = job.work(tx)
    statements.release.run()
    return { job, tx, value }
  } catch (error) {
    // A full disk ends the whole transaction by itself; what follows would then be committed one by one.
    if (!db.inTransaction || isStorageFailure(error)) throw error
    statements.undo.run()
    statements.release.run()
    undone(tx)
    return { job, tx, error }
  }
}

function newTx(now: string, by: Actor): Tx {
  const auditEntries: AuditEntry[] = []
  return {
    now,
    by,
    warnings: [],
    searchEntries: [],
    auditEntries,
    audit: (action, recordId, changes = {}, options = {}) =>
      void auditEntries.push(auditEntry(action, recordId, changes, options)),
    afterCommit: [],
    afterUndo: [],
  }
}

/** An entry for the audit log; the kind is the first word of its action unless it is given. */
export const auditEntry = (
  action: string,
  recordId: string | null = null,
  changes: Changes = {},
  { kind = action.slice(0, action.indexOf(".")), outcome = "success" }: AuditOptions = {},
): AuditEntry => ({ action, kind, recordId, outcome, changes })

function undone(tx: Tx): void {
  for (const run of tx.afterUndo) run()
}

function settle(done: Done[]): void {
  for (const each of done) {
    if ("error" in each) {
      each.job.reject(each.error)
      continue
    }
    for (const run of each.tx.afterCommit) run()
    each.job.resolve(each.value)
  }
}

const storageFailures = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_BUSY",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
]

/** True when the file could not be written: no request is at fault, and a later write may succeed. */
export function isStorageFailure(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return storageFailures.some((failure) => code.startsWith(failure))
}

/** The answer to every write of a batch that could not be stored. */
export const unavailable = () =>
  new Refusal(
    "SERVICE_UNAVAILABLE",
    "The database cannot be written at the moment. Nothing was stored; try again.",
    {
      headers: { "retry-after": "5" },
    },
  )
