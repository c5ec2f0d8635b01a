import webhookOwners from "./migrations/18-webhook-owners.sql" with { type: "text" }

/** The migration from one version to the next on PostgreSQL. */
export type PostgresStep = { sql: string }

/**
 * postgresSteps[N - 18] migrates to version N. Each new step of SQLite (`releasedSteps` in ../schema/migrations) needs one
 * here with the same effect, as SQL text or as a separate file; `{ sql: "" }` if PostgreSQL needs nothing. Only append. A
 * step runs in the transaction that sets the new version. There is no need to rebuild a table: ALTER TABLE can change
 * everything, and DDL is rolled back with the transaction.
 */
export const postgresSteps: readonly PostgresStep[] = [{ sql: webhookOwners }]
