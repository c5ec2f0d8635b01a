import { fold, wordsOf } from "../../core/lib/text"
import type { Candidate } from "./model"

/** The score of each type of match, from the best down, in the order that people expect. */
export const scores = {
  code: 1,
  title: 0.95,
  codeStart: 0.9,
  titleStart: 0.85,
  wholeWords: 0.8,
  wordStarts: 0.7,
  insideCode: 0.6,
  insideWords: 0.5,
  elsewhere: 0.35,
} as const

/** The factor for a match that needed a corrected word. */
const corrected = 0.75

/** The folded query, and whether one of its words was corrected. */
type Spelled = { typed: string; words: readonly string[]; isCorrected: boolean }

/**
 * Returns how well a row matches: more than 0 and at most 1, or 0 when it does not match. A name that is longer than
 * the query scores less: `desk` finds the Desk before the Desk lamp.
 */
export function scoreOf(row: Candidate, { typed, words, isCorrected }: Spelled): number {
  const code = fold(row.code ?? "")
  const title = fold(row.title)
  const near = `${title} ${code}`
  const base = words.every((word) => near.includes(word))
    ? nearMatch(code, wordsOf(title), typed, words)
    : farMatch(near, row.more, words)
  if (base === 0 || base === scores.code) return isCorrected ? base * corrected : base
  const closeness = Math.min(1, typed.length / Math.max(title.length, 1))
  const score = base - 0.04 * (1 - closeness)
  return Math.round((isCorrected ? score * corrected : score) * 1000) / 1000
}

/** The score of a match in code and title, which contain every word. */
function nearMatch(
  code: string,
  titleWords: readonly string[],
  typed: string,
  words: readonly string[],
): number {
  const title = titleWords.join(" ")
  const plain = words.join(" ")
  if (code !== "" && code === typed) return scores.code
  if (title === plain) return scores.title
  if (code.startsWith(typed)) return scores.codeStart
  if (title.startsWith(plain)) return scores.titleStart
  const known = [...titleWords, ...wordsOf(code)]
  if (words.every((word) => known.includes(word))) return scores.wholeWords
  if (words.every((word) => known.some((each) => each.startsWith(word)))) return scores.wordStarts
  return code.includes(typed) ? scores.insideCode : scores.insideWords
}

/** The score of a match that needs the additional fields, with or without their spaces. */
function farMatch(near: string, more: string, words: readonly string[]): number {
  if (more === "") return 0
  const text = fold(more)
  const all = `${near} ${text} ${text.replace(/[\s/+-]/g, "")}`
  return words.every((word) => all.includes(word)) ? scores.elsewhere : 0
}
