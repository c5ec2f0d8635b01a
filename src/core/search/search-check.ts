import { postgresOf, type Database } from "../engine/engine"
import { searchTables } from "./search-tables"
import type { Resource } from "../kind/define"
import { fillSearch } from "./reindex"
import { differingInPostgres } from "./search-check-postgres"

/**
 * Returns a sentence for each difference between a kind's search tables and its records. It builds the tables again
 * from the records in a temporary database and compares them word by word. Comparing record by record would be slow,
 * because the tables are indexed by word. Records that wait for their search text are left out.
 */
export function findSearchFaults(db: Database, resource: Resource): string[] {
  if (postgresOf(db)) return sentencesOf(db, resource, differingInPostgres(db, resource))
  try {
    return sentencesOf(db, resource, compare(db, resource))
  } catch (error) {
    if (!isDamage(error)) throw error
    return [
      `The search tables of ${resource.name} are damaged: ${error.message}. Run "kontor reindex" to rebuild them.`,
    ]
  } finally {
    for (const name of searchTables(resource.table))
      for (const each of [`${name}_stored`, `${name}_rebuilt`, name])
        db.run(`DROP TABLE IF EXISTS temp.${each}`)
  }
}

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT")

/** Returns the numbers of the rows whose words differ from those of tables that are built from the records. */
function compare(db: Database, resource: Resource): number[] {
  const tables = searchTables(resource.table)
  for (const name of tables) createTemporary(db, name)
  fillSearch(db, resource, `temp.${resource.table}`)
  return tables.flatMap((name) => differingRows(db, name))
}

function sentencesOf(db: Database, { table, noun }: Resource, rows: readonly number[]): string[] {
  const waiting = `SELECT record FROM search_waiting WHERE source = '${table}'`
  const marked = db.query<{ record: number }, []>(waiting).all()
  const differing = new Set(rows).difference(new Set(marked.map(({ record }) => record)))
  const record = db.query<{ id: string }, [number]>(`SELECT id FROM ${table} WHERE seq = ?`)
  const problems = [...differing]
    .toSorted((a, b) => a - b)
    .flatMap((seq) => record.get(seq) ?? [])
    .map(({ id }) => `The search index is out of date for the ${noun} ${id}.`)
  // The temporary tables of SQLite have the same names as the search tables.
  const schema = postgresOf(db) ? "" : "main."
  const countOf = (from: string, row: string): number =>
    db
      .query<{ n: number }, []>(`SELECT count(*) AS n FROM ${schema}${from} WHERE ${row} NOT IN (${waiting})`)
      .get()?.n ?? 0
  const count = countOf(table, "seq")
  for (const name of searchTables(table)) {
    const known = countOf(name, "rowid")
    if (known !== count) problems.push(`The search index has ${known} ${noun} rows; the table has ${count}.`)
  }
  return problems
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
