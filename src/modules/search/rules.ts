import { fold, wordsOf } from "../../lib/text"
import type { Candidate } from "./model"

/** What a match is worth, from the best down: what a person would expect to see first. */
export const worth = {
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

/** A match that needed a word corrected is worth this much of what it would have been. */
const corrected = 0.75

/** What is looked for, folded, and whether a word of it was corrected. */
type Spelled = { typed: string; words: readonly string[]; isCorrected: boolean }

/**
 * How well a row answers, above 0 and at most 1, or 0 when it does not. The longer the name beyond what was typed,
 * the less: `desk` finds the Desk before the Desk lamp.
 */
export function scoreOf(row: Candidate, { typed, words, isCorrected }: Spelled): number {
  const code = fold(row.code ?? "")
  const title = fold(row.title)
  const near = `${title} ${code}`
  const base = words.every((word) => near.includes(word))
    ? nearMatch(code, wordsOf(title), typed, words)
    : farMatch(near, row.more, words)
  if (base === 0 || base === worth.code) return isCorrected ? base * corrected : base
  const closeness = Math.min(1, typed.length / Math.max(title.length, 1))
  const score = base - 0.04 * (1 - closeness)
  return Math.round((isCorrected ? score * corrected : score) * 1000) / 1000
}

/** A match in code and name, where every word stands somewhere. */
function nearMatch(
  code: string,
  titleWords: readonly string[],
  typed: string,
  words: readonly string[],
): number {
  const title = titleWords.join(" ")
  const plain = words.join(" ")
  if (code !== "" && code === typed) return worth.code
  if (title === plain) return worth.title
  if (code.startsWith(typed)) return worth.codeStart
  if (title.startsWith(plain)) return worth.titleStart
  const known = [...titleWords, ...wordsOf(code)]
  if (words.every((word) => known.includes(word))) return worth.wholeWords
  if (words.every((word) => known.some((each) => each.startsWith(word)))) return worth.wordStarts
  return code.includes(typed) ? worth.insideCode : worth.insideWords
}

/** A match that needs the further fields, with or without the spaces in them. */
function farMatch(near: string, more: string, words: readonly string[]): number {
  if (more === "") return 0
  const text = fold(more)
  const all = `${near} ${text} ${text.replace(/[\s/+-]/g, "")}`
  return words.every((word) => all.includes(word)) ? worth.elsewhere : 0
}
