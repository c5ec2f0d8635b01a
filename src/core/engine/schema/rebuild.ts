import type { Database } from "../engine"
import { endTurn } from "../change-token"
import type { Step } from "./migrations"

/**
 * Runs `work` in one transaction in which tables can be rebuilt. Foreign keys are off, because otherwise DROP TABLE
 * deletes the rows that refer to the table; they cannot be switched off inside a transaction. legacy_alter_table is
 * off, because otherwise RENAME does not update references to the old name. Foreign keys are on again afterwards.
 */
export function withoutForeignKeys(db: Database, work: () => void): void {
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
export function runStep(db: Database, { sql, rebuilds }: Step): void {
  const before = rebuilds ? rowCounts(db) : new Map<string, number>()
  // A step without SQL only rebuilds the search tables, for example when text folding has changed.
  if (sql.trim() !== "") db.run(sql)
  if (!rebuilds) return
  for (const [table, count] of rowCounts(db)) {
    const had = before.get(table) ?? 0
    if (count < had) throw new Error(`the table ${table} had ${had} rows and would have ${count}`)
  }
}

/** Refuses rows that refer to missing rows, and tables that refer to missing tables, even if they are empty. */
export function assertReferences(db: Database): void {
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
