import { fairQueue } from "./fair-queue"
import { Refusal } from "./refusal"

export type Gate = <T>(share: string, work: () => Promise<T>) => Promise<T>

type Rules = {
  /** How many tasks may run concurrently. */
  atOnce: number
  /** How many more may wait. */
  longest: number
  /** The error message when the queue is full. */
  message: string
}

/**
 * Limits how many expensive tasks run concurrently. The others wait in a queue in which shares take turns, so that
 * no task waits for all the tasks of another share.
 */
export function gate({ atOnce, longest, message }: Rules): Gate {
  const queue = fairQueue(longest)
  let running = 0
  const full = () => new Refusal("SERVICE_UNAVAILABLE", message, { headers: { "retry-after": "2" } })

  return async (share, work) => {
    if (running >= atOnce)
      // A finished task passes its slot to the next in the queue, so that a new one cannot take it.
      await new Promise<void>((go, reject) => queue.add({ share, go, evict: () => reject(full()) }))
    else running++
    try {
      return await work()
    } finally {
      const next = queue.take()
      if (next) next.go()
      else running--
    }
  }
}
