import type { Database } from "../../core/engine/engine"
import { isOfPrefix, listOf, limited, valueOf, valuesOf } from "../../core/engine/sql"
import { steadyMillis } from "../../core/lib/clock"
import type { Resource } from "../../core/kind/define"
import { lower } from "../../core/lib/text"
import { learnedFields, searchedColumn } from "../../core/search/search"
import { newestMatches } from "../../core/store/pages/finds"
import type { AmountColumn, Candidate, SearchKind } from "./model"

const selectOf = ({ code, title, resource }: SearchKind) => {
  const { search, searchMore = [], found } = resource
  const others = search.filter((name) => name !== found?.code && name !== found?.title)
  const more = [...others, ...searchMore].map((name) => `coalesce(${searchedColumn(name)}, '')`)
  return `SELECT seq, id, ${code.column} AS code, ${title.column} AS title, ${more.join(" || ' ' || ") || "''"} AS more
    FROM ${resource.table}`
}

export function findByCode(db: Database, kind: SearchKind, codes: readonly string[]): Candidate[] {
  return db
    .query<Candidate, [string]>(`${selectOf(kind)} WHERE ${kind.code.key} IN ${listOf("?")}`)
    .all(JSON.stringify(codes))
}

/** Finds the row that has exactly this text as one of its other codes. It is as good a hit as one by the code. */
export const findByKeys = (db: Database, kind: SearchKind, typed: string): Candidate[] =>
  kind.keys.flatMap((key) =>
    db
      .query<Candidate, [string]>(`${selectOf(kind)} WHERE ${key} = ?`)
      .all(lower(typed))
      .map((row) => ({ ...row, score: 1 })),
  )

/** The query of `findByAmount`. Its condition is the same as that of the index, so that the index is used. */
export const amountQuery = (kind: SearchKind, { column, when }: AmountColumn): string =>
  `${selectOf(kind)} WHERE ${column} = ?${when ? ` AND ${when}` : ""} ORDER BY seq DESC ${limited}`

/** Finds the newest rows with an amount, at most `limit`, by the index of its column. */
export function findByAmount(
  db: Database,
  kind: SearchKind,
  amount: AmountColumn,
  units: number,
  limit: number,
): Candidate[] {
  const rows = db.query<Candidate, [number, number]>(amountQuery(kind, amount)).all(units, limit)
  return rows.map((row) => ({ ...row, score: amount.score }))
}

/** Finds at most `limit` rows whose code begins with `start`, by its index. */
export const findByCodeStart = (db: Database, kind: SearchKind, start: string, limit: number): Candidate[] =>
  findByStart(db, kind, kind.code.key, start, limit)

/** Finds the rows whose title begins with `start`, by the index that sorts them. */
export const findByTitle = (db: Database, kind: SearchKind, start: string, limit: number): Candidate[] =>
  kind.title.sort === "" ? [] : findByStart(db, kind, kind.title.sort, start, limit)

function findByStart(
  db: Database,
  kind: SearchKind,
  column: string,
  start: string,
  limit: number,
): Candidate[] {
  return db
    .query<Candidate, [string, string, number]>(
      `${selectOf(kind)} WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} ${limited}`,
    )
    .all(start, `${start}\u{10ffff}`, limit)
}

/** Yields the rows that it finds, one slice of the table at a time, and returns their number. */
type Finding = Generator<Candidate[], number>

/** Finds at most `limit` rows by whole words or word prefixes, newest first and unranked. */
export const findByWords = (db: Database, kind: SearchKind, match: string, limit: number): Finding =>
  findByMatch(db, kind, `${kind.resource.table}_words`, match, limit)

/** Finds at most `limit` rows that contain text anywhere, also inside words, newest first and unranked. */
export const findByText = (db: Database, kind: SearchKind, match: string, limit: number): Finding =>
  findByMatch(db, kind, `${kind.resource.table}_search`, match, limit)

