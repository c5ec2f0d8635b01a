import type { Database, Statement } from "bun:sqlite"

/** `LIMIT` with a parameter. A bare one is looked at by the planner, and SQLite prepares the statement anew each time. */
export const limited = "LIMIT ? + 0"

/**
 * Prepared statements for composed SQL, the least recently used given back. They are as many as there are filters, and
 * would push out those that `db.query` keeps.
 */
export function statementCache(db: Database, limit = 200): (sql: string) => Statement {
  const kept = new Map<string, Statement>()
  let latest: { sql: string; statement: Statement } | null = null
  return (sql) => {
    if (latest?.sql === sql) return latest.statement
    const statement = kept.get(sql) ?? db.prepare(sql)
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > limit) {
      const [oldest, unused] = kept.entries().next().value ?? []
      if (oldest !== undefined) kept.delete(oldest)
      unused?.finalize()
    }
    latest = { sql, statement }
    return statement
  }
}
