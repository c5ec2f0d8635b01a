import MiniSearch from "minisearch"
import { fold, wordsOf } from "../../lib/text"

/** Shorter letters are looked for as they are: too much begins or ends with them. */
const shortest = 4
/** Of a word this short only an exchange of two letters is taken for an error. */
const shortestExchanged = 3

/**
 * The words that records are made of, to find the one that was meant. Only words are kept, not where they stand, so it
 * grows with the language of the shop and not with its records. A word that is no longer used does no harm.
 */
export function vocabulary() {
  const known = new Set<string>()
  const runs = new Set<string>()
  const beforeDigits = new Set<string>()
  let all = "\n"
  let isLearned = false
  const index = new MiniSearch<{ id: string; word: string }>({ fields: ["word"], tokenize: (text) => [text] })

  const addRun = (letters: string): void => {
    if (letters.length < shortest || runs.has(letters)) return
    runs.add(letters)
    all += `${letters}\n`
  }

  /** Of these nothing is known: of numbers and of a few letters nothing is kept. */
  const isFree = (letters: string) => !isLearned || letters.length < shortest || /\d/.test(letters)

  return {
    add(text: string): void {
      for (const word of wordsOf(fold(text))) {
        if (known.has(word)) continue
        const parts = word.split(/\d+/)
        for (const letters of parts) addRun(letters)
        if (parts.length > 1 && parts[0]) beforeDigits.add(parts[0])
        if (word.length < shortestExchanged || /\d/.test(word)) continue
        known.add(word)
        if (word.length >= shortest) index.add({ id: word, word })
      }
    },

    /** Says that all there was at the start has been read. */
    finish(): void {
      isLearned = true
    },

    has: (word: string): boolean => known.has(word),

    /** True when there may be a longer word that begins with this one. */
    goesOn(word: string): boolean {
      if (isFree(word) || beforeDigits.has(word)) return true
      for (let at = all.indexOf(`\n${word}`); at >= 0; at = all.indexOf(`\n${word}`, at + 1))
        if (all[at + word.length + 1] !== "\n") return true
      return false
    },

    /** True when these may be letters of a word. */
    isPart: (letters: string): boolean => isFree(letters) || all.includes(letters),

    /** True when these may be letters of a word, and not at its start. */
    isInside(letters: string): boolean {
      if (isFree(letters)) return true
      for (let at = all.indexOf(letters); at >= 0; at = all.indexOf(letters, at + 1))
        if (all[at - 1] !== "\n") return true
      return false
    },

    /** What may have been meant: two neighbours exchanged, else a letter wrong, else two where the word is long. */
    near(word: string, most: number): string[] {
      const exchanged = exchangesOf(word).filter((each) => known.has(each))
      if (exchanged.length > 0) return exchanged.slice(0, most)
      if (word.length < shortest) return []
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
