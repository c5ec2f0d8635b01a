import type { Database } from "../engine/engine"
import { storedText } from "./search-tables"
import type { Resource } from "../kind/define"
import { searchColumns } from "./reindex"
import { searchText } from "./search"

const batch = 1_000

type Stored = ReturnType<typeof storedText>
type Found = { [K in keyof Stored as `stored_${K}`]: string | null }

/**
 * Returns the numbers of the rows whose text in the search tables differs. PostgreSQL stores the text itself, so it is
 * compared row by row.
 */
export function differingInPostgres(db: Database, resource: Resource): number[] {
  const { table } = resource
  const rows = db.query<Found & { seq: number }, [number, number]>(
    `SELECT record.*, s.words AS stored_text, s.fragments AS stored_fragments, w.words AS stored_words, w.more AS stored_more
     FROM (SELECT seq, ${searchColumns(resource)} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?) AS record
     LEFT JOIN ${table}_search AS s ON s.rowid = record.seq LEFT JOIN ${table}_words AS w ON w.rowid = record.seq
     ORDER BY record.seq`,
  )
  const differing: number[] = []
  for (let last = 0; ;) {
    const some = rows.all(last, batch)
    if (some.length === 0) return differing
    for (const row of some)
      if (!isUpToDate(row, storedText(searchText(resource, row)))) differing.push(row.seq)
    last = some.at(-1)?.seq ?? last
  }
}

const isUpToDate = (found: Found, { text, fragments, words, more }: Stored): boolean =>
  found.stored_text === text &&
  found.stored_fragments === fragments &&
  found.stored_words === words &&
  found.stored_more === more
