import { postgresOf, type Database, type Statement, type Value } from "./engine"
import { PostgresError, uniqueViolation } from "./postgres/errors"

/** Inserts one row with the values of a statement and returns its number. */
export type Insert = (sql: string, values: Value[]) => number

/**
 * Returns the way to insert a row. In PostgreSQL an error would end the transaction, so that nothing could be read to
 * explain it. So a value that another row has is no error of the statement, which then returns no row.
 */
export const insertOf = (db: Database, prepared: (sql: string) => Statement): Insert =>
  postgresOf(db)
    ? (sql, values) => {
        const row = prepared(`${sql} ON CONFLICT DO NOTHING RETURNING seq`).get(...values)
        if (row === null) throw new PostgresError(uniqueViolation, "Another row has a value that is unique.")
        return (row as { seq: number }).seq
      }
    : (sql, values) => Number(prepared(sql).run(...values).lastInsertRowid)
