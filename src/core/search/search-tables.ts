import { integersOf } from "../engine/sql"
import type { Database, StoredText } from "../engine/engine"
import { searchTables } from "../engine/schema/search-tables"
import { wordsOf } from "../lib/text"

/** The folded text of a record: `words` for lists, `more` only for the global search, and `fragments`. */
export type SearchText = { words: string; more: string; fragments: string }

/** Removes rows from both search tables of a kind. */
export function removeText(db: Database, table: string, rows: readonly number[]): void {
  for (const name of searchTables(table))
    db.engine.runEach(`DELETE FROM ${name} WHERE rowid IN ${integersOf("?")}`, [[JSON.stringify(rows)]])
}

/** Adds rows to both search tables of a kind. */
export function writeText(db: Database, table: string, rows: readonly RecordText[]): void {
  db.engine.search.add(table, rows.map(storedText))
}

/** A record with its text. */
export type RecordText = SearchText & { seq: number }

export function storedText({ seq, words, more, fragments }: RecordText): StoredText {
  const found = new Set(wordsOf(words))
  return {
    seq,
    text: trigramText(words, found),
    fragments,
    words: [...found].join(" "),
    more: more === "" ? "" : [...new Set(wordsOf(more))].join(" "),
  }
}

/**
 * The text of the trigram index: the text itself, to find three or more letters anywhere, followed by the first two
 * letters of each word after two spaces, to find one or two letters at the start of a word.
 */
function trigramText(text: string, words: ReadonlySet<string>): string {
  const starts = new Set<string>()
  for (const word of words) starts.add(startOf(word))
  let all = `  ${text}`
  for (const start of starts) all += `  ${start}`
  return all
}

/** The first two characters. Only characters outside the BMP take more than one UTF-16 unit. */
const startOf = (word: string): string =>
  /[\ud800-\udfff]/.test(word.slice(0, 2)) ? [...word].slice(0, 2).join("") : word.slice(0, 2)
