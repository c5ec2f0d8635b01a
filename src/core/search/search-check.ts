import type { Database } from "../engine/engine"
import { isDamage } from "../engine/failures"
import type { Resource } from "../kind/define"
import { textsOf } from "./reindex"
import { searchTables } from "../engine/schema/search-tables"
import { storedText } from "./search-tables"

/**
 * Returns a sentence for each difference between a kind's search tables and its records. Records that wait for their
 * search text are left out.
 */
export function findSearchFaults(db: Database, resource: Resource): string[] {
  try {
    return sentencesOf(db, resource, db.engine.search.differing(resource.table, storedTexts(db, resource)))
  } catch (error) {
    if (!isDamage(error)) throw error
    return [
      `The search tables of ${resource.name} are damaged: ${error.message}. Run "kontor reindex" to rebuild them.`,
    ]
  }
}

function* storedTexts(db: Database, resource: Resource) {
  for (const texts of textsOf(db, resource)) yield texts.map(storedText)
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
  const countOf = (from: string, row: string): number =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from} WHERE ${row} NOT IN (${waiting})`).get()
      ?.n ?? 0
  const count = countOf(table, "seq")
  for (const name of searchTables(table)) {
    const known = countOf(name, "rowid")
    if (known !== count) problems.push(`The search index has ${known} ${noun} rows; the table has ${count}.`)
  }
  return problems
}
