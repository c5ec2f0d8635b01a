import { steadyMillis } from "../../core/lib/clock"
import { EndingWorker } from "../../core/lib/process/ending-worker"
import type { Log } from "../../core/lib/process/log"
import { listenBeside } from "../../core/lib/process/sockets"
import { watchStandstill } from "../../core/lib/process/standstill"
import { newRandomSecret } from "../../core/lib/secret"
import { forwardedHeader, place, type StandInAnswer, type StandInJob } from "./messages"

/** A wait that the log mentions, in milliseconds. */
const longWait = 1_000

/**
 * A thread that accepts the connections which are opened while the main thread waits for PostgreSQL. It answers the health
 * checks, and forwards other requests when the main thread goes on. Otherwise the main thread accepts all connections, so
 * that no request takes longer. `peerOf` is the client of a request that was forwarded; null of another one.
 */
export type StandIn = { peerOf(request: Request): string | null; stop(): Promise<void> }

type Deps = Pick<StandInJob, "host" | "port" | "tls"> & { log: Log }

/** Starts the thread. Returns null where two sockets cannot share a port: elsewhere than on Linux. */
export async function openStandIn({ log, ...address }: Deps): Promise<StandIn | null> {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const secret = newRandomSecret()
  const worker = new EndingWorker(new URL("./stand-in-worker.ts", import.meta.url).href, {
    smol: true,
    ref: false,
  })
  const ended = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()))
  const choose = await listenBeside(address.port, () =>
    startListening(worker, { ...address, secret, state }),
  ).catch((error: unknown) => {
    log.warn("Health checks wait while PostgreSQL does not answer.", { error: String(error) })
    return null
  })
  if (!choose) {
    worker.terminate()
    return null
  }
  const stopWatching = watch(choose, state, log)
  return {
    peerOf(request) {
      if (Atomics.load(state, place.forwarded) === 0) return null
      const [given, peer] = request.headers.get(forwardedHeader)?.split(" ") ?? []
      return given === secret ? (peer ?? null) : null
    },
    async stop() {
      stopWatching()
      worker.terminate()
      await ended
    },
  }
}

/** Lets the thread accept connections while the main thread waits. */
function watch(choose: (isSecond: boolean) => void, state: Int32Array, log: Log): () => void {
  let since = 0
  const set = (isStill: boolean): void => {
    Atomics.store(state, place.isStill, isStill ? 1 : 0)
    choose(isStill)
  }
  const stopWatching = watchStandstill({
    begin() {
      since = steadyMillis()
      set(true)
    },
    end() {
      set(false)
      const waited = Math.round(steadyMillis() - since)
      if (waited >= longWait) log.warn("The server waited for PostgreSQL.", { milliseconds: waited })
    },
  })
  return () => {
    stopWatching()
    set(false)
  }
}

function startListening(worker: Worker, job: StandInJob): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.onmessage = ({ data }: MessageEvent<StandInAnswer>) =>
    "error" in data ? reject(new Error(data.error)) : resolve()
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(job)
  return promise
}
