import { fold, wordsOf } from "../../lib/text"
import type { Rest } from "../../lib/turns"
import { nearest } from "./near"
import { useCounts, type UseCounts } from "./use-counts"
import { wordText, type WordText } from "./word-text"

/** Shorter words are not corrected, because too many words begin or end with their letters. */
const shortest = 4
/** In a word this short, only two exchanged letters are corrected. */
const shortestExchanged = 3
/** Longer words are ignored, because nobody types them. */
const longest = 40
/** The vocabulary is in memory, so its size is limited, because notes can contain any number of words. */
const mostWords = 200_000
const mostLetters = 2_000_000
const mostPerRecord = 1_000
/** Finding the rows of a prefix takes time for each row, so up to this number of words are searched for instead. */
const mostLonger = 32

type Known = {
  words: UseCounts
  /** For words with digits: all runs of letters (`runs`), and those at the start of a word (`beforeDigits`). */
  runs: UseCounts
  beforeDigits: UseCounts
  /** All words and runs of four letters or more. */
  text: WordText
}

/**
 * The words of all records, used to correct typing errors. It stores only the words and the number of records that use
 * each, so its size depends on the number of different words and not on the number of records. A word that no record
 * uses is removed. `isShared` means that other servers write records too. What a record had before they wrote it is not
 * known then, so words are only added, and stay until the next start.
 */
export function vocabulary({ isShared = false } = {}) {
  const newCounts = () => useCounts(mostWords, mostLetters)
  const known: Known = {
    words: newCounts(),
    runs: newCounts(),
    beforeDigits: newCounts(),
    text: wordText(),
  }
  const { words, runs, beforeDigits, text } = known
  /** The last row of each table that was learned. Updates of later rows are ignored, because `learn` will read them. */
  const learnedTo = new Map<string, number>()
  let isLearned = false
  let isBehind = false

  /** True when words are missing, so that nothing can be concluded from a word that is not found. */
  const isPartial = () => !isLearned || isBehind || words.missed() + runs.missed() + beforeDigits.missed() > 0

  /** True when these letters cannot be looked up: numbers and very short words are not stored, or words are missing. */
  const isUnknown = (letters: string) => letters.length < shortest || hasDigit.test(letters) || isPartial()

  return {
    /** Learns a record that existed at startup. Call it in the order of the rows of a table. */
    learn(table: string, row: number, record: string): void {
      learnedTo.set(table, row)
      add(known, record)
    },

    /** Learns an update of a record. `before` is null for a create, `after` for a delete. */
    change(table: string, row: number, before: string | null, after: string | null): void {
      if (row > (learnedTo.get(table) ?? 0)) return
      if (before !== null && !isShared) remove(known, before)
      if (after !== null) add(known, after)
    },

    /** Learns a record that another server has written. */
    add: (record: string): void => add(known, record),

    /** Marks whether other servers have written records that are not learned yet. */
    setBehind: (behind: boolean): void => void (isBehind = behind),

    /** Marks a table as read completely, or as empty. */
    finishTable: (table: string): void => void learnedTo.set(table, Infinity),
    isFinished: (table: string): boolean => learnedTo.get(table) === Infinity,

    /** Marks all tables as read. */
    finish: (): void => void (isLearned = true),

    has: (word: string): boolean => words.has(word),

    /**
     * Returns the longer words that begin with this word. Null if there are too many, or if they are not all known, as
     * those with digits.
     */
    longer: (word: string): string[] | null =>
      isUnknown(word) || beforeDigits.has(word) ? null : text.longer(word, mostLonger),

    /** True when a word may contain these letters. */
    isPart: (letters: string): boolean => isUnknown(letters) || text.has(letters),

    /** True when a word may contain these letters, but not at its start. */
    isInside: (letters: string): boolean => isUnknown(letters) || text.hasInside(letters),

    /**
     * Returns similar words: with two neighbouring letters exchanged, or else with one wrong letter (two in a long
     * word).
     */
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
      if (word.length >= shortestExchanged && words.remove(word)) text.noteDeleted()
      continue
    }
    const [first = "", ...others] = word.split(digits)
    if (first !== "") beforeDigits.remove(first)
    for (const letters of [first, ...others])
      if (letters.length >= shortest && runs.remove(letters)) text.noteDeleted()
  }
  if (text.isStale(words.size() + runs.size())) text.rebuild(words.keys(), runs.keys())
}

/** Returns the distinct words of a text. It stops after a maximum number of words, or at a very long word. */
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

/** Returns the word with each pair of neighbouring letters exchanged in turn. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  )
