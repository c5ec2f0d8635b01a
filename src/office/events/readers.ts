import type { Subscribe } from "../../core/engine/others-writes"
import type { Caller } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"

/** The number of requests that may wait for events at the same time: of one credential, and of all those of one user. */
const mostPerCaller = 5
const mostPerUser = 20

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
    enter({ subject, userId }: Pick<Caller, "subject" | "userId">): () => void {
      const counted = [subject, `all of ${userId}`]
      const [ofCaller = 0, ofUser = 0] = counted.map((name) => open.get(name) ?? 0)
      if (ofCaller >= mostPerCaller) throw tooMany(`At most ${mostPerCaller} requests`)
      if (ofUser >= mostPerUser) throw tooMany(`At most ${mostPerUser} requests of all credentials of a user`)
      const add = (name: string, change: number) => {
        const count = (open.get(name) ?? 0) + change
        if (count > 0) open.set(name, count)
        else open.delete(name)
      }
      for (const name of counted) add(name, 1)
      let isOpen = true
      return () => {
        if (isOpen) for (const name of counted) add(name, -1)
        isOpen = false
      }
    },

    /** Waits after a commit before its events are read. */
    pause: (): Promise<void> => {
      // Each request is counted twice.
      const readers = open.values().reduce((sum, count) => sum + count, 0) / 2
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

const tooMany = (most: string): Refusal =>
  new Refusal("RATE_LIMIT_EXCEEDED", `${most} can wait for events at the same time. End another one first.`, {
    headers: { "retry-after": "5" },
  })

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
