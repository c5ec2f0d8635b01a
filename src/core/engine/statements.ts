import type { Database, Statement } from "./engine"

/**
 * `LIMIT` with a parameter. `+ 0` hides the parameter from the query planner. Otherwise SQLite would prepare the
 * statement again for each value.
 */
export const limited = "LIMIT ? + 0"

export type Prepared = (sql: string) => Statement

/**
 * A cache of prepared statements for composed SQL. It finalizes the least recently used statement first. It is separate
 * from the cache of `db.query`, because the many combinations of filters would evict the other statements there.
 */
export function statementCache(db: Database, limit = 200): Prepared {
  const cached = new Map<string, Statement>()
  // The same statement again, such as that of one record, needs no new place in the map.
  let latest: { sql: string; statement: Statement } | null = null
  return (sql) => {
    if (latest?.sql === sql) return latest.statement
    const statement = cached.get(sql) ?? db.prepare(sql)
    latest = { sql, statement }
    cached.delete(sql)
    cached.set(sql, statement)
    if (cached.size > limit) {
      const [oldest, unused] = cached.entries().next().value ?? []
      if (oldest !== undefined) cached.delete(oldest)
      unused?.finalize()
    }
    return statement
  }
}
