import type { SearchText } from "../db/search-tables"
import { fold, wordsOf } from "../lib/text"
import { columnOf, type Resource } from "./define"
import type { Term } from "./filter"

/** More words than this are a text, not a question. */
const mostWords = 12
/** Some characters are many once they are folded; what is looked for must not grow with them. */
const mostTyped = 400

/** What a person typed, in the form in which it is looked for. */
export const foldTyped = (typed: string): string => fold(typed).slice(0, mostTyped)

/** The folded text of the fields that lists search, and of those that only the search over everything looks through. */
export function searchText(resource: Resource, record: Record<string, unknown>): SearchText {
  const of = (fields: readonly string[]) => fold(fields.map((name) => record[name] ?? "").join(" ")).trim()
  const fragments = (resource.fragments ?? []).map((name) => fragmentOf(String(record[name] ?? ""))).join(" ")
  return { words: of(resource.search), more: of(resource.searchMore ?? []), fragments: fragments.trim() }
}

/** The fields whose words a typing error may have been meant for: not those that are addresses and numbers. */
export const learnedFields = ({ search, searchMore = [], fragments = [] }: Resource): string[] =>
  [...search, ...searchMore].filter((name) => !fragments.includes(name))

/** A phone number or the like without what people put between its parts. */
export const fragmentOf = (text: string): string => foldTyped(text).replace(/[\s/+-]/g, "")

/**
 * What a person typed as a query of the trigram index that every word of it must match, or null when it holds no
 * word. A word with punctuation inside (AB-100) matches as it stands or part by part.
 */
export function matchQuery(typed: string): string | null {
  const words = [...new Set(foldTyped(typed).split(/\s+/))].slice(0, mostWords).flatMap((word) => {
    const parts = wordsOf(word).slice(0, mostWords)
    if (parts.length === 0) return []
    const each = parts.map(phrase).join(" AND ")
    return parts.length === 1 ? [each] : [`(${quoted(word)} OR (${each}))`]
  })
  return words.length > 0 ? words.join(" AND ") : null
}

/** The words of what a person typed, each once, and no more than a question has. */
export const typedWords = (typed: string): string[] =>
  [...new Set(wordsOf(foldTyped(typed)))].slice(0, mostWords)

/**
 * A fragment as a query of the trigram index, or null when it cannot be one: it is too short, or several words of
 * letters only, while spaces stand in numbers alone.
 */
export function fragmentQuery(typed: string): string | null {
  if (/\s/.test(typed.trim()) && !/\p{N}/u.test(typed)) return null
  return fragmentOf(typed).length >= 3 ? `fragments : ${quoted(fragmentOf(typed))}` : null
}

/** These words as a query of the word index: as they stand, or as the starts of words where `isStart` says so. */
export const wordQuery = (words: readonly string[], isStart: (word: string) => boolean): string =>
  words.map((word) => `${quoted(word)}${isStart(word) ? "*" : ""}`).join(" AND ")

function phrase(word: string): string {
  const length = [...word].length
  return quoted(length >= 3 ? word : length === 2 ? ` ${word}` : `  ${word}`)
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** What a person typed as a condition on the rows of a kind without a search table. */
export function scanTerm(resource: Resource, typed: string): Term {
  const words = typedWords(typed)
  if (words.length === 0) return { sql: "0", values: [] }
  const text = (resource.scan ?? []).map((name) => `' ' || coalesce(${columnOf(name)}, '')`).join(" || ")
  const parts = words.map((word) => ([...word].length >= 3 ? word : ` ${word}`))
  return { sql: `has_words(${text || "''"}, ?)`, values: [parts.join("\n")], field: "search" }
}
