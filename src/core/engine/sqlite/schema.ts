import type { Database } from "bun:sqlite"
import { endTurn } from "../change-token"
import type { Migration, Recipe, Schema } from "../engine"
import { searchSchema, withoutSearch } from "../schema/search-tables"

/** `KNTR`: marks a file as a Kontor database. */
export const applicationId = 0x4b4e5452

/** The tables of a file. schema-check.ts compares them with ours. */
export const fileSchema = (db: Database): Omit<Schema, "faults"> => ({
  hasTable: (name) => hasTable(db, name),
  isEmpty: () => db.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() === null,
  version: () => versionOf(db),
  migrate: (recipe, onCreate) => migrateFile(db, recipe, onCreate),
  damage: () => damageOf(db),
})

const hasTable = (db: Database, name: string): boolean =>
  db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null

const versionOf = (db: Database): number =>
  pragma(db, "application_id") === applicationId ? pragma(db, "user_version") : 0

export function migrateFile(
  db: Database,
  { schema, searched = [], first = 1, steps: all }: Recipe,
  onCreate = "",
): { from: number; to: number } {
  const to = first + all.length
  const from = versionOf(db)
  if (from === to) return { from, to }
  const steps: readonly Migration[] = from === 0 ? [{ sql: schema + onCreate }] : all.slice(from - first)
  withoutForeignKeys(db, () => {
    for (const step of steps) runStep(db, step)
    if (from > 0)
      for (const table of withoutSearch(searched, (name) => hasTable(db, name))) db.run(searchSchema(table))
    assertReferences(db)
    db.run(`PRAGMA application_id = ${applicationId}`)
    db.run(`PRAGMA user_version = ${to}`)
  })
  return { from, to }
}

/** Checks the file with SQLite. */
function damageOf(db: Database): string[] {
  const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const dangling = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all()
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...dangling.map((row) => `A row of ${row.table} refers to a row of ${row.parent} that does not exist.`),
  ]
}

function pragma(db: Database, name: "user_version" | "application_id"): number {
  return db.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0
}

/**
 * Runs `work` in one transaction in which tables can be rebuilt. Foreign keys are off, because otherwise DROP TABLE
 * deletes the rows that refer to the table; they cannot be switched off inside a transaction. legacy_alter_table is
 * off, because otherwise RENAME does not update references to the old name. Foreign keys are on again afterwards.
 */
function withoutForeignKeys(db: Database, work: () => void): void {
  endTurn(db)
  db.run("PRAGMA legacy_alter_table = OFF")
  db.run("PRAGMA foreign_keys = OFF")
  try {
    // SQLite ignores the setting inside a transaction and would then cascade.
    if (db.inTransaction) throw new Error("A database cannot be migrated inside a transaction")
    db.transaction(work).immediate()
  } finally {
    db.run("PRAGMA foreign_keys = ON")
  }
}

/** Runs one migration step. A step that rebuilds tables must not lose rows. */
function runStep(db: Database, { sql, rebuilds }: Migration): void {
  const before = rebuilds ? rowCounts(db) : new Map<string, number>()
  db.run(sql)
  if (!rebuilds) return
  for (const [table, count] of rowCounts(db)) {
    const had = before.get(table) ?? 0
    if (count < had) throw new Error(`the table ${table} had ${had} rows and would have ${count}`)
  }
}

/** Refuses rows that refer to missing rows, and tables that refer to missing tables, even if they are empty. */
function assertReferences(db: Database): void {
  const [row] = db
    .query<{ table: string; parent: string; count: number }, []>(
      `SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .all()
  if (row)
    throw new Error(
      `${row.count} row${row.count > 1 ? "s" : ""} of ${row.table} would refer to a row of ${row.parent} that does not exist`,
    )
  const [reference] = db
    .query<{ name: string; parent: string }, []>(
      `SELECT child.name, reference."table" AS parent FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS reference
       WHERE child.type = 'table' AND lower(reference."table") NOT IN (SELECT lower(name) FROM sqlite_schema WHERE type = 'table')`,
    )
    .all()
  if (reference)
    throw new Error(
      `the table ${reference.name} would refer to a table ${reference.parent} that does not exist`,
    )
}

/** The number of rows of each table. Search tables are excluded, because they are computed from the others. */
function rowCounts(db: Database): Map<string, number> {
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )
    .all()
  return new Map(
    tables.map(({ name }) => [
      name,
      db.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0,
    ]),
  )
}
