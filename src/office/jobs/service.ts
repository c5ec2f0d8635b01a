import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { type Caller, isAdmin } from "../../core/caller"
import { business, type Clock } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { newId } from "../../core/lib/id"
import { invalid, Refusal } from "../../core/lib/refusal"
import { restsBetween } from "../../core/lib/turns"
import { refuseMissing } from "../../core/store/crud"
import type { JobHandler, RunnerDeps } from "./handler"
import {
  errorOf,
  type Job,
  type JobCaller,
  type JobData,
  jobEnded,
  type JobError,
  type JobFault,
  mostShownFaults,
} from "./model"
import { jobRunner, longestWait } from "./runner"
import {
  countByStatus,
  bringForward,
  countUnfinished,
  deleteEndedBefore,
  eachFaults,
  findWarnings,
  eachNewest,
  endJob,
  findByKey,
  findJob,
  findListed,
  findUnfinished,
  insertJob,
} from "./store"
import { deleteSomeTargets, findEndedWithTargets } from "./targets"

type Deps = Omit<RunnerDeps, "clock"> & { clock?: Clock }

type Begun = {
  kind: string
  idPrefix: string
  /** Chosen before, for rows that refer to the job. */
  id?: string
  /** A second job with this key is not created. */
  uniqueKey?: string | null
  caller: JobCaller
  input: JobData
  /** The state before the first slice. */
  state?: JobData
}

/** More jobs of a kind cannot wait, because each may have stored a file: of all users, and of one. */
const mostUnfinished = 20
const mostOfUser = 10
/** In seconds. */
const retryAfter = 30
const day = 24 * 3_600_000
const keptMillis = 30 * day
const deletedAtOnce = 10
const targetsAtOnce = 500

/** Jobs: work in the background that goes on after a restart. The handlers say how each kind runs. */
export function jobService(
  { db, writer, callerAgain, clock = business.now }: Deps,
  handlers: readonly JobHandler[],
) {
  const runner = jobRunner({ db, writer, callerAgain, clock }, handlers)
  const endings = jobEndings({ db, callerAgain, clock, handlers, abort: runner.abort })
  return {
    runner,
    /** Refuses work that another job of a kind would need, if there is no room for it. */
    assertRoom: (kind: string, user: string): void => assertRoom(db, kind, user),

    /**
     * Stores a job. It begins when the transaction is on disk. Whether there is room is decided here: many may have asked
     * before any of them began.
     */
    begin(tx: Tx, { kind, idPrefix, id = newId(idPrefix, tx.now), uniqueKey = null, ...given }: Begun): Job {
      const { caller, input, state = {} } = given
      assertRoom(db, kind, caller.userId)
      insertJob(db, { id, kind, caller, input, state, uniqueKey, runAt: clock(), now: tx.now })
      tx.afterCommit.push(runner.wake)
      return get(db, kind, id, null)
    },

    get: (kind: string, id: string, viewer: Viewer): Job => get(db, kind, id, viewer),
    find: (kind: string, id: string, viewer: Viewer): Job | null => find(db, kind, id, viewer),
    kindOf: (id: string, kinds: readonly string[]): string => kindOf(db, id, kinds),
    findByKey: (uniqueKey: string): Job | null => findByKey(db, uniqueKey),
    newest: (kind: string, viewer: Caller, listed: Listed): Promise<Job[]> =>
      newest(db, kind, viewer, listed),

    /** Ends a job that has not ended. */
    cancel: (tx: Tx, kind: string, id: string, viewer: Viewer): Job =>
      endings.cancel(tx, get(db, kind, id, viewer)),
    endRevoked: endings.endRevoked,

    /** How many jobs have each status; of those that have ended, those of the last day. */
    counts(): Record<Job["status"], number> {
      const counts = { queued: 0, checking: 0, applying: 0, finished: 0, failed: 0 }
      for (const { status, jobs } of countByStatus(db, later(clock(), -day))) counts[status] = jobs
      return counts
    },

    firstFaults: (id: string): JobFault[] => firstFaults(db, id),
    warnings: (id: string): JobFault[] => findWarnings(db, id),
    /** Returns all faults of a job, some at a time. */
    eachFaults: (id: string) => eachFaults(db, id),

    /** Deletes jobs that ended long ago, and runs those that wait for a time that the clock was ahead to. */
    async deleteExpired(): Promise<void> {
      await writer(() => bringForward(db, clock(), later(clock(), 2 * longestWait)))
      const before = later(clock(), -keptMillis)
      // A job may have 100,000 targets, so they are deleted before it, a few at a time.
      const deleteSome = () => {
        const id = findEndedWithTargets(db, before)
        return id === null ? 0 : deleteSomeTargets(db, id, targetsAtOnce)
      }
      while ((await writer(deleteSome)) > 0) continue
      while ((await writer(() => deleteEndedBefore(db, before, deletedAtOnce))) === deletedAtOnce) continue
    },
  }
}

export type JobService = ReturnType<typeof jobService>

