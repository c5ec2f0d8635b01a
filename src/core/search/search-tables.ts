import { integersOf, rowsOf } from "../engine/sql"
import { postgresOf, type Database } from "../engine/engine"
import { wordsOf } from "../lib/text"

/** The folded text of a record: `words` for lists, `more` only for the global search, and `fragments`. */
export type SearchText = { words: string; more: string; fragments: string }

/** Removes rows from both search tables of a kind. */
export function removeText(db: Database, table: string, rows: readonly number[]): void {
  for (const name of searchTables(table))
    db.query(`DELETE FROM ${name} WHERE rowid IN ${integersOf("?")}`).run(JSON.stringify(rows))
}

/** Adds rows to both search tables of a kind. */
export function writeText(
  db: Database,
  table: string,
  rows: readonly (SearchText & { seq: number })[],
): void {
  const stored = rows.map(({ seq, ...text }) => ({ seq, ...storedText(text) }))
  const insert = postgresOf(db) ? insertTogether : insertEach
  insert(
    db,
    `${table}_search (rowid, words, fragments)`,
    stored.map(({ seq, text, fragments }) => [seq, text, fragments]),
  )
  insert(
    db,
    `${table}_words (rowid, words, more)`,
    stored.map(({ seq, words, more }) => [seq, words, more]),
  )
}

type StoredRow = [seq: number, words: string, other: string]

function insertEach(db: Database, into: string, rows: readonly StoredRow[]): void {
  const insert = db.query(`INSERT INTO ${into} VALUES (?, ?, ?)`)
  for (const row of rows) insert.run(...row)
}

/** One statement takes less time than many if a server executes them. */
function insertTogether(db: Database, into: string, rows: readonly StoredRow[]): void {
  const columns = "CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2"
  db.query(`INSERT INTO ${into} SELECT ${columns} FROM ${rowsOf("?")}`).run(JSON.stringify(rows))
}

/** What the search tables store of a record: `text` and `fragments` in the one, `words` and `more` in the other. */
export function storedText({ words, more, fragments }: SearchText) {
  const found = new Set(wordsOf(words))
  return {
    text: trigramText(words, found),
    fragments,
    words: [...found].join(" "),
    more: more === "" ? "" : [...new Set(wordsOf(more))].join(" "),
  }
}

/** The names of the two search tables of a kind. */
export const searchTables = (table: string): [string, string] => [`${table}_search`, `${table}_words`]

/** The number of segments of the same level that are merged to one, as the schema sets it (`usermerge`). */
export const segmentsToMerge = 16

/**
 * Merges segments of a search table until about `pages` pages are written. Returns false when there are too few segments
 * for it. PostgreSQL's search tables have none.
 */
export function mergeSegments(db: Database, searchTable: string, pages: number): boolean {
  if (postgresOf(db)) return false
  const changes = db.query<{ n: number }, []>("SELECT total_changes() AS n")
  const before = changes.get()?.n ?? 0
  db.query(`INSERT INTO ${searchTable} (${searchTable}, rank) VALUES ('merge', ?)`).run(pages)
  // The statement itself counts as one change.
  return (changes.get()?.n ?? 0) - before > 1
}

/** Empties a search table, even if it is damaged. */
export function emptySearchTable(db: Database, name: string): void {
  db.run(postgresOf(db) ? `DELETE FROM ${name}` : `INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
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
