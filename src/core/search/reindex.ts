import type { Database } from "../engine/engine"
import { findPosition, storePosition } from "../engine/positions"
import { definitionRow, searchTables } from "../engine/schema/search-tables"
import { valueOf, valuesOf } from "../engine/sql"
import { type RecordText, writeText, storedText } from "./search-tables"
import { deleteWaitingOf } from "../write/search-waiting"
import type { Resource } from "../kind/define"
import { searchedColumn, searchText, textFields } from "./search"
import { isDamage } from "../engine/failures"

/** The number of records that are read at a time, to limit the memory. */
const batch = 1_000
/** The number of pages that are merged after each batch. It is enough to merge all segments in time. */
const pagesPerBatch = 1_000

export const searchedKinds = (kinds: readonly Resource[]): Resource[] =>
  kinds.filter(({ search }) => search.length > 0)

/**
 * Empties the search tables of a kind, even if they are damaged, and fills them from its records. Their settings stay.
 * Returns the number of records. The caller opens the transaction.
 */
export function reindex(db: Database, resource: Resource): number {
  const { table } = resource
  for (const name of searchTables(table)) db.engine.search.empty(name)
  deleteWaitingOf(db, table)
  return db.engine.search.whileFilling(table, () => fillSearch(db, resource))
}

/** What the text of the search tables depends on. Raise the number when `searchText` writes the same fields differently. */
const definitionOf = ({ search, searchMore = [], fragments = [] }: Resource): string =>
  JSON.stringify({ text: 1, search, searchMore, fragments })

/** The kinds whose search tables were filled by another definition, or are new. */
const outdated = (db: Database, kinds: readonly Resource[]): Resource[] =>
  searchedKinds(kinds).filter((kind) => findPosition(db, definitionRow(kind.table)) !== definitionOf(kind))

export const isSearchCurrent = (db: Database, kinds: readonly Resource[]): boolean =>
  outdated(db, kinds).length === 0

/** Fills the search tables that are outdated, and stores by which definition they were filled. */
export const updateSearch = (db: Database, kinds: readonly Resource[]): void =>
  db
    .transaction(() => {
      for (const kind of outdated(db, kinds)) {
        reindex(db, kind)
        storePosition(db, definitionRow(kind.table), definitionOf(kind))
      }
    })
    .immediate()

function fillSearch(db: Database, resource: Resource): number {
  let count = 0
  for (const texts of textsOf(db, resource)) {
    writeText(db, resource.table, texts)
    mergeFilled(db, resource)
    count += texts.length
  }
  return count
}

/** Merges the segments of a batch. */
export function mergeFilled(db: Database, { table }: Resource): void {
  for (const name of searchTables(table)) db.engine.search.merge(name, pagesPerBatch)
}

/** The search text of every record of a kind, in batches. */
function* textsOf(db: Database, resource: Resource): Generator<RecordText[]> {
  const rows = db.query<{ seq: number }, [number, number]>(
    `SELECT seq, ${searchColumns(resource)} FROM ${resource.table} WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  for (let last = 0; ;) {
    const some = rows.all(last, batch)
    if (some.length === 0) return
    yield some.map((row) => ({ seq: row.seq, ...searchText(resource, row) }))
    last = some.at(-1)?.seq ?? last
  }
}

/** The columns that the search text of a record is computed from, under the names of their fields. */
export const searchColumns = (resource: Resource): string =>
  textFields(resource)
    .map((name) => `${searchedColumn(name)} AS "${name}"`)
    .join(", ")

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
  const differing = new Set(rows).difference(new Set(valuesOf<number>(db, waiting)))
  const record = db.query<{ id: string }, [number]>(`SELECT id FROM ${table} WHERE seq = ?`)
  const problems = [...differing]
    .toSorted((a, b) => a - b)
    .flatMap((seq) => record.get(seq) ?? [])
    .map(({ id }) => `The search index is out of date for the ${noun} ${id}.`)
  const countOf = (from: string, row: string): number =>
    valueOf(db, `SELECT count(*) FROM ${from} WHERE ${row} NOT IN (${waiting})`) ?? 0
  const count = countOf(table, "seq")
  for (const name of searchTables(table)) {
    const known = countOf(name, "rowid")
    if (known !== count) problems.push(`The search index has ${known} ${noun} rows; the table has ${count}.`)
  }
  return problems
}
