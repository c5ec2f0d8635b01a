import type { Log } from "../../core/lib/process/log"
import { newSecret } from "../../core/lib/secret"
import { later, millisOf } from "../../shared/dates"
import type { JobHandler, RunnerDeps, RunningJob } from "./handler"
import {
  endJob,
  findJob,
  findNextDue,
  freeJobs,
  isEnded,
  type Lease,
  postpone,
  releaseLeases,
  saveJob,
  takeDue,
} from "./store"
import { rehearse } from "../../core/write/write-parts"
import type { Caller } from "../../core/caller"
import type { Clock } from "../../core/lib/clock"
import { Refusal } from "../../core/lib/refusal"
import { errorOf, type Job, type JobError } from "./model"

/** A timer is never set for longer, because the clock of the machine may be adjusted. */
const longestTimer = 60_000
/** In milliseconds: the time before a lane looks again after the database could not be read. */
const againAfter = 5_000

type Lane = {
  handlers: Map<string, JobHandler>
  /** The jobs that run, and how many may. */
  jobs: Map<string, Promise<void>>
  atOnce: number
  /** What looks for jobs and runs them; null while the lane waits. */
  running: Promise<void> | null
  /** True when a job may have become due since the lane last looked for one. */
  isWoken: boolean
  timer: Timer | undefined
}

/** The state of a runner. `log` is null while it is stopped. */
type Runner = {
  deps: RunnerDeps
  token: string
  running: Map<string, { controller: AbortController; done: Promise<void> }>
  log: Log | null
}

/**
 * Runs jobs in the background, one at a time in each lane. Jobs are stored, so that they go on after a restart. A lease
 * makes sure that only one server runs a job.
 */
export function jobRunner(deps: RunnerDeps, handlers: readonly JobHandler[]) {
  const runner: Runner = { deps, token: newSecret(), running: new Map(), log: null }
  const lanes = lanesOf(handlers)
  const wake = (): void => lanes.forEach((lane) => wakeLane(runner, lane))
  return {
    /** Starts to run jobs, also those that an earlier process of this server has begun. */
    async start(log: Log): Promise<void> {
      runner.log = log
      // If they cannot be freed now, they are taken when their leases end.
      await deps.writer(() => freeJobs(deps.db, deps.clock())).catch(() => {})
      wake()
    },

    /** Looks for jobs that are due. */
    wake,

    /** When the next job is due, or the lease of another server ends; null if there is none. */
    nextDue: (): string | null =>
      findNextDue(
        deps.db,
        handlers.map(({ kind }) => kind),
      ),

    /** Runs the jobs that are due, and waits until they have ended, but not for those that wait for others. */
    async settle(): Promise<void> {
      wake()
      const own = lanes.filter(({ atOnce }) => atOnce === 1)
      for (let busy = runsOf(own); busy.length > 0; busy = runsOf(own)) await Promise.all(busy)
    },

    /** Looks for what other processes have changed: jobs that are due, and jobs that were cancelled. */
    followOthers: (): void => void attempt(() => followOthers(runner, lanes)),

    /** Stops a job that was cancelled. */
    abort: (id: string): void => runner.running.get(id)?.controller.abort(),

    /** Interrupts the jobs after their current slices. They go on after the next start. */
    async stop(): Promise<void> {
      runner.log = null
      for (const { timer } of lanes) clearTimeout(timer)
      const running = [...runner.running.values()]
      for (const { controller } of running) controller.abort()
      await Promise.all(running.map(({ done }) => done))
      await deps.writer(() => releaseLeases(deps.db, runner.token)).catch(() => {})
    },
  }
}

export type JobRunner = ReturnType<typeof jobRunner>

const runsOf = (lanes: readonly Lane[]): Promise<void>[] => lanes.flatMap(({ running }) => running ?? [])

function lanesOf(handlers: readonly JobHandler[]): Lane[] {
  const lanes = new Map<string, Lane>()
  for (const handler of handlers) {
    const lane = lanes.get(handler.lane) ?? newLane()
    lane.handlers.set(handler.kind, handler)
    lane.atOnce = Math.max(lane.atOnce, handler.atOnce ?? 1)
    lanes.set(handler.lane, lane)
  }
  return [...lanes.values()]
}

