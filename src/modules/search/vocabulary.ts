import { fold, wordsOf } from "../../lib/text"
import type { Rest } from "../../lib/turns"
import { nearest } from "./near"
import { useCounts } from "./use-counts"

/** Shorter letters are looked for as they are: too much begins or ends with them. */
const shortest = 4
/** Of a word this short only an exchange of two letters is taken for an error. */
const shortestExchanged = 3
/** Nobody types a longer word, with or without an error. */
const longest = 40
/** All of it is kept in memory, so it is bounded, whatever people write into their notes. */
const mostWords = 200_000
const mostLetters = 2_000_000
const mostPerRecord = 1_000
/** Letters of words that are gone are looked through in vain; when there are more than these, they are thrown out. */
const mostStale = 20_000

/** Where so many words begin alike, whether one has these letters inside is not worth the time. */
const mostLooks = 1_000

/**
 * The words that records are made of, to find the one that was meant. Only words are kept, and how many records use each,
 * so it grows with the language of the shop and not with its records; a word that no record uses any more is forgotten.
 */
export function vocabulary() {
  const words = useCounts(mostWords, mostLetters)
  /** The letters of words that hold digits too, and of these words the letters that they begin with. */
  const runs = useCounts(mostWords, mostLetters)
  const beforeDigits = useCounts(mostWords, mostLetters)
  /** The last row of each table whose words are known. Later ones are yet to be read, with whatever has changed in them. */
  const learnedTo = new Map<string, number>()
  /** All words and runs of four letters and more, each between two ends of line. */
  let all = "\n"
  let stale = 0
  let isLearned = false

  const add = (text: string): void => {
    const { known, isCut } = wordsIn(text)
    if (isCut) words.miss()
    for (const word of known) {
      if (!hasDigit.test(word)) {
        if (word.length >= shortestExchanged && words.add(word) && word.length >= shortest) all += `${word}\n`
        continue
      }
      const [first = "", ...others] = word.split(digits)
      if (first !== "") beforeDigits.add(first)
      for (const letters of [first, ...others])
        if (letters.length >= shortest && runs.add(letters)) all += `${letters}\n`
    }
  }
  const remove = (text: string): void => {
    const { known, isCut } = wordsIn(text)
    if (isCut) words.unmiss()
    for (const word of known) {
      if (!hasDigit.test(word)) {
        if (word.length >= shortestExchanged && words.remove(word)) stale++
        continue
      }
      const [first = "", ...others] = word.split(digits)
      if (first !== "") beforeDigits.remove(first)
      for (const letters of [first, ...others])
        if (letters.length >= shortest && runs.remove(letters)) stale++
    }
    if (stale < Math.max(mostStale, (words.size() + runs.size()) / 2)) return
    all = `\n${[...words.keys()].join("\n")}\n${[...runs.keys()].join("\n")}\n`
    stale = 0
  }

  /** True when words are left out, and so nothing can be said of those that are not there. */
  const isPartial = () => !isLearned || words.missed() + runs.missed() + beforeDigits.missed() > 0

  /** Of these nothing is known: of numbers and of a few letters nothing is kept. */
  const isFree = (letters: string) => letters.length < shortest || hasDigit.test(letters) || isPartial()

  return {
    /** Learns a record that was there at the start. Those of a table come in the order of their rows. */
    learn(table: string, row: number, text: string): void {
      learnedTo.set(table, row)
      add(text)
    },

    /** Learns that a record has changed; before it was made and after it is deleted its text is null. */
    change(table: string, row: number, before: string | null, after: string | null): void {
      if (row > (learnedTo.get(table) ?? 0)) return
      if (before !== null) remove(before)
      if (after !== null) add(after)
    },

    /** Says that all of a table has been read, or that there is nothing in it to read. */
    finishTable: (table: string): void => void learnedTo.set(table, Infinity),
    isFinished: (table: string): boolean => learnedTo.get(table) === Infinity,

    /** Says that all there was at the start has been read. */
    finish(): void {
      isLearned = true
    },

    has: (word: string): boolean => words.has(word),

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
      let looked = 0
      for (let at = all.indexOf(letters); at >= 0; at = all.indexOf(letters, at + 1))
        if (all[at - 1] !== "\n" || ++looked > mostLooks) return true
      return false
    },

    /** What may have been meant: two neighbours exchanged, else a letter wrong, else two where the word is long. */
    async near(word: string, most: number, rest: Rest): Promise<string[]> {
      if (word.length > longest) return []
      const exchanged = exchangesOf(word).filter((each) => words.has(each))
      if (exchanged.length > 0) return exchanged.slice(0, most)
      if (word.length < shortest) return []
      const near = await nearest(word, words.keys(), word.length > 7 ? 2 : 1, rest)
      return near
        .filter((each) => each.length >= shortest)
        .toSorted((a, b) => words.usesOf(b) - words.usesOf(a) || (a < b ? -1 : 1))
        .slice(0, most)
    },

    size: () => words.size(),
  }
}

const hasDigit = /\d/
const digits = /\d+/

/** The words of a text, each once; of a very long text the first, and of very long words none. */
function wordsIn(text: string): { known: Set<string>; isCut: boolean } {
  const known = new Set<string>()
  for (const word of wordsOf(fold(text))) {
    if (word.length > longest || known.size >= mostPerRecord) return { known, isCut: true }
    known.add(word)
  }
  return { known, isCut: false }
}

/** The word with each pair of neighbouring letters exchanged in turn. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  )

export type Vocabulary = ReturnType<typeof vocabulary>
