import type { Database } from "bun:sqlite"
import { wordsOf } from "../lib/text"
import type { SearchEntry, Tx } from "./writer"

/** The folded text of a record: what lists search, what only the search over everything looks through, and fragments. */
export type SearchText = { words: string; more: string; fragments: string }

/** Brings the search tables up to date with one statement a table, however many rows a commit has. */
export function feedSearch(db: Database): (kept: Tx[]) => void {
  return (kept) => {
    const entries = kept.flatMap((tx) => tx.searchEntries)
    for (const [table, rows] of Map.groupBy(entries, (entry) => entry.table)) {
      // A row number may be given back and taken again within a commit: whether it was known is what came first.
      const latest = new Map<number, SearchEntry>()
      for (const row of rows) latest.set(row.seq, { ...row, isNew: latest.get(row.seq)?.isNew ?? row.isNew })
      const known = [...latest.values()].filter((row) => !row.isNew).map((row) => row.seq)
      const told = [...latest.values()].flatMap(({ seq, text }) => (text ? [{ seq, ...text }] : []))
      if (known.length > 0)
        for (const suffix of ["search", "words"])
          db.query(`DELETE FROM ${table}_${suffix} WHERE rowid IN (SELECT value FROM json_each(?))`).run(
            JSON.stringify(known),
          )
      if (told.length > 0) writeText(db, table, told)
    }
  }
}

/** Adds rows to both search tables of a kind. */
export function writeText(
  db: Database,
  table: string,
  rows: readonly (SearchText & { seq: number })[],
): void {
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
 * What the trigram index holds: the text itself, to find three letters and more anywhere inside, and after it the
 * first two letters of each word behind two spaces, to find one or two letters at the start of a word.
 */
function trigramText(text: string): string {
  const starts = new Set(wordsOf(text).map(startOf))
  return `  ${text}${[...starts].map((start) => `  ${start}`).join("")}`
}

/** The first two letters; only rare ones take more than one unit of a string each. */
const startOf = (word: string): string =>
  /[\ud800-\udfff]/.test(word.slice(0, 2)) ? [...word].slice(0, 2).join("") : word.slice(0, 2)

/** What the word index holds: the words alone, each once. */
const wordText = (text: string): string => [...new Set(wordsOf(text))].join(" ")
