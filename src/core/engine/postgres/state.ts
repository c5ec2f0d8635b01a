import { Unusable } from "../../lib/unusable"
import type { PostgresDatabase } from "./driver/database"
import {
  createSchema,
  latestPostgresVersion,
  migrateSchema,
  postgresTableCountQuery,
  postgresVersionQuery,
} from "./schema"

/** The key of the lock of a process that changes the schema. */
const schemaLock = 0x4b4e5452

export const hasOurTables = (db: PostgresDatabase): boolean =>
  db.query<{ n: number }, []>("SELECT to_regclass('kontor_schema') IS NOT NULL AS n").get()?.n === 1

/** True if the database has no tables. */
export const isEmpty = (db: PostgresDatabase): boolean =>
  db.query<{ n: number }, []>(postgresTableCountQuery).get()?.n === 0

/** The version of a database; 0 if it is empty. */
export const postgresVersionOf = (db: PostgresDatabase): number =>
  hasOurTables(db) ? (db.query<{ version: number }, []>(postgresVersionQuery).get()?.version ?? 0) : 0

/**
 * Creates or migrates the tables in one transaction. Another process that does the same waits until it has ended. A new
 * database also gets `onCreate`.
 */
export function migratePostgres(db: PostgresDatabase, onCreate = ""): { from: number; to: number } {
  // Only the empty database and an older one are changed; a server that starts again takes no lock.
  const found = postgresVersionOf(db)
  if (found === latestPostgresVersion) return { from: found, to: found }
  return db.transaction(() => {
    db.run(`SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${schemaLock})`)
    const from = postgresVersionOf(db)
    const run = (sql: string): void => void db.run(sql)
    if (from > 0) return migrateSchema(run, from)
    if (!isEmpty(db)) throw new Unusable(`${db.filename} has tables of another program.`)
    createSchema(run)
    if (onCreate !== "") run(onCreate)
    return { from: 0, to: latestPostgresVersion }
  })()
}
