import { steadyMillis } from "../../core/lib/clock"

/** The time in milliseconds that a slice may take. It blocks other requests. */
const longest = 3
const largest = 200
/** Smaller slices take longer in total, because each has a commit, and do not block others for much less time. */
const smallest = 8

/**
 * Runs work on many entries in slices of a few, and lets other requests run in between. The size of a slice depends on
 * how long the previous ones took, and the pauses are as long as the slices, so that requests have half of the time. Each
 * stage of a job needs its own, because an entry takes another time there.
 */
export function pacer(signal: AbortSignal) {
  let size = smallest
  return async <T>(entries: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> => {
    for (let from = 0; from < entries.length && !signal.aborted;) {
      const some = entries.slice(from, from + size)
      const began = steadyMillis()
      await work(some)
      const took = steadyMillis() - began
      from += some.length
      if (took > longest) size = Math.max(smallest, Math.floor(size / 2))
      else if (took < longest / 2 && some.length === size) size = Math.min(largest, size + 4)
      await Bun.sleep(Math.min(Math.max(took, 1), 50))
    }
  }
}

export type Pace = ReturnType<typeof pacer>

/** The time in milliseconds between two writes that only store how far a job has come. */
const saveEvery = 250

/** Returns a function that calls `save`, but not more often than a person can see. */
export function savesBetween(save: () => Promise<void>) {
  let last = steadyMillis()
  return async ({ isLast = false } = {}): Promise<void> => {
    if (!isLast && steadyMillis() - last < saveEvery) return
    await save()
    last = steadyMillis()
  }
}
