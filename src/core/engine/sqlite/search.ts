import type { Database } from "bun:sqlite"
import type { SearchTables, StoredText } from "../engine"

/** The search tables of SQLite: virtual tables of FTS5, which store the index and not the text. */
export const fts5Tables = (db: Database): SearchTables => ({
  rows: (table, query, rest = "") => ({
    sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ${rest}`,
    values: [query],
  }),
  isSliced: true,
  hasNestedSlices: false,
  hasWords: null,
  add: (table, rows) => add(db, table, rows),
  empty: (name) => void db.run(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`),
  whileFilling: (_, fill) => fill(),
  merge(name, pages) {
    const changes = db.query<{ n: number }, []>("SELECT total_changes() AS n")
    const before = changes.get()?.n ?? 0
    db.query(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`).run(pages)
    // The statement itself counts as one change.
    return (changes.get()?.n ?? 0) - before > 1
  },
  differing: (table, parts) => differing(db, table, parts),
})

function add(db: Database, table: string, rows: readonly StoredText[]): void {
  const inSearch = db.query(`INSERT INTO ${table}_search (rowid, words, fragments) VALUES (?, ?, ?)`)
  for (const { seq, text, fragments } of rows) inSearch.run(seq, text, fragments)
  const inWords = db.query(`INSERT INTO ${table}_words (rowid, words, more) VALUES (?, ?, ?)`)
  for (const { seq, words, more } of rows) inWords.run(seq, words, more)
}

/**
 * Builds the tables again in the temporary database and compares them word by word. Comparing record by record would be
 * slow, because the tables are indexed by word.
 */
function differing(db: Database, table: string, parts: Iterable<readonly StoredText[]>): number[] {
  const names = [`${table}_search`, `${table}_words`]
  try {
    for (const name of names) createTemporary(db, name)
    for (const rows of parts) add(db, `temp.${table}`, rows)
    return names.flatMap((name) => differingRows(db, name))
  } finally {
    for (const name of names)
      for (const each of [`${name}_stored`, `${name}_rebuilt`, name])
        db.run(`DROP TABLE IF EXISTS temp.${each}`)
  }
}

/** Creates an empty copy of a search table in the temporary database, and tables with the words of both. */
function createTemporary(db: Database, name: string): void {
  const { sql } = db.query("SELECT sql FROM main.sqlite_schema WHERE name = ?").get(name) as { sql: string }
  db.run(sql.replace(/^CREATE VIRTUAL TABLE \S+/, `CREATE VIRTUAL TABLE temp.${name}`))
  db.run(`CREATE VIRTUAL TABLE temp.${name}_stored USING fts5vocab (main, ${name}, instance)`)
  db.run(`CREATE VIRTUAL TABLE temp.${name}_rebuilt USING fts5vocab (temp, ${name}, instance)`)
}

/** Returns the numbers of the rows whose words differ between the two tables. */
function differingRows(db: Database, name: string): number[] {
  // Compares a few sums over the rows and positions of each word. They may be equal by chance for one word of a
  // differing row, but not for all of its words.
  const sums = (from: string) =>
    `SELECT term, count(*), sum(doc), sum(doc * doc), sum(doc * (col = 'words')), sum(doc * coalesce(offset, 0))
       FROM temp.${name}_${from} GROUP BY term`
  const words = db
    .query<{ term: string }, []>(
      `WITH stored AS MATERIALIZED (${sums("stored")}), rebuilt AS MATERIALIZED (${sums("rebuilt")})
       SELECT term FROM (SELECT * FROM stored EXCEPT SELECT * FROM rebuilt)
       UNION SELECT term FROM (SELECT * FROM rebuilt EXCEPT SELECT * FROM stored)`,
    )
    .all()
  const places = (from: string) => `SELECT doc, col, offset FROM temp.${name}_${from} WHERE term = ?1`
  const rows = db.query<{ doc: number }, [string]>(
    `SELECT doc FROM (${places("stored")} EXCEPT ${places("rebuilt")})
     UNION SELECT doc FROM (${places("rebuilt")} EXCEPT ${places("stored")})`,
  )
  return words.flatMap(({ term }) => rows.all(term).map(({ doc }) => doc))
}
