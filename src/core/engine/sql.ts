import type { Database, Statement, Value } from "./engine"

// SQL for values that a statement gets as one JSON text. Only these functions know how an engine reads JSON.

/** The texts of a JSON array: `id IN ${listOf("?")}`. */
export const listOf = (json: string): string => `(SELECT value FROM ${rowsOf(json)})`

/** The integers of a JSON array: `seq IN ${integersOf("?")}`. */
export const integersOf = (json: string): string => `(SELECT CAST(value AS BIGINT) FROM ${rowsOf(json)})`

/** A JSON array as a table with the columns `key`, from 0 on, and `value`. */
export const rowsOf = (json: string): string => `json_each(${json})`

/** The text of a member of a JSON object. */
export const textIn = (json: string, name: string): string => `${json} ->> '${name}'`

/** The integer of a member of a JSON object. */
export const integerIn = (json: string, name: string): string => `CAST(${textIn(json, name)} AS BIGINT)`

/** 1 if a member of a JSON object is true, else 0. SQLite reads it as a number, other engines as a text. */
export const isTrueIn = (json: string, name: string): string =>
  `CASE WHEN CAST(${textIn(json, name)} AS TEXT) IN ('1', 'true') THEN 1 ELSE 0 END`

/** True when the name of a series begins with a prefix and a hyphen. The period is the character after the hyphen. */
export const isOfPrefix = (name: string, prefix: string): string =>
  `(${name} >= ${prefix} || '-' AND ${name} < ${prefix} || '.')`

/**
 * `LIMIT` with a parameter. `+ 0` hides the parameter from the query planner. Otherwise SQLite would prepare the
 * statement again for each value.
 */
export const limited = "LIMIT ? + 0"

const mostCached = 200

export type Prepared = (sql: string) => Statement

/**
 * A cache of prepared statements for composed SQL. It finalizes the least recently used statement first. It is separate
 * from the cache of `db.query`, because the many combinations of filters would evict the other statements there.
 */
export function statementCache(db: Database): Prepared {
  const cached = new Map<string, Statement>()
  // The same statement again, such as that of one record, needs no new place in the map.
  let latest: { sql: string; statement: Statement } | null = null
  return (sql) => {
    if (latest?.sql === sql) return latest.statement
    const statement = cached.get(sql) ?? db.prepare(sql)
    latest = { sql, statement }
    cached.delete(sql)
    cached.set(sql, statement)
    if (cached.size > mostCached) {
      const [oldest, unused] = cached.entries().next().value ?? []
      if (oldest !== undefined) cached.delete(oldest)
      unused?.finalize()
    }
    return statement
  }
}

type Queries = Pick<Database, "query">

/** Returns the first column of the rows that a query finds. */
export const valuesOf = <T>(db: Queries, sql: string, ...given: Value[]): T[] =>
  db
    .query<Record<string, T>, Value[]>(sql)
    .all(...given)
    .flatMap((row) => Object.values(row).slice(0, 1))

/** Returns the first column of the row that a query finds; null if it finds none. */
export function valueOf<T>(db: Queries, sql: string, ...given: Value[]): T | null {
  const row = db.query<Record<string, T>, Value[]>(sql).get(...given)
  return (row && Object.values(row)[0]) ?? null
}
