/**
 * Counts how many records use each text. Beyond `most` texts, or `mostLetters` letters in total, it counts only how
 * often the other texts are used.
 */
export function useCounts(most: number, mostLetters: number) {
  const uses = new Map<string, number>()
  let missed = 0
  let letters = 0
  return {
    /** Returns true when the text was not known before. */
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
    /** Returns true when no record uses the text any longer. */
    remove(text: string): boolean {
      const known = uses.get(text)
      if (known === undefined) missed = Math.max(0, missed - 1)
      else if (known > 1) uses.set(text, known - 1)
      else if (uses.delete(text)) letters -= text.length
      return known === 1
    },
    /** Counts a text that is not stored. */
    miss: (): void => void missed++,
    /** Undoes `miss`. */
    unmiss: (): void => void (missed = Math.max(0, missed - 1)),
    missed: () => missed,
    has: (text: string): boolean => uses.has(text),
    usesOf: (text: string): number => uses.get(text) ?? 0,
    size: () => uses.size,
    keys: () => uses.keys(),
  }
}

export type UseCounts = ReturnType<typeof useCounts>
