import type { Database } from "bun:sqlite"
import type { Resource } from "./define"
import { fillSearch, searchTables } from "./reindex"

/**
 * Where a kind's search tables and its records disagree, a sentence each. The tables are made once more from the
 * records, in a temporary database, and compared word by word: to look each record up would take as long as the words
 * it has in common with others.
 */
export function findSearchFaults(db: Database, resource: Resource): string[] {
  try {
    return compare(db, resource)
  } catch (error) {
    if (!isDamage(error)) throw error
    return [
      `The search tables of ${resource.name} are damaged: ${error.message}. "kontor reindex" fills them again.`,
    ]
  } finally {
    for (const name of searchTables(resource))
      for (const each of [`${name}_kept`, `${name}_made`, name]) db.run(`DROP TABLE IF EXISTS temp.${each}`)
  }
}

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT")

function compare(db: Database, resource: Resource): string[] {
  const { table, noun } = resource
  const tables = searchTables(resource)
  for (const name of tables) makeAgain(db, name)
  const count = fillSearch(db, resource, `temp.${table}`)
  const unlike = new Set(tables.flatMap((name) => unlikeRows(db, name)))
  const record = db.query<{ id: string }, [number]>(`SELECT id FROM ${table} WHERE seq = ?`)
  const faults = [...unlike]
    .toSorted((a, b) => a - b)
    .flatMap((seq) => record.get(seq) ?? [])
    .map(({ id }) => `Search does not know the ${noun} ${id} as it is.`)
  for (const name of tables) {
    const known = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM main.${name}`).get()?.n ?? 0
    if (known !== count) faults.push(`Search knows ${known} ${noun} rows; there are ${count}.`)
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
