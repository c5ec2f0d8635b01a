import { fold, wordsOf } from "../../lib/text"
import type { Rest } from "../../lib/turns"
import { nearest } from "./near"
import { useCounts, type UseCounts } from "./use-counts"
import { wordText, type WordText } from "./word-text"

/** Fewer letters are looked for as they are: too much begins or ends with them. */
const shortest = 4
/** Of a word this short only an exchange of two letters is taken for an error. */
const shortestExchanged = 3
/** A longer word is not typed, with or without an error. */
const longest = 40
/** All of it is kept in memory, so it is bounded, whatever people write into their notes. */
const mostWords = 200_000
const mostLetters = 2_000_000
const mostPerRecord = 1_000

type Known = {
  words: UseCounts
  /** The letters of words that hold digits too, and of these words the letters that they begin with. */
  runs: UseCounts
  beforeDigits: UseCounts
  /** All words and runs of four letters and more. */
  text: WordText
}

/**
 * The words that records are made of, to find the one that was meant. Only words are kept, and how many records use each,
 * so it grows with the language of the shop and not with its records; a word that no record uses any more is forgotten.
 */
export function vocabulary() {
  const newCounts = () => useCounts(mostWords, mostLetters)
  const known: Known = {
    words: newCounts(),
    runs: newCounts(),
    beforeDigits: newCounts(),
    text: wordText(),
  }
  const { words, runs, beforeDigits, text } = known
  /** The last row of each table whose words are known. Later ones are yet to be read, with whatever has changed in them. */
  const learnedTo = new Map<string, number>()
  let isLearned = false

  /** True when words are left out, and so nothing can be said of those that are not there. */
  const isPartial = () => !isLearned || words.missed() + runs.missed() + beforeDigits.missed() > 0

  /** True when nothing is known of these letters, because numbers and a few letters are not kept. */
  const isFree = (letters: string) => letters.length < shortest || hasDigit.test(letters) || isPartial()

  return {
    /** Learns a record that was there at the start. Those of a table come in the order of their rows. */
    learn(table: string, row: number, record: string): void {
      learnedTo.set(table, row)
      add(known, record)
    },

    /** Learns that a record has changed; before it was made and after it is deleted its text is null. */
    change(table: string, row: number, before: string | null, after: string | null): void {
      if (row > (learnedTo.get(table) ?? 0)) return
      if (before !== null) remove(known, before)
      if (after !== null) add(known, after)
    },

    /** Says that all of a table has been read, or that there is nothing in it to read. */
    finishTable: (table: string): void => void learnedTo.set(table, Infinity),
    isFinished: (table: string): boolean => learnedTo.get(table) === Infinity,

    /** Says that all there was at the start has been read. */
    finish: (): void => void (isLearned = true),

    has: (word: string): boolean => words.has(word),

    /** True when there may be a longer word that begins with this one. */
    goesOn: (word: string): boolean => isFree(word) || beforeDigits.has(word) || text.hasLonger(word),

    /** True when these may be letters of a word. */
    isPart: (letters: string): boolean => isFree(letters) || text.has(letters),

    /** True when these may be letters of a word, and not at its start. */
    isInside: (letters: string): boolean => isFree(letters) || text.hasInside(letters),

    /** What may have been meant: two neighbours exchanged, else a letter wrong, else two where the word is long. */
    near: (word: string, most: number, rest: Rest): Promise<string[]> => near(words, word, most, rest),

    size: () => words.size(),
  }
}

export type Vocabulary = ReturnType<typeof vocabulary>

const hasDigit = /\d/
const digits = /\d+/

function add({ words, runs, beforeDigits, text }: Known, record: string): void {
  const { found, isCut } = wordsIn(record)
  if (isCut) words.miss()
  for (const word of found) {
    if (!hasDigit.test(word)) {
      if (word.length >= shortestExchanged && words.add(word) && word.length >= shortest) text.add(word)
      continue
    }
    const [first = "", ...others] = word.split(digits)
    if (first !== "") beforeDigits.add(first)
    for (const letters of [first, ...others])
      if (letters.length >= shortest && runs.add(letters)) text.add(letters)
  }
}

function remove({ words, runs, beforeDigits, text }: Known, record: string): void {
  const { found, isCut } = wordsIn(record)
  if (isCut) words.unmiss()
  for (const word of found) {
    if (!hasDigit.test(word)) {
      if (word.length >= shortestExchanged && words.remove(word)) text.leave()
      continue
    }
    const [first = "", ...others] = word.split(digits)
    if (first !== "") beforeDigits.remove(first)
    for (const letters of [first, ...others])
      if (letters.length >= shortest && runs.remove(letters)) text.leave()
  }
  if (text.isStale(words.size() + runs.size())) text.make(words.keys(), runs.keys())
}

/** The words of a text, each once; of a very long text the first, and of very long words none. */
function wordsIn(text: string): { found: Set<string>; isCut: boolean } {
  const found = new Set<string>()
  for (const word of wordsOf(fold(text))) {
    if (word.length > longest || found.size >= mostPerRecord) return { found, isCut: true }
    found.add(word)
  }
  return { found, isCut: false }
}

async function near(words: UseCounts, word: string, most: number, rest: Rest): Promise<string[]> {
  if (word.length > longest) return []
  const exchanged = exchangesOf(word).filter((each) => words.has(each))
  if (exchanged.length > 0) return exchanged.slice(0, most)
  if (word.length < shortest) return []
  const close = await nearest(word, words.keys(), word.length > 7 ? 2 : 1, rest)
  return close
    .filter((each) => each.length >= shortest)
    .toSorted((a, b) => words.usesOf(b) - words.usesOf(a) || (a < b ? -1 : 1))
    .slice(0, most)
}

/** The word with each pair of neighbouring letters exchanged in turn. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  )
