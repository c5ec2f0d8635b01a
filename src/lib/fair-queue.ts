/** Somebody who waits for a turn. */
export type Waiting = {
  /** Whose turn it would be: all of one share together wait as one. */
  share: string
  go(): void
  /** Called instead of `go` when there is no room any more. */
  giveWay(): void
}

/**
 * A bounded queue in which shares take turns, so that nobody waits for what one share has asked for. When it is full, the
 * share with the most in it gives way to one with less.
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

    /** The next in turn, if anybody waits. */
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
