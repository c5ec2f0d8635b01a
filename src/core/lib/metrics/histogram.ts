/** The upper bounds of the buckets, in milliseconds: each is about five times the one before. */
export const bounds = [0.2, 1, 5, 25, 100, 500, 2_500, 12_500] as const

/** The buckets of one series: how many values each bound includes, how many there are in all, and their sum. */
export type Counted = { within: number[]; count: number; sum: number }

/**
 * Histograms of durations, as plain numbers: to count one takes less time than to read the clock. `series` is a number
 * from 0 on.
 */
export function histograms(size: number) {
  const width = bounds.length + 1
  const counts = new Float64Array(size * width)
  const sums = new Float64Array(size)
  return {
    count(series: number, millis: number): void {
      let bucket = 0
      while (bucket < bounds.length && millis > bounds[bucket]!) bucket++
      counts[series * width + bucket]!++
      sums[series]! += millis
    },

    read(series: number): Counted {
      const start = series * width
      const within: number[] = []
      let count = 0
      for (let bucket = 0; bucket < bounds.length; bucket++) within.push((count += counts[start + bucket]!))
      return { within, count: count + counts[start + bounds.length]!, sum: sums[series]! }
    },
  }
}

/** A histogram with one series. */
export function histogram() {
  const { count, read } = histograms(1)
  return { count: (millis: number): void => count(0, millis), read: (): Counted => read(0) }
}

export type Histogram = ReturnType<typeof histogram>
