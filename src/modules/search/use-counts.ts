/** Counts how many records use each of some texts; of more texts than `most` it only knows how often they are used. */
export function useCounts(most: number) {
  const uses = new Map<string, number>()
  let missed = 0
  return {
    /** True when it was not known before. */
    add(text: string): boolean {
      const known = uses.get(text)
      if (known === undefined && uses.size >= most) missed++
      else uses.set(text, (known ?? 0) + 1)
      return known === undefined && uses.has(text)
    },
    /** True when nobody uses it any more. */
    remove(text: string): boolean {
      const known = uses.get(text)
      if (known === undefined) missed = Math.max(0, missed - 1)
      else if (known > 1) uses.set(text, known - 1)
      else uses.delete(text)
      return known === 1
    },
    /** Something was left out, or is no longer. */
    miss: (): void => void missed++,
    unmiss: (): void => void (missed = Math.max(0, missed - 1)),
    missed: () => missed,
    has: (text: string): boolean => uses.has(text),
    usesOf: (text: string): number => uses.get(text) ?? 0,
    size: () => uses.size,
    keys: () => uses.keys(),
  }
}
