import { rehearse } from "../../core/write/write-parts"
import type { Caller } from "../../core/caller"
import type { Clock } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import type { Log } from "../../core/lib/log"
import { Refusal } from "../../core/lib/refusal"
import type { JobHandler, RunnerDeps, RunningJob } from "./handler"
import { errorOf, type Job, type JobError } from "./model"
import { endJob, findJob, isEnded, postpone, saveJob, type Lease } from "./store"

const leaseMillis = 60_000
/** The waiting time before a job that failed unexpectedly is tried again. It doubles with each attempt. */
export const firstWait = 1_000
const longestWait = 5 * 60_000
/** The number of attempts in a row without progress, after which a job has failed. */
const mostAttempts = 12

/** Thrown when a job has ended or belongs to another server. The slice is undone. */
class LeaseLost extends Error {}

type Run = { handler: JobHandler; job: Job; token: string; signal: AbortSignal; log: Log }

/** A lease that begins now. */
export const leaseOf = (clock: Clock, token: string): Lease => ({ token, until: later(clock(), leaseMillis) })

/** Runs a job, and ends it or lets it be tried again. */
export async function runJob(deps: RunnerDeps, run: Run): Promise<void> {
  const { handler, job, signal } = run
  try {
    // The attempts are counted when they begin, because a job may end the whole process.
    if (job.attempts > mostAttempts) return await end(deps, run, failedOften)
    // It may have been cancelled after it was taken and before it could be interrupted.
    if (isEnded(deps.db, job.id)) return
    assertCaller(deps, job)
    await handler.run(runningJob(deps, run))
    if (!signal.aborted) await end(deps, run, null)
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) return
    await endOrRepeat(deps, run, error).catch(() => {})
  }
}

async function endOrRepeat(deps: RunnerDeps, run: Run, error: unknown): Promise<void> {
  const { job, token, log } = run
  if (error instanceof Refusal && error.status < 500) return end(deps, run, errorOf(error))
  log.error("A job failed.", { job: job.id, kind: job.kind, error: String(error) })
  if (job.attempts >= mostAttempts) return end(deps, run, failedOften)
  const wait = Math.min(firstWait * 2 ** Math.max(0, job.attempts - 1), longestWait)
  await deps.writer(() => postpone(deps.db, job.id, later(deps.clock(), wait), token))
}

const failedOften: JobError = {
  code: "INTERNAL_ERROR",
  message: "The job failed several times. The log of the server has the reason.",
}

const end = (
  { db, writer, clock }: RunnerDeps,
  { handler, job, token }: Run,
  error: JobError | null,
): Promise<void> =>
  writer((tx) => {
    if (endJob(db, job.id, error, clock(), token)) handler.end?.(tx, findJob(db, job.id) ?? job)
  }, job.caller.actor)

/** Returns the caller of a job with its current rights, and refuses the job if it has none. */
function assertCaller({ callerAgain }: RunnerDeps, { caller }: Job): Caller {
  const found = callerAgain(caller)
  if (found instanceof Refusal) throw found
  return found
}

function runningJob(deps: RunnerDeps, { job, token, signal }: Run): RunningJob {
  const { db, writer, clock } = deps
  const running = { ...job }
  const callerOf = () => assertCaller(deps, job)
  return {
    job: running,
    signal,
    assertCaller: () => void callerOf(),
    rehearse: (work) => rehearse(db, clock(), job.caller.actor, (tx) => work(tx, callerOf())),
    async write(work) {
      const saved = await writer((tx) => {
        const { status, state, progress } = running
        const next = { status, state, progress, ...work(tx, callerOf()) }
        const stored = saveJob(db, job.id, next, leaseOf(clock, token))
        if (!stored) throw new LeaseLost()
        return { ...next, ...stored }
      }, job.caller.actor)
      Object.assign(running, saved)
      job.attempts = saved.attempts
    },
  }
}
