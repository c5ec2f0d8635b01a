import type { Database } from "bun:sqlite"
import { wordsOf } from "../lib/text"

/** The folded text of a record: `words` for lists, `more` only for the global search, and `fragments`. */
export type SearchText = { words: string; more: string; fragments: string }

/** Removes rows from both search tables of a kind. */
export function removeText(db: Database, table: string, rows: readonly number[]): void {
  for (const suffix of ["search", "words"])
    db.query(`DELETE FROM ${table}_${suffix} WHERE rowid IN (SELECT value FROM json_each(?))`).run(
      JSON.stringify(rows),
    )
}

/** Adds rows to both search tables of a kind. */
export function writeText(
  db: Database,
  table: string,
  rows: readonly (SearchText & { seq: number })[],
): void {
  if (rows.length === 0) return
  const insert = (suffix: string, columns: string, values: unknown[][]) =>
    db
      .query(
        `INSERT INTO ${table}_${suffix} (rowid, ${columns}) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
      )
      .run(JSON.stringify(values))
  insert(
    "search",
    "words, fragments",
    rows.map(({ seq, words, fragments }) => [seq, trigramText(words), fragments]),
  )
  insert(
    "words",
    "words, more",
    rows.map(({ seq, words, more }) => [seq, wordText(words), wordText(more)]),
  )
}

/**
 * The text of the trigram index: the text itself, to find three or more letters anywhere, followed by the first two
 * letters of each word after two spaces, to find one or two letters at the start of a word.
 */
function trigramText(text: string): string {
  const starts = new Set(wordsOf(text).map(startOf))
  return `  ${text}${[...starts].map((start) => `  ${start}`).join("")}`
}

/** The first two characters. Only characters outside the BMP take more than one UTF-16 unit. */
const startOf = (word: string): string =>
  /[\ud800-\udfff]/.test(word.slice(0, 2)) ? [...word].slice(0, 2).join("") : word.slice(0, 2)

/** The text of the word index: each word once. */
const wordText = (text: string): string => [...new Set(wordsOf(text))].join(" ")
