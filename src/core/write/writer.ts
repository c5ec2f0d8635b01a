import type { Database, Read } from "../engine/engine"
import { type Clock, steadyMillis } from "../lib/clock"
import { Refusal } from "../lib/refusal"
import type { Warning } from "../lib/warning"
import { endTurn } from "../engine/change-token"
import type { RecordEvent } from "./events"
import type { SearchMark } from "./search-waiting"
import type { Parts } from "../engine/parts"
import { isLate, isStorageFailure, unavailable } from "../engine/failures"
import { writeMeter, type WriteMeter } from "./meter"

/** The user or program that a write is recorded under. */
export type Actor = {
  type: "user" | "apiKey" | "oauthClient" | "anonymous" | "system"
  id: string | null
  name: string | null
  requestId: string | null
  ip: string | null
  userAgent: string | null
  /** The assistant that sent it; missing for all others. */
  via?: Via
}

/** How an assistant did something: with which tool, and what it calls itself. Nobody has verified that name. */
export type Via = { via: "mcp"; tool: string; client: string | null }

export type Changes = Record<string, { from: unknown; to: unknown }>

/** One entry of the audit log, without the time and the actor, which the transaction has. */
export type AuditEntry = {
  action: string
  kind: string
  recordId: string | null
  outcome: "success" | "failure" | "refused"
  changes: Changes
}

/** Optional parts of an entry. By default, `kind` is the first word of the action. */
type AuditOptions = { kind?: string; outcome?: AuditEntry["outcome"] }

/** The current write. Code that has a Tx runs inside a transaction, in which `now` does not change. */
export type Tx = {
  readonly db: Database
  readonly now: string
  readonly by: Actor
  readonly warnings: Warning[]
  /** The document and customer numbers that this write has assigned. */
  readonly numbers: string[]
  readonly auditEntries: AuditEntry[]
  /** What happened to records, for the feed of events, which is written before the commit. */
  readonly events: RecordEvent[]
  /** The records whose search text must be written, which is noted before the commit. */
  readonly searchMarks: SearchMark[]
  /** Adds an entry to the audit log, which is written before the commit: `tx.audit("invoices.status", id, changes)`. */
  audit(action: string, recordId: string | null, changes?: Changes, options?: AuditOptions): void
  /** Runs when the write is on disk. In-memory caches and indexes are updated only here. */
  readonly afterCommit: (() => void)[]
  /**
   * Runs when the write is rolled back. A cache is cleared again here, because it may have read values of the write.
   */
  readonly afterUndo: (() => void)[]
}

/** A write that changes nothing outside of its transaction, so that it can run again. `reads` are queries that it will send. */
export type Planned = { reads: readonly Read[] }

/** Runs `work` in a transaction and resolves when the result is on disk. A planned write takes less time on PostgreSQL. */
export type Writer = <T>(work: (tx: Tx) => T, by?: Actor, planned?: Planned) => Promise<T>

/** Kontor itself: the command line, the first start, maintenance. */
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
  planned: Planned | undefined
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
  /** When it began to wait. */
  since: number
}
type Done = { job: Job; tx: Tx } & ({ value: unknown } | { error: unknown })

/**
 * The limits of one transaction, because it blocks the event loop: the number of writes, and their time in
 * milliseconds. Together with the audit log, a transaction takes at most about 25
 * ms.
 */
const batchLimit = 256
const batchTime = 15

type Deps = {
  db: Database
  clock: Clock
  batchTime: number
  /** Gets all successful writes of a transaction before the commit. */
  beforeCommit: (writes: Tx[]) => void
  onFailure: (error: unknown) => void
  meter: WriteMeter
  rollback: ReturnType<Database["prepare"]>
  /** How many of the waiting jobs run without statements that wait, and how many jobs the last transaction had. */
  recent: { careful: number; done: number }
}

/**
 * Group commit: the writes of one turn of the event loop share a transaction and its sync. A refused write is rolled back
 * alone. `beforeCommit` gets all successful writes. Without `isTimed`, it does not depend on the speed of the machine which
 * writes share a transaction: the IDs of their events come after those of all their records.
 */
export function groupWriter(
  db: Database,
  clock: Clock,
  beforeCommit: (writes: Tx[]) => void,
  onFailure: (error: unknown) => void = () => {},
  { meter = writeMeter(), isTimed = true }: { meter?: WriteMeter; isTimed?: boolean } = {},
): Writer {
  const deps: Deps = {
    db,
    clock,
    batchTime: isTimed ? batchTime : Infinity,
    beforeCommit,
    onFailure,
    meter,
    rollback: db.prepare("ROLLBACK"),
    recent: { careful: 0, done: 0 },
  }
  const waiting: Job[] = []
  meter.waiting = () => waiting.length
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(runNext)
  }

  function runNext(): void {
    const running = runBatch(deps, waiting)
    if (running instanceof Promise) void running.finally(goOn)
    else goOn()
  }

  function goOn(): void {
    isScheduled = false
    schedule()
  }

  return <T>(work: (tx: Tx) => T, by: Actor = system, planned?: Planned) =>
    new Promise<T>((resolve, reject) => {
      const since = steadyMillis()
      waiting.push({ by, work, planned, resolve: resolve as (value: unknown) => void, reject, since })
      schedule()
    })
}

/** The reads of more jobs than this many would often be in vain, because a transaction ends before them. */
const fewJobs = 16

/** What the next transaction is going to read. */
const readsOf = ({ recent }: Deps, waiting: readonly Job[]): Read[] =>
  waiting.slice(0, Math.max(fewJobs, 2 * recent.done)).flatMap(({ planned }) => planned?.reads ?? [])

