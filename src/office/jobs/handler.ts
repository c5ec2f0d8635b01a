import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { type Clock, steadyMillis } from "../../core/lib/clock"
import type { Refusal } from "../../core/lib/refusal"
import type { Job, JobCaller } from "./model"
import type { Saved } from "./store"

/** A job that runs, for its handler. */
export type RunningJob = {
  /** How the job was stored last. */
  readonly job: Readonly<Job>
  /** Aborted when the job is cancelled and when the server stops. */
  readonly signal: AbortSignal
  /**
   * Runs a slice of the job in a transaction. What `work` returns is stored in the same transaction, so that a slice is
   * never done twice. The rights of the caller are loaded again.
   */
  write(work: (tx: Tx, caller: Caller) => Partial<Saved>): Promise<void>
  /** Refuses to go on if the job has no caller any more. `write` and `rehearse` do so too. */
  assertCaller(): void
  /** Runs work in a transaction that is always rolled back, to find out what it would do. */
  rehearse<T>(work: (tx: Tx, caller: Caller) => T): Promise<T>
}

/** The kind of a job, and how it runs. */
export type JobHandler = {
  kind: string
  /** Only one job of a lane runs at a time, or as many as `atOnce`. */
  lane: string
  /** For jobs that mostly wait for others, so that one of them does not hold up the next. */
  atOnce?: number
  /**
   * Does what is left of a job, and returns when it is done. A Refusal ends the job as failed; after any other error it
   * is tried again later. After a restart it is called again with the state of the last slice.
   */
  run(running: RunningJob): Promise<void>
  /** Runs in the transaction that ends the job, whether it has finished, failed or was cancelled. */
  end?(tx: Tx, job: Job): void
}

/** What the jobs need to run. */
export type RunnerDeps = {
  db: Database
  writer: Writer
  /** Loads the caller of a job with its current rights, or returns why it has none. */
  callerAgain: (caller: JobCaller) => Caller | Refusal
  /** The wall clock. Tests replace it. */
  clock: Clock
}

/** The time in milliseconds that a slice may take. It blocks other requests. */
const longest = 3
const largest = 200
/** Smaller slices take longer in total, because each has a commit, and do not block others for much less time. */
const smallest = 8

/**
 * Runs work on many entries in slices of a few, and lets other requests run in between. The size of a slice depends on
 * how long the previous ones took, and the pauses are as long as the slices, so that requests have half of the time. Each
 * stage of a job needs its own, because an entry takes another time there.
 */
export function pacer(signal: AbortSignal) {
  let size = smallest
  return async <T>(entries: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> => {
    for (let from = 0; from < entries.length && !signal.aborted;) {
      const some = entries.slice(from, from + size)
      const began = steadyMillis()
      await work(some)
      const took = steadyMillis() - began
      from += some.length
      if (took > longest) size = Math.max(smallest, Math.floor(size / 2))
      else if (took < longest / 2 && some.length === size) size = Math.min(largest, size + 4)
      await Bun.sleep(Math.min(Math.max(took, 1), 50))
    }
  }
}

export type Pace = ReturnType<typeof pacer>

/** The time in milliseconds between two writes that only store how far a job has come. */
const saveEvery = 250

/** Returns a function that calls `save`, but not more often than a person can see. */
export function savesBetween(save: () => Promise<void>) {
  let last = steadyMillis()
  return async ({ isLast = false } = {}): Promise<void> => {
    if (!isLast && steadyMillis() - last < saveEvery) return
    await save()
    last = steadyMillis()
  }
}
