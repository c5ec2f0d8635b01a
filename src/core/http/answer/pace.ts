/** How slowly a client may take a file. */
export type Pace = {
  /** In bytes per second. A client that always takes at least this much gets the whole file. */
  slowest: number
  /** In milliseconds: how long a client may take nothing. */
  longestPause: number
}

/**
 * As slow as an ISDN line, and a pause for a phone in a tunnel. The system tells that a client has taken something only
 * when about a third of its send buffer is free, which has up to 4 MB: at this pace after three minutes.
 */
export const standardPace: Pace = { slowest: 8 * 1024, longestPause: 5 * 60_000 }

/**
 * Returns when a client must have asked for more, each time it has got some bytes: time for the pace that it must keep,
 * and no more than the longest pause ahead, so that a client that was fast cannot hold the file for hours. Times are in
 * milliseconds.
 */
export function deadlines({ slowest, longestPause }: Pace, now: number) {
  let due = now + longestPause
  return {
    due: () => due,
    /** Notes that the client got some bytes, which the server needed some time for. */
    got(bytes: number, tookMillis: number, at: number): void {
      // A server that was busy may notice late that the client asked in time.
      const from = Math.max(due + tookMillis, at)
      due = Math.min(from + (bytes / slowest) * 1_000, at + longestPause)
    },
  }
}
