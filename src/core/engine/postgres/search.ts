import type { SearchTables, StoredText } from "../engine"
import { integersOf, rowsOf } from "../sql"
import type { PostgresDatabase } from "./driver/database"
import { trigramCondition, wordCondition } from "./match"

/** The search tables of PostgreSQL: ordinary tables with the text, and with indexes of trigrams and words. */
export const searchTablesOf = (db: PostgresDatabase): SearchTables => ({
  // The search is materialized, because otherwise the planner may test each row of the slice instead of using the index.
  rows(table, query, rest = "") {
    const { sql, values } = table.endsWith("_words") ? wordCondition(query) : trigramCondition(query)
    return {
      sql: `WITH hits AS MATERIALIZED (SELECT rowid FROM ${table} WHERE ${sql}) SELECT rowid FROM hits WHERE true ${rest}`,
      values,
    }
  },
  isSliced: false,
  hasNestedSlices: true,
  // PostgreSQL starts has_words for each row, which takes ten times as long.
  hasWords: (text, words) => ({
    sql: `folded(${text}) LIKE ALL (string_to_array(?, chr(10)))`,
    values: [words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`).join("\n")],
  }),
  add(table, rows) {
    const inSearch = rows.map(({ seq, text, fragments }) => [seq, text, fragments])
    insertTogether(db, `${table}_search (rowid, words, fragments)`, inSearch)
    const inWords = rows.map(({ seq, words, more }) => [seq, words, more])
    insertTogether(db, `${table}_words (rowid, words, more)`, inWords)
  },
  empty: (name) => void db.run(`DELETE FROM ${name}`),
  whileFilling: (table, fill) => withoutIndexes(db, table, fill),
  // There are no segments.
  merge: () => false,
  differing: (table, parts) => differing(db, table, parts),
})

/** One statement takes less time than many if a server executes them. */
function insertTogether(db: PostgresDatabase, into: string, rows: readonly (string | number)[][]): void {
  const columns = "CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2"
  db.query(`INSERT INTO ${into} SELECT ${columns} FROM ${rowsOf("?")}`).run(JSON.stringify(rows))
}

/** Creates the indexes after the rows, which takes far less time than to update them for each row. */
function withoutIndexes<T>(db: PostgresDatabase, table: string, fill: () => T): T {
  const indexes = db
    .query<{ name: string; definition: string }, [string, string]>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND tablename IN (?, ?) AND indexdef LIKE '%USING gin%'`,
    )
    .all(`${table}_search`, `${table}_words`)
  for (const { name } of indexes) db.run(`DROP INDEX ${name}`)
  const result = fill()
  for (const { definition } of indexes) db.run(definition)
  return result
}

/** The tables have the text itself, so it is compared row by row. */
function differing(db: PostgresDatabase, table: string, parts: Iterable<readonly StoredText[]>): number[] {
  const stored = db.query<StoredText, [string]>(
    `SELECT s.rowid AS seq, s.words AS text, s.fragments, w.words, w.more
     FROM ${table}_search AS s JOIN ${table}_words AS w ON w.rowid = s.rowid WHERE s.rowid IN ${integersOf("?")}`,
  )
  const found: number[] = []
  for (const part of parts) {
    const texts = stored.all(JSON.stringify(part.map(({ seq }) => seq)))
    const bySeq = new Map(texts.map((each) => [each.seq, each]))
    for (const wanted of part) if (!isSame(bySeq.get(wanted.seq), wanted)) found.push(wanted.seq)
  }
  return found
}

const isSame = (found: StoredText | undefined, { text, fragments, words, more }: StoredText): boolean =>
  found !== undefined &&
  found.text === text &&
  found.fragments === fragments &&
  found.words === words &&
  found.more === more
