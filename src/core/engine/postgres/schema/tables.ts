import { Unusable } from "../../../lib/unusable"
import type { MigrateOptions, Recipe, Schema } from "../../engine"
import { differences } from "../../schema/differences"
import type { PostgresDatabase } from "../driver/database"
import { objectsAndOurs } from "./catalog"
import { translatedSchema, translatedStep } from "./translate"

/** The key of the lock of a process that changes the schema. */
const schemaLock = 0x4b4e5452

export const postgresTables = (db: PostgresDatabase): Schema => ({
  hasTable: (name) => hasTable(db, name),
  isEmpty: () => isEmpty(db),
  version: () => versionOf(db),
  migrate: (recipe, options) => migratePostgres(db, recipe, options),
  faults() {
    const { found, ours } = objectsAndOurs(db)
    return differences(found, ours)
  },
  // PostgreSQL checks its pages and references itself.
  damage: () => [],
})

const hasTable = (db: PostgresDatabase, name: string): boolean =>
  db.query<{ n: number }, [string]>("SELECT to_regclass(?) IS NOT NULL AS n").get(name)?.n === 1

export const hasOurTables = (db: PostgresDatabase): boolean => hasTable(db, "kontor_schema")

/** True if the schema that new tables are created in has no tables. */
export const isEmpty = (db: PostgresDatabase): boolean =>
  db
    .query<{ n: number }, []>(
      "SELECT count(*) AS n FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')",
    )
    .get()?.n === 0

function versionOf(db: PostgresDatabase): number {
  if (!hasOurTables(db)) return 0
  return db.query<{ version: number }, []>("SELECT version FROM kontor_schema").get()?.version ?? 0
}

/** Another process that does the same waits until the transaction has ended. */
function migratePostgres(
  db: PostgresDatabase,
  recipe: Recipe,
  options: MigrateOptions,
): { from: number; to: number } {
  const { schema, first = 1, steps } = recipe
  const to = first + steps.length
  // Only the empty database and an older one are changed; a server that starts again takes no lock.
  if (versionOf(db) === to) return { from: to, to }
  return db.transaction(() => {
    db.run(`SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${schemaLock})`)
    const from = versionOf(db)
    if (from > 0) runSteps(db, from, recipe, options)
    else {
      if (!isEmpty(db)) throw new Unusable(`${db.filename} has tables of another program.`)
      db.run(translatedSchema(schema))
      db.run("INSERT INTO kontor_schema (id, application, version) VALUES (1, 'kontor', 1)")
      if (options.onCreate) db.run(options.onCreate)
    }
    db.run(`UPDATE kontor_schema SET version = ${to}`)
    return { from, to }
  })()
}

/**
 * There is no need to rebuild a table: ALTER TABLE can change everything, and DDL is rolled back with the transaction.
 * Search is rebuilt after the last step, because the current definitions of the kinds are used.
 */
function runSteps(db: PostgresDatabase, from: number, recipe: Recipe, { reindex }: MigrateOptions): void {
  const { first = 1, steps } = recipe
  const missing = steps.slice(from - first)
  missing.forEach(({ sql, postgres }, i) => {
    const text = postgres ?? translatedStep(sql, `migrations.sql, version ${from + 1 + i}`)
    if (text.trim() !== "") db.run(text)
  })
  for (const kind of new Set(missing.flatMap((step) => step.reindex ?? []))) {
    if (!reindex)
      throw new Error(`the search tables of ${kind} must be rebuilt, but no reindex function was passed`)
    reindex(kind)
  }
}
