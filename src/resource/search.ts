import type { Database } from "bun:sqlite"
import type { SearchEntry, Tx } from "../db/writer"
import { fold, wordsOf } from "../lib/text"
import type { Resource } from "./define"

/**
 * What the trigram index holds of a record: its folded text, to find three letters and more anywhere inside, and
 * after it the first two letters of each word behind two spaces, to find one or two letters at the start of a word.
 */
export function searchWords(resource: Resource, record: Record<string, unknown>): string {
  const text = fold(resource.search.map((name) => record[name] ?? "").join(" "))
  const starts = new Set(wordsOf(text).map((word) => [...word].slice(0, 2).join("")))
  return `  ${text}${[...starts].map((start) => `  ${start}`).join("")}`
}

/**
 * What a person typed as an FTS5 query that every word of it must match, or null when it holds no word.
 * A word with punctuation inside (AB-100) matches as it stands or part by part.
 */
export function matchQuery(typed: string): string | null {
  const words = fold(typed)
    .split(/\s+/)
    .flatMap((word) => {
      const parts = wordsOf(word)
      if (parts.length === 0) return []
      const each = parts.map(phrase).join(" AND ")
      return parts.length === 1 ? [each] : [`(${quoted(word)} OR (${each}))`]
    })
  return words.length > 0 ? words.join(" AND ") : null
}

function phrase(word: string): string {
  const length = [...word].length
  return quoted(length >= 3 ? word : length === 2 ? ` ${word}` : `  ${word}`)
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Brings the search tables up to date with one statement a table, however many rows a commit has. */
export function feedSearch(db: Database): (kept: Tx[]) => void {
  return (kept) => {
    const entries = kept.flatMap((tx) => tx.searchEntries)
    for (const [table, rows] of Map.groupBy(entries, (entry) => entry.table)) {
      const latest = new Map<number, SearchEntry>()
      for (const row of rows)
        latest.set(row.seq, { ...row, isNew: row.isNew || latest.get(row.seq)?.isNew === true })
      const known = [...latest.values()].filter((row) => !row.isNew).map((row) => row.seq)
      const worded = [...latest.values()]
        .filter((row) => row.words !== null)
        .map((row) => [row.seq, row.words])
      if (known.length > 0)
        db.query(`DELETE FROM ${table} WHERE rowid IN (SELECT value FROM json_each(?))`).run(
          JSON.stringify(known),
        )
      if (worded.length > 0)
        db.query(`INSERT INTO ${table} (rowid, words) SELECT value ->> 0, value ->> 1 FROM json_each(?)`).run(
          JSON.stringify(worded),
        )
    }
  }
}
