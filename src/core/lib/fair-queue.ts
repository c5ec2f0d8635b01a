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
