/** An entry that waits for its turn. */
export type Waiting = {
  /** The user or network that the entry belongs to. Shares take turns, not entries. */
  share: string
  go(): void
  /** Called instead of `go` when the entry is removed because the queue is full. */
  giveWay(): void
}

/**
 * A bounded queue in which shares take turns, so that nobody waits for all the entries of another share. When it is
 * full, the largest share loses an entry to a smaller share.
 */
export function fairQueue(longest: number) {
  const shares = new Map<string, Waiting[]>()
  let length = 0

  const heaviest = (): Waiting[] =>
    [...shares.values()].reduce((most, each) => (each.length > most.length ? each : most), [])

  return {
    add(waiting: Waiting): void {
      const mine = shares.get(waiting.share) ?? []
      if (length >= longest) {
        const most = heaviest()
        if (most.length <= mine.length + 1) return waiting.giveWay()
        most.pop()?.giveWay()
        length--
      }
      mine.push(waiting)
      shares.set(waiting.share, mine)
      length++
    },

    /** Removes and returns the next entry, or null when the queue is empty. */
    take(): Waiting | null {
      const [share, waiting] = shares.entries().next().value ?? []
      const next = waiting?.shift()
      if (share === undefined || !waiting || !next) return null
      length--
      shares.delete(share)
      if (waiting.length > 0) shares.set(share, waiting)
      return next
    },
  }
}
