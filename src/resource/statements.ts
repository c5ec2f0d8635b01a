import type { Database, Statement } from "bun:sqlite"

/** `LIMIT` with a parameter. The planner looks at a bare one, so SQLite would prepare the statement again each time. */
export const limited = "LIMIT ? + 0"

/** The prepared statement of a text of SQL. */
export type Prepared = (sql: string) => Statement

/**
 * Prepared statements for composed SQL; the one that was used least recently is finalized first. There can be as many as
 * there are combinations of filters, which would push out the statements that `db.query` keeps.
 */
export function statementCache(db: Database, limit = 200): Prepared {
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
