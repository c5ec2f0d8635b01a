/** Reproducible random choices: the same seed gives the same choices. */
export type Random = ReturnType<typeof randomFrom>

export function randomFrom(seed: number) {
  let state = seed >>> 0
  /** Between 0 and 1, by mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    /** An integer from `low` to `high`, both included. */
    between,
    chance: (likelihood: number): boolean => next() < likelihood,
    pick: <T>(choices: readonly T[]): T => choices[between(0, choices.length - 1)] as T,
    shuffled<T>(values: readonly T[]): T[] {
      const mixed = [...values]
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = between(0, i)
        ;[mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T]
      }
      return mixed
    },
  }
}
