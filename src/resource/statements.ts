import type { Database, Statement } from "bun:sqlite"

/**
 * `LIMIT` with a parameter. The planner reads a bare parameter, so SQLite would prepare the statement again each time.
 */
export const limited = "LIMIT ? + 0"

/** Returns the prepared statement for a text of SQL. */
export type Prepared = (sql: string) => Statement

/**
 * A cache of prepared statements for composed SQL. It finalizes the least recently used statement first. There can be
 * as many statements as combinations of filters, which would evict the statements that `db.query` caches.
 */
export function statementCache(db: Database, limit = 200): Prepared {
  const kept = new Map<string, Statement>()
  return (sql) => {
    const statement = kept.get(sql) ?? db.prepare(sql)
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > limit) {
      const [oldest, unused] = kept.entries().next().value ?? []
      if (oldest !== undefined) kept.delete(oldest)
      unused?.finalize()
    }
    return statement
  }
}
