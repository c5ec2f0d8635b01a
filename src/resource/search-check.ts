import type { Database } from "bun:sqlite"
import { columnOf, type Resource } from "./define"
import { writeText } from "../db/search-tables"
import { searchText } from "./search"

const batch = 1_000

/**
 * Where a kind's search tables and its records disagree, a sentence each. The tables are made once more from the
 * records, in a temporary database, and compared word by word: to look each record up would take as long as the words
 * it has in common with others.
 */
export function findSearchFaults(db: Database, resource: Resource): string[] {
  const { table, noun } = resource
  const tables = [`${table}_search`, `${table}_words`]
  for (const name of tables) makeAgain(db, name)
  const count = fill(db, resource)
  const unlike = new Set(tables.flatMap((name) => unlikeRows(db, name)))
  const record = db.query<{ id: string }, [number]>(`SELECT id FROM ${table} WHERE seq = ?`)
  const faults = [...unlike]
    .toSorted((a, b) => a - b)
    .flatMap((seq) => record.get(seq) ?? [])
    .map(({ id }) => `Search does not know the ${noun} ${id} as it is.`)
  for (const name of tables) {
    const known = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM main.${name}`).get()?.n ?? 0
    if (known !== count) faults.push(`Search knows ${known} ${noun} rows; there are ${count}.`)
    for (const each of [`${name}_kept`, `${name}_made`, name]) db.run(`DROP TABLE temp.${each}`)
  }
  return faults
}

/** An empty table like one of the file, and the words of either. */
function makeAgain(db: Database, name: string): void {
  const { sql } = db.query("SELECT sql FROM main.sqlite_schema WHERE name = ?").get(name) as { sql: string }
  db.run(sql.replace(/^CREATE VIRTUAL TABLE \S+/, `CREATE VIRTUAL TABLE temp.${name}`))
  db.run(`CREATE VIRTUAL TABLE temp.${name}_kept USING fts5vocab (main, ${name}, instance)`)
  db.run(`CREATE VIRTUAL TABLE temp.${name}_made USING fts5vocab (temp, ${name}, instance)`)
}

/** Fills the new tables from the records, and counts those. */
function fill(db: Database, resource: Resource): number {
  const { table, search, searchMore = [], fragments = [] } = resource
  const names = new Set([...search, ...searchMore, ...fragments])
  const columns = [...names].map((name) => `${columnOf(name)} AS "${name}"`).join(", ")
  const rows = db.query<{ seq: number }, [number, number]>(
    `SELECT seq, ${columns} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  let count = 0
  for (let last = 0; ;) {
    const some = rows.all(last, batch)
    if (some.length === 0) return count
    writeText(
      db,
      `temp.${table}`,
      some.map((row) => ({ seq: row.seq, ...searchText(resource, row) })),
    )
    count += some.length
    last = some.at(-1)?.seq ?? last
  }
}

/** The numbers of the rows that the two tables have in different words. */
function unlikeRows(db: Database, name: string): number[] {
  // In which rows a word stands, and where, as a few sums. One word may have them right by accident, but not every word of a row.
  const sums = (from: string) =>
    `SELECT term, count(*), sum(doc), sum(doc * doc), sum(doc * (col = 'words')), sum(doc * coalesce(offset, 0))
       FROM temp.${name}_${from} GROUP BY term`
  const words = db
    .query<{ term: string }, []>(
      `WITH kept AS MATERIALIZED (${sums("kept")}), made AS MATERIALIZED (${sums("made")})
       SELECT term FROM (SELECT * FROM kept EXCEPT SELECT * FROM made)
       UNION SELECT term FROM (SELECT * FROM made EXCEPT SELECT * FROM kept)`,
    )
    .all()
  const places = (from: string) => `SELECT doc, col, offset FROM temp.${name}_${from} WHERE term = ?1`
  const rows = db.query<{ doc: number }, [string]>(
    `SELECT doc FROM (${places("kept")} EXCEPT ${places("made")})
     UNION SELECT doc FROM (${places("made")} EXCEPT ${places("kept")})`,
  )
  return words.flatMap(({ term }) => rows.all(term).map(({ doc }) => doc))
}
