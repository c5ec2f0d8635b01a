import type { SearchText } from "./search-tables"
import { fold, wordsOf } from "../lib/text"
import { textIn } from "../engine/sql"
import { columnOf, type Resource } from "../kind/define"

/** The maximum number of words in a query. A longer text is not a search. */
const mostWords = 12
/** Folding can expand one character to many, so the folded query is cut to this length. */
const mostTyped = 400

/** Folds what a person typed, so that it can be matched against the index. */
export const foldTyped = (typed: string): string => fold(typed).slice(0, mostTyped)

/** Returns the folded text of the fields that lists search, and of those that only the global search uses. */
export function searchText(resource: Resource, record: Record<string, unknown>): SearchText {
  const of = (fields: readonly string[]) =>
    fold(fields.map((name) => searchedIn(record, name)).join(" ")).trim()
  const fragments = (resource.fragments ?? [])
    .map((name) => fragmentOf(String(searchedIn(record, name))))
    .join(" ")
  return { words: of(resource.search), more: of(resource.searchMore ?? []), fragments: fragments.trim() }
}

/** Returns what a searched field of a record contains. A row has the parts of objects under their whole names. */
export function searchedIn(record: Record<string, unknown>, name: string): unknown {
  const value = record[name]
  if (value !== undefined && value !== null) return value
  const dot = name.indexOf(".")
  if (dot === -1) return ""
  const whole = record[name.slice(0, dot)] as Record<string, unknown> | null | undefined
  return whole?.[name.slice(dot + 1)] ?? ""
}

/** Returns the SQL of what a searched field contains. */
export function searchedColumn(name: string): string {
  const [field = "", part] = name.split(".")
  return part === undefined ? columnOf(field) : `(${textIn(columnOf(field), part)})`
}

/** Returns the fields that the search text of a record is computed from. */
export const textFields = ({ search, searchMore = [], fragments = [] }: Resource): string[] => [
  ...new Set([...search, ...searchMore, ...fragments]),
]

/** Returns the fields whose words are used to correct typing errors: not email addresses and numbers. */
export const learnedFields = ({ search, searchMore = [], fragments = [] }: Resource): string[] =>
  [...search, ...searchMore].filter((name) => !fragments.includes(name))

/** Removes the separators from a phone number or a similar text. */
export const fragmentOf = (text: string): string => foldTyped(text).replace(/[\s/+-]/g, "")

/**
 * Converts a search to a query of the trigram index that every word must match, or null when it contains no word. A
 * word with punctuation inside (AB-100) matches as a whole or part by part.
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

/** Returns the distinct words of a search, up to the maximum number. */
export const typedWords = (typed: string): string[] =>
  [...new Set(wordsOf(foldTyped(typed)))].slice(0, mostWords)

/**
 * Converts a fragment to a query of the trigram index. Returns null when it is too short, or when it contains spaces
 * but no digit: only phone numbers and tax IDs contain spaces.
 */
export function fragmentQuery(typed: string): string | null {
  if (/\s/.test(typed.trim()) && !/\p{N}/u.test(typed)) return null
  return fragmentOf(typed).length >= 3 ? `fragments : ${quoted(fragmentOf(typed))}` : null
}

/** How a word of a query matches: only itself (`[]`), itself or other words, or, with null, every word that it begins. */
export type OtherForms = (word: string) => readonly string[] | null

/** Converts words to a query of the word index. */
export const wordQuery = (words: readonly string[], othersOf: OtherForms): string =>
  words.map((word) => formQuery(word, othersOf(word))).join(" AND ")

function formQuery(word: string, others: readonly string[] | null): string {
  if (others === null) return `${quoted(word)}*`
  return others.length === 0 ? quoted(word) : `(${[word, ...others].map(quoted).join(" OR ")})`
}

function phrase(word: string): string {
  const length = [...word].length
  return quoted(length >= 3 ? word : length === 2 ? ` ${word}` : `  ${word}`)
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Converts a search to a condition on the rows of a kind without a search table. */
export function scanTerm(resource: Resource, typed: string) {
  const words = typedWords(typed)
  if (words.length === 0) return { sql: "false", values: [] }
  const text = (resource.scan ?? []).map((name) => `' ' || coalesce(${columnOf(name)}, '')`).join(" || ")
  const parts = words.map((word) => ([...word].length >= 3 ? word : ` ${word}`))
  const searched = { text: text || "''", words: parts }
  return { sql: `has_words(${searched.text}, ?)`, values: [parts.join("\n")], field: "search", searched }
}
