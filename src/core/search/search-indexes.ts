import { postgresOf, type Database } from "../engine/engine"
import { searchTables } from "./search-tables"

/**
 * Fills search tables. PostgreSQL takes far less time to create their indexes afterwards than to update them for each
 * row. The caller opens the transaction.
 */
export function withSearchIndexesLater<T>(db: Database, table: string, fill: () => T): T {
  const postgres = postgresOf(db)
  if (!postgres) return fill()
  const indexes = postgres
    .query<{ name: string; definition: string }, [string, string]>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND tablename IN (?, ?) AND indexdef LIKE '%USING gin%'`,
    )
    .all(...searchTables(table))
  for (const { name } of indexes) postgres.run(`DROP INDEX ${name}`)
  const result = fill()
  for (const { definition } of indexes) postgres.run(definition)
  return result
}
