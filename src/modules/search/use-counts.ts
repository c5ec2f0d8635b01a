/**
 * Counts how many records use each of some texts. Of more than `most`, or than so many letters in all, it only knows how
 * often they are used.
 */
export function useCounts(most: number, mostLetters: number) {
  const uses = new Map<string, number>()
  let missed = 0
  let letters = 0
  return {
    /** True when it was not known before. */
    add(text: string): boolean {
      const known = uses.get(text)
      if (known !== undefined) {
        uses.set(text, known + 1)
        return false
      }
      if (uses.size >= most || letters + text.length > mostLetters) {
        missed++
        return false
      }
      uses.set(text, 1)
      letters += text.length
      return true
    },
    /** True when no record uses it any more. */
    remove(text: string): boolean {
      const known = uses.get(text)
      if (known === undefined) missed = Math.max(0, missed - 1)
      else if (known > 1) uses.set(text, known - 1)
      else if (uses.delete(text)) letters -= text.length
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

export type UseCounts = ReturnType<typeof useCounts>
