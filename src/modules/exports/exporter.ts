import type { Database } from "../../db/engine"
import { snapshotSource } from "../../db/open"
import { gate } from "../../lib/gate"
import type { Log } from "../../lib/log"
import { Refusal } from "../../lib/refusal"
import type { ExportThread } from "./inbox"
import type { ExportJob } from "./model"
import { disconnected, receiving } from "./receiving"

/** A client that takes nothing for this time loses the stream, in ms. */
const longestWait = 60_000
const longestQueue = 20

type Deps = {
  db: Database
  /** The path of the database file, or `:memory:`. */
  file: string
  /** Starts the thread that reads and writes. */
  newThread: () => ExportThread
  log: Log
}

/** Runs exports in background threads, two at a time. The exports of a client wait for each other. */
export function exporter({ db, file, newThread, log }: Deps) {
  const running = new Set<ReturnType<typeof receiving>>()
  const enter = gate({
    atOnce: 2,
    longest: longestQueue,
    message: "Too many exports are waiting. Try again in a minute.",
  })

  const begin = (job: ExportJob, signal: AbortSignal) => {
    const thread = newThread()
    const output = receiving(thread, longestWait)
    signal.addEventListener("abort", () => output.end(disconnected()))
    const source = snapshotSource(db, file)
    thread.postMessage({ job, source }, typeof source === "string" ? [] : [source.buffer])
    return output
  }

  return {
    /**
     * Starts an export when it is its turn. Returns its stream when the first bytes are there, so that a failure before
     * that is an error response. `share` is the client that waits; `signal` is aborted when it no longer does.
     */
    start(share: string, signal: AbortSignal, job: ExportJob): Promise<ReadableStream<Uint8Array>> {
      const begun = Promise.withResolvers<ReadableStream<Uint8Array>>()
      const run = async () => {
        if (signal.aborted) throw disconnected()
        const output = begin(job, signal)
        running.add(output)
        try {
          begun.resolve(await output.begin())
          const failure = await output.ended
          const cause = failure instanceof Refusal ? failure.cause : failure
          if (cause instanceof Error) log.error("An export failed.", { error: cause.stack ?? cause.message })
        } finally {
          running.delete(output)
        }
      }
      enter(share, run).catch(begun.reject)
      return begun.promise
    },

    /** Ends the exports in progress, when the server stops. */
    stop(): void {
      for (const output of running) output.end(new Refusal("SERVICE_UNAVAILABLE", "Kontor is stopping."))
    },
  }
}

export type Exporter = ReturnType<typeof exporter>