const newLane = (): Lane => ({
  handlers: new Map(),
  jobs: new Map(),
  atOnce: 1,
  running: null,
  isWoken: false,
  timer: undefined,
})

function wakeLane(runner: Runner, lane: Lane): void {
  lane.isWoken = true
  if (!runner.log || lane.running) return
  clearTimeout(lane.timer)
  lane.running = runLane(runner, lane).finally(() => {
    lane.running = null
    const wait = attempt(() => waitOf(runner.deps, lane)) ?? againAfter
    if (runner.log) lane.timer = setTimeout(() => wakeLane(runner, lane), wait).unref()
  })
}

/** Wakes lanes only when a job is due, because others write often, and taking a job is a write. */
function followOthers(runner: Runner, lanes: readonly Lane[]): void {
  const { deps, running } = runner
  for (const [id, { controller }] of running) if (isEnded(deps.db, id)) controller.abort()
  for (const lane of lanes) {
    lane.isWoken = true
    if (lane.running) continue
    clearTimeout(lane.timer)
    const wait = Math.min(Math.max(dueIn(deps, lane), 0), longestTimer)
    lane.timer = setTimeout(() => wakeLane(runner, lane), wait).unref()
  }
}

/** Returns null while the database cannot be read. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Runs the jobs of a lane that are due, one after the other, or some at a time. */
async function runLane(runner: Runner, lane: Lane): Promise<void> {
  const { deps, token, running } = runner
  const { handlers } = lane
  const { db, writer, clock } = deps
  const kinds = [...handlers.keys()]
  while (runner.log) {
    lane.isWoken = false
    const busy = [...lane.jobs.keys()]
    const take = () => takeDue(db, kinds, { now: clock(), lease: leaseOf(clock, token), except: busy })
    const job = await writer(take).catch(() => null)
    const handler = job && handlers.get(job.kind)
    if (!handler && lane.isWoken) continue
    // A runner that was stopped meanwhile releases the lease.
    if (!handler || !runner.log) return
    const controller = new AbortController()
    const run = { handler, job, token, signal: controller.signal, log: runner.log }
    const done = runJob(deps, run).finally(() => {
      running.delete(job.id)
      lane.jobs.delete(job.id)
      // The lane may have looked for the next job while this one ran.
      if (lane.atOnce > 1) wakeLane(runner, lane)
    })
    running.set(job.id, { controller, done })
    lane.jobs.set(job.id, done)
    if (lane.jobs.size >= lane.atOnce) await Promise.race(lane.jobs.values())
  }
}

/** The time until a job of the lane is due, in milliseconds; infinite if there is none. */
function dueIn({ db, clock }: RunnerDeps, { handlers }: Lane): number {
  const due = findNextDue(db, [...handlers.keys()])
  return due === null ? Infinity : millisOf(due) - millisOf(clock())
}

/** The time until the lane looks for a job again, in milliseconds. */
const waitOf = (deps: RunnerDeps, lane: Lane): number =>
  Math.min(Math.max(dueIn(deps, lane), firstWait), longestTimer)

const leaseMillis = 60_000
/** The waiting time before a job that failed unexpectedly is tried again. It doubles with each attempt. */
const firstWait = 1_000
export const longestWait = 5 * 60_000
/** The number of attempts in a row without progress, after which a job has failed. */
const mostAttempts = 12

/** Thrown when a job has ended or belongs to another server. The slice is undone. */
class LeaseLost extends Error {}

type Run = { handler: JobHandler; job: Job; token: string; signal: AbortSignal; log: Log }

/** A lease that begins now. */
const leaseOf = (clock: Clock, token: string): Lease => ({ token, until: later(clock(), leaseMillis) })

/** Runs a job, and ends it or lets it be tried again. */
async function runJob(deps: RunnerDeps, run: Run): Promise<void> {
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
