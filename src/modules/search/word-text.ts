/** The maximum number of words that `hasInside` skips because they begin with the letters. Then it returns true. */
const mostChecked = 1_000
/** Deleted words in the text slow down the search. Below this number of deleted words, the text is not rebuilt. */
const mostStale = 20_000

/**
 * All words in one text, each between two line ends. Searching it is far faster than searching the words one by one.
 */
export function wordText() {
  let all = "\n"
  let stale = 0
  return {
    add: (word: string): void => void (all += `${word}\n`),

    /** Counts a deleted word. It stays in the text until the text is rebuilt. */
    noteDeleted: (): void => void stale++,

    /** True when so many words were deleted that the text should be rebuilt from the `known` words that are left. */
    isStale: (known: number): boolean => stale >= Math.max(mostStale, known / 2),

    /** Rebuilds the text from the words that are left. */
    rebuild(...words: Iterable<string>[]): void {
      all = `\n${words.map((some) => [...some].join("\n")).join("\n")}\n`
      stale = 0
    },

    /** Returns the words that begin with `start` and are longer; null if there are more than `most`. */
    longer(start: string, most: number): string[] | null {
      const found: string[] = []
      for (let at = all.indexOf(`\n${start}`); at >= 0; at = all.indexOf(`\n${start}`, at + 1)) {
        const word = all.slice(at + 1, all.indexOf("\n", at + 1))
        if (word !== start && found.push(word) > most) return null
      }
      return found
    },

    /** True when a word contains these letters. */
    has: (letters: string): boolean => all.includes(letters),

    /** True when a word contains these letters, but not at its start. Also true when too many words begin with them. */
    hasInside(letters: string): boolean {
      let checked = 0
      for (let at = all.indexOf(letters); at >= 0; at = all.indexOf(letters, at + 1))
        if (all[at - 1] !== "\n" || ++checked > mostChecked) return true
      return false
    },
  }
}

export type WordText = ReturnType<typeof wordText>
