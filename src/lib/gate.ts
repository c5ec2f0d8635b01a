import { fairQueue } from "./fair-queue"
import { Refusal } from "./refusal"

export type Gate = <T>(share: string, work: () => Promise<T>) => Promise<T>

type Rules = {
  /** How many works may be under way at once. */
  atOnce: number
  /** How many more may wait. */
  longest: number
  /** What is told to who finds no room. */
  message: string
}

/**
 * Lets a few works be under way at once, because each takes much of something. The others wait in turns of their shares, so
 * that nobody waits for all that somebody else has asked for.
 */
export function gate({ atOnce, longest, message }: Rules): Gate {
  const queue = fairQueue(longest)
  let running = 0
  const full = () => new Refusal("SERVICE_UNAVAILABLE", message, { headers: { "retry-after": "2" } })

  return async (share, work) => {
    if (running >= atOnce)
      // A work that ends passes its place to the next in the queue, so that a newcomer cannot take it.
      await new Promise<void>((go, reject) => queue.add({ share, go, giveWay: () => reject(full()) }))
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
