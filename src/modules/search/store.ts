import type { Database } from "bun:sqlite"
import type { Candidate, SearchKind } from "./model"

const selectOf = ({ code, title, resource }: SearchKind) => {
  const more = (resource.searchMore ?? []).map(
    (name) => `coalesce(${name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}, '')`,
  )
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

/** Rows whose name begins so, by the index that sorts them: never more than `limit`. */
export function findByTitle(db: Database, kind: SearchKind, start: string, limit: number): Candidate[] {
  if (kind.title.sort === "") return []
  return db
    .query<Candidate, [string, string, number]>(
      `${selectOf(kind)} WHERE ${kind.title.sort} >= ? AND ${kind.title.sort} < ? ORDER BY ${kind.title.sort} LIMIT ?`,
    )
    .all(start, `${start}\u{10ffff}`, limit)
}

/** Rows that an FTS5 query finds, newest first and unranked: its cost is bounded by `limit`, not by what matches. */
export function findByWords(db: Database, kind: SearchKind, match: string, limit: number): Candidate[] {
  const { table } = kind.resource
  return db
    .query<Candidate, [string, number]>(
      `${selectOf(kind)} WHERE seq IN (
         SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH ? ORDER BY rowid DESC LIMIT ?)`,
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

/** The names of a kind after a row, for whoever reads them all in small steps. */
export function findTitlesAfter(
  db: Database,
  kind: SearchKind,
  seq: number,
  limit: number,
): { seq: number; title: string }[] {
  return db
    .query<{ seq: number; title: string }, [number, number]>(
      `SELECT seq, ${kind.title.column} AS title FROM ${kind.resource.table} WHERE seq > ? ORDER BY seq LIMIT ?`,
    )
    .all(seq, limit)
}
