import type { Tx } from "../../core/write/writer"
import { invalid, Refusal } from "../../core/lib/refusal"
import { jobEnded } from "./ended"
import type { JobHandler, RunnerDeps } from "./handler"
import { errorOf, type Job, type JobCaller, type JobError } from "./model"
import { endJob, findJob, findUnfinished } from "./store"

type Deps = Pick<RunnerDeps, "db" | "callerAgain" | "clock"> & {
  handlers: readonly JobHandler[]
  /** Stops a job that runs. */
  abort: (id: string) => void
}

const cancelled: JobError = {
  code: "CANCELLED",
  message: "The job was cancelled. What was done before stays.",
}

/** The ways in which a job is ended from outside. What it has done so far stays. */
export function jobEndings({ db, callerAgain, clock, handlers, abort }: Deps) {
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
