import type { Database } from "bun:sqlite"
import type { SearchEntry, Tx } from "../db/writer"
import { fold, wordsOf } from "../lib/text"
import { columnOf, type Resource } from "./define"
import type { Term } from "./filter"

/**
 * What the trigram index holds of a record: its folded text, to find three letters and more anywhere inside, and
 * after it the first two letters of each word behind two spaces, to find one or two letters at the start of a word.
 */
export const searchWords = (resource: Resource, record: Record<string, unknown>): string =>
  indexText(resource.search, record)

/** The same of the further fields; empty when they are. */
export const moreWords = (resource: Resource, record: Record<string, unknown>): string =>
  indexText(resource.searchMore ?? [], record)

function indexText(fields: readonly string[], record: Record<string, unknown>): string {
  const text = fold(fields.map((name) => record[name] ?? "").join(" ")).trim()
  if (text === "") return ""
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

/** What a person typed as a condition on the rows of a kind without a search table. */
export function scanTerm(resource: Resource, typed: string): Term {
  const words = wordsOf(fold(typed))
  if (words.length === 0) return { sql: "0", values: [] }
  const text = (resource.scan ?? []).map((name) => `' ' || coalesce(${columnOf(name)}, '')`).join(" || ")
  return {
    sql: words.map(() => `instr(folded(${text || "''"}), ?) > 0`).join(" AND "),
    values: words.map((word) => ([...word].length >= 3 ? word : ` ${word}`)),
  }
}

/** Where a kind's search table and its records disagree, a sentence each. */
export function findSearchFaults(db: Database, resource: Resource): string[] {
  const { table, noun, search, searchMore = [] } = resource
  const columns = [...search, ...searchMore].map((name) => `${columnOf(name)} AS "${name}"`).join(", ")
  const isIndexed = db.query(`SELECT 1 FROM ${table}_search WHERE rowid = ? AND ${table}_search MATCH ?`)
  const rows = db.query<{ seq: number; id: string }, []>(`SELECT seq, id, ${columns} FROM ${table}`)
  const faults: string[] = []
  let count = 0
  for (const row of rows.iterate()) {
    count++
    const [words, more] = [searchWords(resource, row), moreWords(resource, row)]
    const whole = `words : ${quoted(words)}${more ? ` AND more : ${quoted(more)}` : ""}`
    if (!isIndexed.get(row.seq, whole)) faults.push(`Search does not know the ${noun} ${row.id} as it is.`)
  }
  const indexed = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}_search`).get()?.n ?? 0
  if (indexed !== count) faults.push(`Search knows ${indexed} ${noun} rows; there are ${count}.`)
  return faults
}

/** Brings the search tables up to date with one statement a table, however many rows a commit has. */
export function feedSearch(db: Database): (kept: Tx[]) => void {
  return (kept) => {
    const entries = kept.flatMap((tx) => tx.searchEntries)
    for (const [table, rows] of Map.groupBy(entries, (entry) => entry.table)) {
      // A row number may be given back and taken again within a commit: whether it was known is what came first.
      const latest = new Map<number, SearchEntry>()
      for (const row of rows) latest.set(row.seq, { ...row, isNew: latest.get(row.seq)?.isNew ?? row.isNew })
      const known = [...latest.values()].filter((row) => !row.isNew).map((row) => row.seq)
      const worded = [...latest.values()]
        .filter((row) => row.words !== null)
        .map((row) => [row.seq, row.words, row.more])
      if (known.length > 0)
        db.query(`DELETE FROM ${table} WHERE rowid IN (SELECT value FROM json_each(?))`).run(
          JSON.stringify(known),
        )
      if (worded.length > 0)
        db.query(
          `INSERT INTO ${table} (rowid, words, more) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
        ).run(JSON.stringify(worded))
    }
  }
}
