import { fairQueue } from "./fair-queue"
import { Refusal } from "./refusal"

export type Gate = <T>(share: string, work: () => Promise<T>) => Promise<T>

type Rules = {
  /** How many tasks may run concurrently. */
  atOnce: number
  /** How many tasks of one share may run concurrently. Without it, one share can use all places. */
  perShare?: number
  /** How many more may wait. */
  longest: number
  /** The error message when the queue is full. */
  message: string
}

/**
 * Limits how many expensive tasks run concurrently. The others wait in a queue in which shares take turns, so that
 * no task waits for all the tasks of another share.
 */
export function gate({ atOnce, perShare = atOnce, longest, message }: Rules): Gate {
  const queue = fairQueue(longest)
  const running = new Map<string, number>()
  let total = 0
  const full = () => new Refusal("SERVICE_UNAVAILABLE", message, { headers: { "retry-after": "2" } })

  const mayRun = (share: string) => (running.get(share) ?? 0) < perShare
  const count = (share: string, change: 1 | -1): void => {
    total += change
    const now = (running.get(share) ?? 0) + change
    if (now > 0) running.set(share, now)
    else running.delete(share)
  }

  return async (share, work) => {
    if (total < atOnce && mayRun(share)) count(share, 1)
    else await new Promise<void>((go, reject) => queue.add({ share, go, evict: () => reject(full()) }))
    try {
      return await work()
    } finally {
      count(share, -1)
      // A finished task passes its place to the next in the queue, so that a new one cannot take it.
      const next = queue.take(mayRun)
      if (next) {
        count(next.share, 1)
        next.go()
      }
    }
  }
}
