import type { Subscribe } from "../../db/others-writes"
import { Refusal } from "../../lib/refusal"

/** The number of requests of one caller that may wait for events at the same time. */
const mostPerCaller = 5

/**
 * The time after a commit before its events are read, in milliseconds, for each request that waits. Events of other
 * commits come with them, so that many readers do not use all of the time.
 */
const pausePerReader = 2
const shortestPause = 20

/** Why a reader no longer waits. */
export type Woken = "events" | "time" | "end"

/** The requests that wait for events. */
export function openReaders(subscribe: Subscribe) {
  const open = new Map<string, number>()
  const stopping = new AbortController()
  return {
    /** Counts a request that waits. Call the function that it returns when the request ends. */
    enter(subject: string): () => void {
      const count = open.get(subject) ?? 0
      if (count >= mostPerCaller)
        throw new Refusal(
          "RATE_LIMIT_EXCEEDED",
          `At most ${mostPerCaller} requests can wait for events at the same time. End another one first.`,
          { headers: { "retry-after": "5" } },
        )
      open.set(subject, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (open.get(subject) ?? 1) - 1
        if (left > 0) open.set(subject, left)
        else open.delete(subject)
      }
    },

    /** Waits after a commit before its events are read. */
    pause: (): Promise<void> => {
      const readers = open.values().reduce((sum, count) => sum + count, 0)
      return Bun.sleep(Math.max(shortestPause, pausePerReader * readers))
    },

    isStopping: (): boolean => stopping.signal.aborted,

    /** Resolves at the next commit that writes events, after a time, or when the request or the server ends. */
    wait: (millis: number, signal: AbortSignal): Promise<Woken> =>
      wait(subscribe, millis, AbortSignal.any([signal, stopping.signal])),

    /** Ends all requests that wait, because the server stops. */
    stop: (): void => stopping.abort(),
  }
}

export type Readers = ReturnType<typeof openReaders>

function wait(subscribe: Subscribe, millis: number, signal: AbortSignal): Promise<Woken> {
  if (signal.aborted) return Promise.resolve("end")
  return new Promise((resolve) => {
    const wake = (why: Woken) => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener("abort", end)
      resolve(why)
    }
    const end = () => wake("end")
    const timer = setTimeout(() => wake("time"), millis)
    const unsubscribe = subscribe(() => wake("events"))
    signal.addEventListener("abort", end)
  })
}
