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

/** An entry that waits for its turn. */
export type Waiting = {
  /** The user or network that the entry belongs to. The shares take turns, regardless of their number of entries. */
  share: string
  go(): void
  /** Called instead of `go` when the entry is removed because the queue is full. */
  evict(): void
}

/**
 * A bounded queue in which shares take turns, so that no entry waits for all the entries of another share. When it is
 * full, a new entry of a smaller share replaces an entry of the largest share.
 */
export function fairQueue(longest: number) {
  const shares = new Map<string, Waiting[]>()
  let length = 0

  const largest = (): Waiting[] =>
    [...shares.values()].reduce((most, each) => (each.length > most.length ? each : most), [])

  return {
    add(waiting: Waiting): void {
      const mine = shares.get(waiting.share) ?? []
      if (length >= longest) {
        const most = largest()
        if (most.length <= mine.length + 1) return waiting.evict()
        most.pop()?.evict()
        length--
      }
      mine.push(waiting)
      shares.set(waiting.share, mine)
      length++
    },

    /** Removes and returns the next entry of a share that may run; null when there is none. */
    take(mayRun: (share: string) => boolean = () => true): Waiting | null {
      const [share, waiting] = shares.entries().find(([each]) => mayRun(each)) ?? []
      const next = waiting?.shift()
      if (share === undefined || !waiting || !next) return null
      length--
      shares.delete(share)
      if (waiting.length > 0) shares.set(share, waiting)
      return next
    },
  }
}
