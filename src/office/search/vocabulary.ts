import type { Rest } from "../../core/lib/turns"
import { hasDigit, longest, wordCounts } from "./word-counts"
import { shortest, wordIndex, type WordIndex } from "./word-index"

/** Finding the rows of a prefix takes time for each row, so up to this number of words are searched for instead. */
const mostLonger = 32

/**
 * The words of all records, used to correct typing errors. It stores only the words and the number of records that use
 * each, so its size depends on the number of different words and not on the number of records. A word that no record
 * uses is removed. `isShared` means that other servers write records too. What a record had before they wrote it is not
 * known then, so words are only added, and stay until the next start.
 */
export function vocabulary({ isShared = false } = {}) {
  const counts = wordCounts()
  const index = wordIndex(counts.uses)
  /** The last row of each table that was learned. Updates of later rows are ignored, because `learn` will read them. */
  const learnedTo = new Map<string, number>()
  let isLearned = false
  let isBehind = false

  const count = (record: string, by: 1 | -1): void => counts.countAll(record, by).forEach(index.note)

  /** True when these letters cannot be looked up: numbers and very short words are not stored, or words are missing. */
  const isUnknown = (letters: string): boolean =>
    letters.length < shortest || hasDigit.test(letters) || !isLearned || isBehind || counts.isPartial()

  return {
    /** Learns a record that existed at startup. Call it in the order of the rows of a table. */
    learn(table: string, row: number, record: string): void {
      learnedTo.set(table, row)
      count(record, 1)
    },

    /** Learns an update of a record. `before` is null for a create, `after` for a delete. */
    change(table: string, row: number, before: string | null, after: string | null): void {
      if (row > (learnedTo.get(table) ?? 0)) return
      if (before !== null && !isShared) count(before, -1)
      if (after !== null) count(after, 1)
    },

    /** Learns a record that another server has written. */
    add: (record: string): void => count(record, 1),

    /** Puts what was learned into the index. Call it before `near` and `longer`. */
    settle: (rest: Rest): Promise<void> => index.settle(rest),

    /** Marks whether other servers have written records that are not learned yet. */
    setBehind: (behind: boolean): void => void (isBehind = behind),

    /** Marks a table as read completely, or as empty. */
    finishTable: (table: string): void => void learnedTo.set(table, Infinity),
    isFinished: (table: string): boolean => learnedTo.get(table) === Infinity,

    /** Marks all tables as read. */
    finish: (): void => void (isLearned = true),

    has: (word: string): boolean => counts.uses.has(word),

    /**
     * Returns the longer words that begin with this word. Null if there are too many, or if they are not all known, as
     * those with digits.
     */
    longer(word: string): string[] | null {
      if (isUnknown(word) || !index.isComplete()) return null
      const found: string[] = []
      for (const each of index.beginning(word))
        if (each.endsWith("#") || (each !== word && found.push(each) > mostLonger)) return null
      return found
    },

    /** True when a word may contain these letters. */
    isPart: (letters: string): boolean => isUnknown(letters) || counts.text().includes(letters),

    /** True when a word may contain these letters, but not at its start. */
    isInside: (letters: string): boolean => isUnknown(letters) || hasInside(counts.text(), letters),

    /**
     * Returns similar words: with two neighbouring letters exchanged, or else with one wrong letter (two in a long
     * word).
     */
    near: async (word: string, most: number, rest: Rest): Promise<string[]> =>
      word.length > longest ? [] : (await near(counts.uses, index, word, rest)).slice(0, most),

    size: () => counts.uses.size,
  }
}

export type Vocabulary = ReturnType<typeof vocabulary>

function hasInside(text: string, letters: string): boolean {
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1))
    if (text[at - 1] !== "\n") return true
  return false
}

async function near(
  uses: ReadonlyMap<string, number>,
  index: WordIndex,
  word: string,
  rest: Rest,
): Promise<string[]> {
  const exchanged = exchangesOf(word).filter((each) => uses.has(each))
  if (exchanged.length > 0 || word.length < shortest) return exchanged
  const similar = index.similar(word, 1)
  await rest()
  return similar.length > 0 || word.length <= 7 ? similar : index.similar(word, 2)
}

/** Returns the word with each pair of neighbouring letters exchanged in turn. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  )
