import MiniSearch from "minisearch"
import { fold, wordsOf } from "../../lib/text"

const shortest = 4

/**
 * The words that names are made of, to find the one that was meant. Only words are kept, not where they stand, so it
 * grows with the language of the shop and not with its records. A word that is no longer used does no harm.
 */
export function vocabulary() {
  const known = new Set<string>()
  const runs = new Set<string>()
  let all = "\n"
  let isLearned = false
  const index = new MiniSearch<{ id: string; word: string }>({ fields: ["word"], tokenize: (text) => [text] })

  const addRun = (letters: string): void => {
    if (letters.length < shortest || runs.has(letters)) return
    runs.add(letters)
    all += `${letters}\n`
  }

  return {
    add(text: string): void {
      for (const word of wordsOf(fold(text))) {
        for (const letters of word.split(/\d+/)) addRun(letters)
        if (word.length < shortest || known.has(word) || /\d/.test(word)) continue
        known.add(word)
        index.add({ id: word, word })
      }
    },

    /** Says that all there was at the start has been read. */
    finish(): void {
      isLearned = true
    },

    has: (word: string): boolean => known.has(word),

    /** True when all of these may be letters of words, and one of them not at the start. Of numbers nothing is kept. */
    mayStandInside(words: readonly string[]): boolean {
      if (!isLearned) return true
      const isFree = (letters: string) => letters.length < shortest || /\d/.test(letters)
      const isInside = (letters: string) => {
        for (let at = all.indexOf(letters); at >= 0; at = all.indexOf(letters, at + 1))
          if (all[at - 1] !== "\n") return true
        return false
      }
      return (
        words.every((each) => isFree(each) || all.includes(each)) &&
        words.some((each) => isFree(each) || isInside(each))
      )
    },

    /** What may have been meant: two neighbours exchanged, else a letter wrong, else two where the word is long. */
    near(word: string, most: number): string[] {
      if (word.length < shortest) return []
      const exchanged = exchangesOf(word).filter((each) => known.has(each))
      if (exchanged.length > 0) return exchanged.slice(0, most)
      for (const distance of word.length > 7 ? [1, 2] : [1]) {
        const found = index.search(word, { fuzzy: distance, prefix: false }).map(({ id }) => String(id))
        if (found.length > 0) return found.slice(0, most)
      }
      return []
    },

    size: () => known.size,
  }
}

/** The word with each pair of neighbouring letters exchanged in turn. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  )

export type Vocabulary = ReturnType<typeof vocabulary>
