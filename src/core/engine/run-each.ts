import { postgresOf, type Database, type Value } from "./engine"

/**
 * Runs a statement that writes once for each list of values. PostgreSQL gets all of them in one message, because waiting
 * for each answer takes longer than the write.
 */
export function runEach(db: Database, sql: string, lists: readonly Value[][]): void {
  const postgres = postgresOf(db)
  if (postgres) return postgres.query<void, Value[]>(sql).runEach(lists)
  const statement = db.query<void, Value[]>(sql)
  for (const values of lists) statement.run(...values)
}