/** When a transaction began, and whether its statements may wait: only planned jobs can run again if one of them fails. */
type Begun = { began: number; mayWait: boolean }

/** The jobs that a transaction took from the queue, and the `Tx` of each write that has begun. */
type Batch = { jobs: Job[]; begun: Tx[] }

/** Runs waiting jobs in one transaction, up to its limits, and settles them. */
function runBatch(deps: Deps, waiting: Job[]): void | Promise<void> {
  const began = steadyMillis()
  const fail = (error: unknown): void => {
    deps.meter.failed()
    deps.onFailure(error)
    // When the file cannot be written, the waiting writes would fail too, so they are refused together.
    for (const job of waiting.splice(0, batchLimit)) job.reject(unavailable(error))
  }
  try {
    endTurn(deps.db)
    // A file gains nothing from it, and groups of one kind would be smaller.
    const mayWait = deps.db.engine.isShared && deps.recent.careful === 0 && waiting[0]?.planned !== undefined
    const options = { mayWait, reads: () => (mayWait ? readsOf(deps, waiting) : []) }
    const running = deps.db.engine.write(() => commitSome(deps, waiting, { began, mayWait }), options)
    if (running instanceof Promise) return running.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** Runs waiting jobs in the transaction that has begun, commits it and settles them. If that fails, they wait again. */
function commitSome(deps: Deps, waiting: Job[], { began, mayWait }: Begun): void | Promise<void> {
  const { db, beforeCommit, meter } = deps
  const batch: Batch = { jobs: [], begun: [] }
  const undo = (error: unknown): void => {
    if (db.inTransaction) deps.rollback.run()
    for (const tx of batch.begun) runAfterUndo(tx)
    waiting.unshift(...batch.jobs)
    // The jobs run again, so that only the one is refused whose statement has failed.
    if (mayWait && !isStorageFailure(error)) deps.recent.careful = batch.jobs.length
    else throw error
  }
  let done: Done[] = []
  let ready = 0
  const committed = (): void => {
    const stored = steadyMillis()
    meter.committed(stored - began, stored - ready)
    deps.recent.careful = Math.max(0, deps.recent.careful - done.length)
    deps.recent.done = done.length
    endTurn(db)
    settle(done, deps.onFailure)
  }
  try {
    // Others may have written while it waited.
    endTurn(db)
    done = runSome(deps, waiting, batch, mayWait)
    const writes = done.flatMap((each) => ("value" in each ? [each.tx] : []))
    const ending = db.engine.endWrite(() => {
      if (writes.length > 0) beforeCommit(writes)
      ready = steadyMillis()
    }, committed)
    if (ending instanceof Promise) return ending.catch(undo)
  } catch (error) {
    undo(error)
  }
}

/** Runs waiting jobs and moves them to `batch` until a limit of the transaction is reached. */
function runSome(deps: Deps, waiting: Job[], batch: Batch, mayWait: boolean): Done[] {
  const done: Done[] = []
  const parts = deps.db.engine.parts()
  const began = steadyMillis()
  const limit = deps.recent.careful || batchLimit
  let [now, longest] = [began, 0]
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    batch.jobs.push(job)
    deps.meter.waited(now - job.since)
    done.push(runOne(deps, job, batch.begun, parts))
    const before = now
    now = steadyMillis()
    longest = Math.max(longest, now - before)
    if (mayWait && !waiting[0]?.planned) break
    // The next job is expected to take as long as the longest so far.
    if (done.length >= limit || now - began + longest > deps.batchTime) break
  }
  return done
}

function runOne({ db, clock }: Deps, job: Job, begun: Tx[], parts: Parts): Done {
  const tx = newTx(db, clock(), job.by)
  begun.push(tx)
  parts.begin()
  try {
    const value = job.work(tx)
    parts.keep()
    return { job, tx, value }
  } catch (error) {
    // On a full disk SQLite ends the whole transaction; later writes would then be committed one by one.
    if (!db.inTransaction || isStorageFailure(error) || isLate(error)) throw error
    // What must be unique may not have been looked for.
    if (db.engine.checksLater() && !(error instanceof Refusal)) throw error
    parts.undo()
    runAfterUndo(tx)
    return { job, tx, error }
  }
}

/** Begins a write. */
export function newTx(db: Database, now: string, by: Actor): Tx {
  const auditEntries: AuditEntry[] = []
  return {
    db,
    now,
    by,
    warnings: [],
    numbers: [],
    auditEntries,
    events: [],
    searchMarks: [],
    audit: (action, recordId, changes = {}, options = {}) =>
      void auditEntries.push(auditEntry(action, recordId, changes, options)),
    afterCommit: [],
    afterUndo: [],
  }
}

/** Creates an audit log entry. By default, the kind is the first word of its action. */
export const auditEntry = (
  action: string,
  recordId: string | null = null,
  changes: Changes = {},
  { kind = action.slice(0, action.indexOf(".")), outcome = "success" }: AuditOptions = {},
): AuditEntry => ({ action, kind, recordId, outcome, changes })

/** Clears caches after a write was rolled back. */
export function runAfterUndo(tx: Tx): void {
  for (const run of tx.afterUndo) run()
}

/** Tells the callers of the writes what became of them. What fails after a commit is reported, and stops nothing. */
function settle(done: Done[], report: (error: unknown) => void): void {
  for (const each of done) {
    if ("error" in each) {
      each.job.reject(each.error)
      continue
    }
    for (const run of each.tx.afterCommit)
      try {
        run()
      } catch (error) {
        report(error)
      }
    each.job.resolve(each.value)
  }
}

/** Checks that the file can be written. */
export function probeWrite(db: Database, tx: Tx): void {
  db.query(
    "INSERT INTO write_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
  ).run(tx.now)
}
