import type { Database } from "bun:sqlite"
import { columnOf } from "../../resource/define"
import { learnedFields } from "../../resource/search"
import { limited } from "../../resource/statements"
import type { Candidate, SearchKind } from "./model"

const selectOf = ({ code, title, resource }: SearchKind) => {
  const more = (resource.searchMore ?? []).map((name) => `coalesce(${columnOf(name)}, '')`)
  return `SELECT seq, id, ${code.column} AS code, ${title.column} AS title, ${more.join(" || ' ' || ") || "''"} AS more
    FROM ${resource.table}`
}

/** The rows with this code or number. */
export function findByCode(db: Database, kind: SearchKind, codes: readonly string[]): Candidate[] {
  return db
    .query<Candidate, [string]>(
      `${selectOf(kind)} WHERE ${kind.code.key} IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(codes))
}

/** Rows whose code begins so, by its index: never more than `limit`. */
export const findByCodeStart = (db: Database, kind: SearchKind, start: string, limit: number): Candidate[] =>
  findByStart(db, kind, kind.code.key, start, limit)

/** Rows whose name begins so, by the index that sorts them. */
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

/** Rows with words that begin so, newest first and unranked: the cost is bounded by `limit`, not by what matches. */
export const findByWords = (db: Database, kind: SearchKind, match: string, limit: number): Candidate[] =>
  findByMatch(db, kind, `${kind.resource.table}_words`, match, limit)

/** Rows with text that stands anywhere inside, likewise. */
export const findByText = (db: Database, kind: SearchKind, match: string, limit: number): Candidate[] =>
  findByMatch(db, kind, `${kind.resource.table}_search`, match, limit)

function findByMatch(
  db: Database,
  kind: SearchKind,
  table: string,
  match: string,
  limit: number,
): Candidate[] {
  return db
    .query<Candidate, [string, number]>(
      `${selectOf(kind)} WHERE seq IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC ${limited})`,
    )
    .all(match, limit)
}

/** The numbers that a bare 42 may mean: one for each year of the series. */
export function findBySeries(db: Database, prefix: string): string[] {
  return db
    .query<{ name: string }, [string]>(
      "SELECT name FROM number_series WHERE name = ?1 OR name GLOB ?1 || '-*'",
    )
    .all(prefix)
    .map(({ name }) => name)
}

/** The words of the next row of a kind after a row, for whoever reads them all one by one. */
export function findTextAfter(
  db: Database,
  { resource }: SearchKind,
  seq: number,
): { seq: number; text: string } | null {
  const columns = learnedFields(resource).map((name) => `coalesce(${columnOf(name)}, '')`)
  return db
    .query<{ seq: number; text: string }, [number]>(
      `SELECT seq, ${columns.join(" || ' ' || ")} AS text FROM ${resource.table} WHERE seq > ? ORDER BY seq LIMIT 1`,
    )
    .get(seq)
}