/** The caller who asks for a job; null if the server itself does. */
export type Viewer = Caller | null

/** True if a job may be shown to a caller: it shows values that its owner has sent, and values of records. */
const isVisible = ({ createdBy, caller }: Job, viewer: Viewer): boolean =>
  viewer === null ||
  isAdmin(viewer) ||
  (createdBy === viewer.userId &&
    ((mayRead(viewer) && !viewer.areas) || caller.credentialId === viewer.credentialId))

/** Other credentials of a user see only their own jobs. */
const mayRead = ({ scopes }: Caller): boolean => scopes.includes("read")

function find(db: Database, kind: string, id: string, viewer: Viewer): Job | null {
  const job = findJob(db, id)
  return job?.kind === kind && isVisible(job, viewer) ? job : null
}

/** For other callers than its owner and admins, a job does not exist. */
const get = (db: Database, kind: string, id: string, viewer: Viewer): Job =>
  find(db, kind, id, viewer) ?? refuseMissing(kind === "imports" ? anImport : aJob, id)

const anImport = { name: "imports", noun: "import" }
const aJob = { name: "jobs", noun: "job" }

/** The number of jobs in a list, whether dry runs are in it, and a signal that ends it. */
type Listed = { most: number; dryRun: boolean | undefined; signal: AbortSignal }

/** In milliseconds. */
const longestStep = 4

/** Returns the newest jobs that the viewer may see, without their outputs. Other requests run in between. */
async function newest(
  db: Database,
  kind: string,
  viewer: Caller,
  { most, dryRun, signal }: Listed,
): Promise<Job[]> {
  const rest = restsBetween(longestStep, signal)
  const found: Job[] = []
  for (const some of eachNewest(db, kind, { owner: isAdmin(viewer) ? null : viewer.userId, dryRun })) {
    for (const seq of some) {
      const job = findListed(db, seq)
      if (job && isVisible(job, viewer)) found.push(job)
      if (found.length === most) return found
      await rest()
    }
    await rest()
  }
  return found
}

/** Returns the kind of a job, which must be one of `kinds`. */
function kindOf(db: Database, id: string, kinds: readonly string[]): string {
  const kind = findJob(db, id)?.kind
  return kind !== undefined && kinds.includes(kind) ? kind : refuseMissing(aJob, id)
}

/** Refuses a job if too many of its kind are unfinished. */
function assertRoom(db: Database, kind: string, user: string): void {
  const { all, own } = countUnfinished(db, kind, user)
  if (own >= mostOfUser)
    throw new Refusal(
      "RATE_LIMIT_EXCEEDED",
      `You have ${own} jobs of this kind that have not ended. Wait for one of them, or cancel it.`,
      { params: { retryAfter }, headers: { "retry-after": `${retryAfter}` } },
    )
  if (all >= mostUnfinished)
    throw new Refusal("SERVICE_UNAVAILABLE", "Too many jobs of this kind are waiting. Try again later.", {
      headers: { "retry-after": `${retryAfter}` },
    })
}

function firstFaults(db: Database, id: string): JobFault[] {
  const first: JobFault[] = []
  for (const faults of eachFaults(db, id)) {
    first.push(...faults)
    if (first.length >= mostShownFaults) break
  }
  return first.slice(0, mostShownFaults)
}

type JobEndingsDeps = Pick<RunnerDeps, "db" | "callerAgain" | "clock"> & {
  handlers: readonly JobHandler[]
  /** Stops a job that runs. */
  abort: (id: string) => void
}

const cancelled: JobError = {
  code: "CANCELLED",
  message: "The job was cancelled. What was done before stays.",
}

/** The ways in which a job is ended from outside. What it has done so far stays. */
function jobEndings({ db, callerAgain, clock, handlers, abort }: JobEndingsDeps) {
  /** Ends a job, and interrupts it if it runs. Returns null if it had ended before. */
  const end = (tx: Tx, id: string, error: JobError): Job | null => {
    const ended = endJob(db, id, error, clock()) ? findJob(db, id) : null
    if (!ended) return null
    handlers.find(({ kind }) => kind === ended.kind)?.end?.(tx, ended)
    tx.afterCommit.push(() => abort(id))
    return ended
  }
  return {
    cancel(tx: Tx, { id }: Job): Job {
      const ended = end(tx, id, cancelled)
      if (ended) return ended
      throw invalid("status", "RULE", "cannot be cancelled, because the job has ended", { rule: "STATUS" })
    },

    /** Ends the jobs of sessions that were taken from somebody. Jobs of API keys have no session. */
    endRevoked(tx: Tx, isOf: (holder: JobCaller) => boolean): void {
      for (const { id, caller } of findUnfinished(db)) {
        if (caller.kind === "apiKey" || !isOf(caller)) continue
        const now = callerAgain(caller)
        end(tx, id, errorOf(now instanceof Refusal ? now : jobEnded("SESSIONS_ENDED")))
      }
    },
  }
}
