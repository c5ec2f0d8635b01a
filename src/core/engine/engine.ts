import type { Database as Sqlite, SQLQueryBindings } from "bun:sqlite"
import { PostgresDatabase } from "./postgres/driver/database"

export type { Statement } from "bun:sqlite"

/** A value that a statement takes. */
export type Value = SQLQueryBindings

/**
 * A database as the stores use it, with the signatures of bun:sqlite. Its SQL is the part of SQLite's language that
 * PostgreSQL has too, or that its schema adds; what only one engine has stands in `core`.
 */
export type Database = Pick<Sqlite, "query" | "prepare" | "run" | "transaction" | "inTransaction" | "close">

/** PostgreSQL as the stores use it. The types differ only in what no store uses, such as `lastInsertRowid`. */
export const asDatabase = (db: PostgresDatabase): Database => db as unknown as Database

/** The database as PostgreSQL's, or null if it is SQLite's. Stores ask once, when they are created. */
export function postgresOf(db: Database): PostgresDatabase | null {
  const given: unknown = db
  return given instanceof PostgresDatabase ? given : null
}

/** True if several servers can use the database at the same time: those of PostgreSQL. */
export const isShared = (db: Database): boolean => postgresOf(db) !== null

/** True if `--db` is the address of a PostgreSQL database, and not the name of a file. */
export const isPostgresAddress = (file: string): boolean => /^postgres(ql)?:\/\//i.test(file)

/** The file or the address of a database for messages: without the password. */
export const shownName = (file: string): string =>
  isPostgresAddress(file)
    ? file.replace(/^(\w+:\/\/[^:@/?]*):.*@/, "$1@").replace(/([?&](?:ssl)?password=)[^&]*/gi, "$1…")
    : file

/** Runs reads in one transaction, which sees the database at one moment. In PostgreSQL it is rolled back. */
export function atOneMoment<T>(db: Database, work: () => T): T {
  if (!postgresOf(db)) return db.transaction(work)()
  db.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
  try {
    // The work may take long between two statements.
    db.run("SET LOCAL idle_in_transaction_session_timeout = 0")
    return work()
  } finally {
    db.run("ROLLBACK")
  }
}
