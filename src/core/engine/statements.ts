import type { Database, Statement, Value } from "./engine"

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
  return (sql) => {
    const statement = cached.get(sql) ?? db.prepare(sql)
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
