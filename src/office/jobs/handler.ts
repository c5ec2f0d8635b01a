import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Clock } from "../../core/lib/clock"
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
  rehearse<T>(work: (tx: Tx, caller: Caller) => T): T
}

/** The kind of a job, and how it runs. */
export type JobHandler = {
  kind: string
  /** Only one job of a lane runs at a time. */
  lane: string
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
