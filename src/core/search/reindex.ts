import type { Database } from "../engine/engine"
import { emptySearchTable, mergeSegments, searchTables, writeText } from "./search-tables"
import { withSearchIndexesLater } from "./search-indexes"
import { deleteWaitingOf } from "../write/search-waiting"
import { columnOf, type Resource } from "../kind/define"
import { searchText, textFields } from "./search"

/** The number of records that are read at a time, to limit the memory. */
const batch = 1_000
/** The number of pages that are merged after each batch. It is enough to merge all segments in time. */
const pagesPerBatch = 1_000

/** Returns the kinds that have search tables. */
export const searchedKinds = (kinds: readonly Resource[]): Resource[] =>
  kinds.filter(({ search }) => search.length > 0)

/**
 * Empties the search tables of a kind, even if they are damaged, and fills them from its records. Their settings stay.
 * Returns the number of records. The caller opens the transaction.
 */
export function reindex(db: Database, resource: Resource): number {
  for (const name of searchTables(resource.table)) emptySearchTable(db, name)
  deleteWaitingOf(db, resource.table)
  const { table } = resource
  return withSearchIndexesLater(db, table, () =>
    fillSearch(db, resource, table, () => mergeFilled(db, resource)),
  )
}

/** Merges the segments of a batch. */
export function mergeFilled(db: Database, { table }: Resource): void {
  for (const name of searchTables(table)) mergeSegments(db, name, pagesPerBatch)
}

/**
 * Adds every record of a kind to the search tables `<into>_search` and `<into>_words`. Returns the number of records.
 */
export function fillSearch(db: Database, resource: Resource, into: string, afterBatch = () => {}): number {
  const rows = db.query<{ seq: number }, [number, number]>(
    `SELECT seq, ${searchColumns(resource)} FROM ${resource.table} WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  let count = 0
  for (let last = 0; ;) {
    const some = rows.all(last, batch)
    if (some.length === 0) return count
    writeText(
      db,
      into,
      some.map((row) => ({ seq: row.seq, ...searchText(resource, row) })),
    )
    afterBatch()
    count += some.length
    last = some.at(-1)?.seq ?? last
  }
}

/** The columns that the search text of a record is computed from, under the names of their fields. */
export const searchColumns = (resource: Resource): string =>
  textFields(resource)
    .map((name) => `${columnOf(name)} AS "${name}"`)
    .join(", ")
