import type { Database } from "../../core/engine/engine"
import { isOfPrefix, listOf, limited, valueOf, valuesOf } from "../../core/engine/sql"
import { steadyMillis } from "../../core/lib/clock"
import type { Resource } from "../../core/kind/define"
import { lower } from "../../core/lib/text"
import { learnedFields, searchedColumn } from "../../core/search/search"
import { newestMatches } from "../../core/store/pages/finds"
import type { Candidate, SearchKind } from "./model"

/**
 * The statements of a kind. Their texts are made once, because to make a text and to look up its statement takes as long
 * as to find a row.
 */
type Statements = ReturnType<typeof statementsFor>
const known = new WeakMap<SearchKind, Statements>()

function statementsOf(kind: SearchKind): Statements {
  let statements = known.get(kind)
  if (!statements) known.set(kind, (statements = statementsFor(kind)))
  return statements
}

function statementsFor({ code, title, keys, amounts, resource }: SearchKind) {
  const { search, searchMore = [], found, table } = resource
  const others = search.filter((name) => name !== found?.code && name !== found?.title)
  const more = [...others, ...searchMore].map((name) => `coalesce(${searchedColumn(name)}, '')`)
  const select = `SELECT seq, id, ${code.column} AS code, ${title.column} AS title, ${more.join(" || ' ' || ") || "''"} AS more
    FROM ${table}`
  const byStart = (column: string) =>
    `${select} WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} ${limited}`
  return {
    select,
    byCode: `${select} WHERE ${code.key} = ?`,
    byCodes: `${select} WHERE ${code.key} IN ${listOf("?")}`,
    byKeys: keys.map((key) => `${select} WHERE ${key} = ?`),
    // The condition is the same as that of the index, so that the index is used.
    byAmounts: amounts.map(
      ({ column, when }) =>
        `${select} WHERE ${column} = ?${when ? ` AND ${when}` : ""} ORDER BY seq DESC ${limited}`,
    ),
    byCodeStart: byStart(code.key),
    byTitle: title.sort === "" ? null : byStart(title.sort),
    newest: `SELECT max(seq) FROM ${table}`,
  }
}

export function findByCode(db: Database, kind: SearchKind, codes: readonly string[]): Candidate[] {
  const { byCode, byCodes } = statementsOf(kind)
  const [code = ""] = codes
  return codes.length === 1
    ? db.query<Candidate, [string]>(byCode).all(code)
    : db.query<Candidate, [string]>(byCodes).all(JSON.stringify(codes))
}

/** Finds the row that has exactly this text as one of its other codes. It is as good a hit as one by the code. */
export const findByKeys = (db: Database, kind: SearchKind, typed: string): Candidate[] =>
  statementsOf(kind).byKeys.flatMap((sql) =>
    db
      .query<Candidate, [string]>(sql)
      .all(lower(typed))
      .map((row) => ({ ...row, score: 1 })),
  )

/** The queries of `findByAmount`, one for each of the kind's amounts. */
export const amountQueries = (kind: SearchKind): readonly string[] => statementsOf(kind).byAmounts

/** Finds the newest rows with an amount, at most `limit` for each amount of the kind, by the indexes of their columns. */
export const findByAmount = (db: Database, kind: SearchKind, units: number, limit: number): Candidate[][] =>
  kind.amounts.map(({ score }, i) =>
    db
      .query<Candidate, [number, number]>(amountQueries(kind)[i] ?? "")
      .all(units, limit)
      .map((row) => ({ ...row, score })),
  )

/** Finds at most `limit` rows whose code begins with `start`, by its index. */
export const findByCodeStart = (db: Database, kind: SearchKind, start: string, limit: number): Candidate[] =>
  findByStart(db, statementsOf(kind).byCodeStart, start, limit)

/** Finds the rows whose title begins with `start`, by the index that sorts them. */
export function findByTitle(db: Database, kind: SearchKind, start: string, limit: number): Candidate[] {
  const { byTitle } = statementsOf(kind)
  return byTitle === null ? [] : findByStart(db, byTitle, start, limit)
}

const findByStart = (db: Database, sql: string, start: string, limit: number): Candidate[] =>
  db.query<Candidate, [string, string, number]>(sql).all(start, `${start}\u{10ffff}`, limit)

/** Returns the number of the newest row of a kind; 0 without rows. */
export const lastRow = (db: Database, kind: SearchKind): number => valueOf(db, statementsOf(kind).newest) ?? 0

/** The rows to search, up to `last`, and how many of them are enough. */
type Among = { last: number; limit: number }

/** Yields the rows that it finds, one slice of the table at a time, and returns their number. */
type Finding = Generator<Candidate[], number>

/** Finds at most `limit` rows by whole words or word prefixes, newest first and unranked. */
export const findByWords = (db: Database, kind: SearchKind, among: Among, match: string): Finding =>
  findByMatch(db, kind, `${kind.resource.table}_words`, among, match)

/** Finds at most `limit` rows that contain text anywhere, also inside words, newest first and unranked. */
export const findByText = (db: Database, kind: SearchKind, among: Among, match: string): Finding =>
  findByMatch(db, kind, `${kind.resource.table}_search`, among, match)

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
function* findByMatch(
  db: Database,
  kind: SearchKind,
  table: string,
  { last, limit }: Among,
  match: string,
): Finding {
  const { select } = statementsOf(kind)
  const { sql, values, isSliced } = newestMatches(db, table, match)
  const rows = db.query<Candidate, (string | number)[]>(`${select} WHERE seq IN (${sql})`)
  let found = 0
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
