import { firstVersion } from "../schema/migrations"
import webhookOwners from "./migrations/18-webhook-owners.sql" with { type: "text" }
import schema from "./schema.sql" with { type: "text" }
import { Unusable } from "../../lib/unusable"

/** The migration from one version to the next on PostgreSQL. */
type PostgresStep = { sql: string }

/**
 * postgresSteps[N - 18] migrates to version N. Each new step of SQLite (`releasedSteps` in ../schema/migrations) needs one
 * here with the same effect, as SQL text or as a separate file; `{ sql: "" }` if PostgreSQL needs nothing. Only append. A
 * step runs in the transaction that sets the new version. There is no need to rebuild a table: ALTER TABLE can change
 * everything, and DDL is rolled back with the transaction.
 */
export const postgresSteps: readonly PostgresStep[] = [{ sql: webhookOwners }]

/** Runs SQL without parameters. It may be several statements. */
type Run = (sql: string) => void

export { schema as postgresSchema }

export const latestPostgresVersion = firstVersion + postgresSteps.length

/** The query of the version. It fails when the database has no table `kontor_schema`: then it is empty or not ours. */
export const postgresVersionQuery = "SELECT version FROM kontor_schema"

/** Counts the tables in the schema that new tables are created in. An empty database has none. */
export const postgresTableCountQuery =
  "SELECT count(*) AS n FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"

/** Creates everything in an empty database. The caller opens the transaction, so that nothing is left after an error. */
export function createSchema(run: Run): void {
  run(schema)
  run(`INSERT INTO kontor_schema (id, application, version) VALUES (1, 'kontor', ${latestPostgresVersion})`)
}

/** Migrates a database from an older version to the latest one. The caller opens the transaction. */
export function migrateSchema(
  run: Run,
  from: number,
  steps: readonly PostgresStep[] = postgresSteps,
): { from: number; to: number } {
  const to = firstVersion + steps.length
  if (from > to)
    throw new Unusable(
      `The database is at version ${from}; this Kontor supports up to version ${to}. Use a newer Kontor, or restore a backup.`,
    )
  if (from === to) return { from, to }
  for (const { sql } of steps.slice(from - firstVersion)) if (sql !== "") run(sql)
  run(`UPDATE kontor_schema SET version = ${to}`)
  return { from, to }
}
