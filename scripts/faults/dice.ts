/** Chance that comes again with the same seed (Mulberry32). */
export function diceOf(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    chance: (likelihood: number): boolean => next() < likelihood,
    /** A whole number from `low` to `high`, both included. */
    between: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    /** One of these; there must be at least one. */
    pick<T>(values: readonly T[]): T {
      return values[Math.floor(next() * values.length)] as T
    },
  }
}

export type Dice = ReturnType<typeof diceOf>