const firstSize = 20_000
const growth = 4
/** In milliseconds: the time of a slice after which a larger one follows, and the time after which a smaller one does. */
const [fast, slow] = [5, 20]

type Slice = { size: number; took: number }

/**
 * Returns the size of the next slice. When a larger slice took about as long as the one before, most of the time does not
 * depend on the size, so that small slices would make the whole search take many times as long. The second slice is larger
 * to find that out.
 */
export function nextSliceSize(before: Slice | null, { size, took }: Slice): number {
  const isFixed = before === null || (size > before.size && took < before.took * 1.5)
  if (took < fast || isFixed) return size * growth
  return took > slow ? Math.max(firstSize, size / growth) : size
}

/** Words that are in many rows but never in the same row need a full scan, so other requests run between the slices. */
function* findByMatch(db: Database, kind: SearchKind, table: string, match: string, limit: number): Finding {
  const { sql, values, isSliced } = newestMatches(db, table, match)
  const rows = db.query<Candidate, (string | number)[]>(`${selectOf(kind)} WHERE seq IN (${sql})`)
  let found = 0
  const last = lastRow(db, kind)
  let size = isSliced ? firstSize : last
  let before: Slice | null = null
  for (let high = last; high > 0 && found < limit;) {
    const began = steadyMillis()
    const some = rows.all(...values, high - size + 1, high, limit - found)
    const slice = { size, took: steadyMillis() - began }
    found += some.length
    yield some
    high -= size
    size = nextSliceSize(before, slice)
    before = slice
  }
  return found
}

const lastRow = (db: Database, { resource }: SearchKind): number =>
  valueOf(db, `SELECT max(seq) FROM ${resource.table}`) ?? 0

/** Finds the series with a prefix: one per year. A number such as 42 may be in any of them. */
export const findSeriesNames = (db: Database, prefix: string): string[] =>
  valuesOf(db, `SELECT name FROM number_series WHERE name = ?1 OR ${isOfPrefix("name", "?1")}`, prefix)

/** Returns the SQL of the text of a row that the vocabulary learns. */
const learnedText = (resource: Resource): string =>
  learnedFields(resource)
    .map((name) => `coalesce(${searchedColumn(name)}, '')`)
    .join(" || ' ' || ")

/** Returns the texts of the next rows of a kind after a row. */
export const findTextsAfter = (
  db: Database,
  { resource }: SearchKind,
  seq: number,
  most: number,
): { seq: number; text: string }[] =>
  db
    .query<{ seq: number; text: string }, [number, number]>(
      `SELECT seq, ${learnedText(resource)} AS text FROM ${resource.table} WHERE seq > ? ORDER BY seq ${limited}`,
    )
    .all(seq, most)

export const findTextsOf = (db: Database, { resource }: SearchKind, ids: readonly string[]): string[] =>
  valuesOf(
    db,
    `SELECT ${learnedText(resource)} FROM ${resource.table} WHERE id IN ${listOf("?")}`,
    JSON.stringify(ids),
  )

/** Returns the numbers of the oldest and the newest event; 0 without events. */
export function findEventEnds(db: Database): { oldest: number; newest: number } {
  const ends = db.query<{ oldest: number | null; newest: number | null }, []>(
    "SELECT min(seq) AS oldest, max(seq) AS newest FROM events",
  )
  const { oldest, newest } = ends.get() ?? {}
  return { oldest: oldest ?? 0, newest: newest ?? 0 }
}

/** An event that says that the text of a record may have changed. */
export type TextChange = { seq: number; type: string; record: string }

/** Returns the first events of some types after a number. */
export const findTextChanges = (
  db: Database,
  after: number,
  types: readonly string[],
  most: number,
): TextChange[] =>
  db
    .query<TextChange, [number, string, number]>(
      `SELECT seq, type, record_id AS record FROM events
       WHERE seq > ? AND type IN ${listOf("?")} ORDER BY seq ${limited}`,
    )
    .all(after, JSON.stringify(types), most)
