import MiniSearch from "minisearch"
import { fold, wordsOf } from "../../lib/text"

const shortest = 4

/**
 * The words that names are made of, to find the one that was meant. Only words are kept, not where they stand, so it
 * grows with the language of the shop and not with its records. A word that is no longer used does no harm.
 */
export function vocabulary() {
  const known = new Set<string>()
  let all = "\n"
  const index = new MiniSearch<{ id: string; word: string }>({ fields: ["word"], tokenize: (text) => [text] })

  return {
    add(text: string): void {
      for (const word of wordsOf(fold(text))) {
        if (word.length < shortest || known.has(word) || /\d/.test(word)) continue
        known.add(word)
        all += `${word}\n`
        index.add({ id: word, word })
      }
    },

    has: (word: string): boolean => known.has(word),

    /** True when the letters stand inside of a word, or may: of codes, numbers and short words nothing is kept. */
    mayStandInside: (letters: string): boolean =>
      letters.length < shortest || /\d/.test(letters) || all.includes(letters),

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
