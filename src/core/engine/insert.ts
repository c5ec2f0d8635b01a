import { postgresOf, type Database, type Statement, type Value } from "./engine"
import { PostgresError, uniqueViolation } from "./postgres/driver/errors"

/** Columns of a new row to return, and the query that reads them by its number; both are empty if there are none. */
export type Returned = { columns: string; query: string }

type Inserted = Record<string, unknown> & { seq: number }

/** Inserts one row with the values of a statement, and returns its number and further columns. */
export type Insert = (sql: string, values: Value[], returned: Returned) => Inserted

type Prepared = (sql: string) => Statement

export const insertOf = (db: Database, prepared: Prepared): Insert =>
  postgresOf(db) ? insertInPostgres(prepared) : insertInSqlite(prepared)

/** RETURNING takes longer than a query of its own. */
const insertInSqlite =
  (prepared: Prepared): Insert =>
  (sql, values, { query }) => {
    const seq = Number(prepared(sql).run(...values).lastInsertRowid)
    if (query === "") return { seq }
    const row = prepared(query).get(seq) as Inserted
    row.seq = seq
    return row
  }

/**
 * An error would end the transaction, so that nothing could be read to explain it. So a value that another row has is no
 * error of the statement, which then returns no row.
 */
const insertInPostgres =
  (prepared: Prepared): Insert =>
  (sql, values, { columns }) => {
    const all = columns === "" ? "seq" : `seq, ${columns}`
    const row = prepared(`${sql} ON CONFLICT DO NOTHING RETURNING ${all}`).get(...values)
    if (row === null) throw new PostgresError(uniqueViolation, "Another row has a value that is unique.")
    return row as Inserted
  }
