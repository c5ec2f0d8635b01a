import { fold, wordsOf } from "../../core/lib/text"

/** Shorter words are not counted. */
const shortest = 3
/** Longer words are ignored, because nobody types them. */
export const longest = 40
/** The words are in memory, so their number is limited, because notes can contain any number of words. */
const mostWords = 200_000
const mostLetters = 2_000_000
const mostPerRecord = 1_000

/**
 * Counts how many records use each word. Words with digits are not counted, because each code would be a word. Of their
 * letters, those before the first digit are counted as `lamp#`, the others as `#shade`: nobody can type these.
 */
export function wordCounts() {
  const uses = new Map<string, number>()
  let letters = 0
  let missed = 0
  /** All words, each after a line end. Searching it is far faster than searching the words one by one. */
  let text: string | null = null

  /** Adds 1 to the uses of a word, or -1. Beyond the limits, only the number of words that are missing is counted. */
  function count(word: string, by: 1 | -1): void {
    const before = uses.get(word) ?? 0
    if (before === 0 && (by < 0 || uses.size >= mostWords || letters + word.length > mostLetters)) miss(by)
    else if (before + by > 0) uses.set(word, before + by)
    else uses.delete(word)
    if (uses.has(word) === before > 0) return
    letters += by * word.length
    text = by > 0 && text !== null ? `${text}\n${word}` : null
  }
  const miss = (by: 1 | -1): void => void (missed = Math.max(0, missed + by))

  return {
    uses: uses as ReadonlyMap<string, number>,

    /** Counts the words of a record, or no longer if `by` is -1, and returns them. */
    countAll(record: string, by: 1 | -1): ReadonlySet<string> {
      const { found, isCut } = wordsIn(record)
      if (isCut) miss(by)
      for (const word of found) count(word, by)
      return found
    },

    /** True when words of records are not counted, because there are too many. */
    isPartial: (): boolean => missed > 0,

    text: (): string => (text ??= `\n${[...uses.keys()].join("\n")}`),
  }
}

/** Returns the distinct words of a text. It stops after a maximum number of words, or at a very long word. */
function wordsIn(text: string): { found: Set<string>; isCut: boolean } {
  const found = new Set<string>()
  for (const word of wordsOf(fold(text))) {
    if (word.length > longest || found.size >= mostPerRecord) return { found, isCut: true }
    if (hasDigit.test(word)) for (const letters of lettersOf(word)) found.add(letters)
    else if (word.length >= shortest) found.add(word)
  }
  return { found, isCut: false }
}

export const hasDigit = /\d/

const fewLetters = 3

/** Returns the letters of a word with digits. Fewer than four are left out, because nobody looks for them. */
function lettersOf(word: string): readonly string[] {
  if (word.length <= fewLetters) return []
  const [first = "", ...others] = word.split(/\d+/)
  return [`${first}#`, ...others.map((letters) => `#${letters}`)].filter(
    ({ length }) => length > fewLetters + 1,
  )
}
