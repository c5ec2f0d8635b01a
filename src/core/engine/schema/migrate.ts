import { type Database, postgresOf } from "../engine"
import { renameSync } from "node:fs"
import { dirname } from "node:path"
import schema from "../../../../schema.sql" with { type: "text" }
import { Unusable } from "../../lib/unusable"
import { copyAll } from "../backup/backup"
import { syncFile } from "../backup/files"
import { firstVersion, releasedSteps, type Step } from "./migrations"
import { applicationId } from "../sqlite/open"
import { migratePostgres, postgresVersionOf } from "../postgres/state"
import { assertFinished } from "../transfer/mark"
import { discard } from "../backup/unfinished"
import { endTurn } from "../change-token"

export const latestVersion = firstVersion + releasedSteps.length

/** How a database is created, and how one of the version `first` or a later one is migrated. */
type Recipe = { schema: string; first?: number; steps: readonly Step[] }
const ours: Recipe = { schema, first: firstVersion, steps: releasedSteps }

/**
 * Rebuilds the search tables of a kind. The caller of `migrate` passes it, because this layer does not know the kinds.
 */
export type Reindex = (db: Database, kind: string) => void

/**
 * The version of the file; 0 when it is empty. Refuses a file that is newer than this program or too old for it, and an
 * unfinished copy.
 */
export function versionOf(db: Database, latest = latestVersion, first = firstVersion): number {
  assertFinished(db)
  const postgres = postgresOf(db)
  const version = postgres ? postgresVersionOf(postgres) : fileVersionOf(db)
  if (version > latest)
    throw new Unusable(
      `The database is at version ${version}; this Kontor supports up to version ${latest}. Use a newer Kontor, or restore a backup.`,
    )
  if (version > 0 && version < first)
    throw new Unusable(
      `The database is at version ${version} of a Kontor before its first release; this Kontor upgrades databases from version ${first} on. It was not changed.`,
    )
  return version
}

const fileVersionOf = (db: Database): number =>
  pragma(db, "application_id") === applicationId ? pragma(db, "user_version") : 0

/**
 * Migrates the file to the latest version in one transaction. Search is rebuilt after the last step, because the
 * current definitions of the kinds are used. `onCreate` is SQL that a new database gets with its tables. Error messages
 * have no full stop: the caller completes the sentence.
 */
export function migrate(
  db: Database,
  recipe: Recipe = ours,
  { reindex, onCreate = "" }: { reindex?: Reindex; onCreate?: string } = {},
): { from: number; to: number } {
  const postgres = postgresOf(db)
  if (postgres) return migratePostgres(postgres, onCreate)
  const { first = 1 } = recipe
  const to = first + recipe.steps.length
  const from = versionOf(db, to, first)
  if (from === to) return { from, to }
  const steps = from === 0 ? [{ sql: recipe.schema + onCreate }] : recipe.steps.slice(from - first)
  withoutForeignKeys(db, () => {
    for (const step of steps) runStep(db, step)
    for (const kind of new Set(steps.flatMap((step) => step.reindex ?? []))) {
      if (!reindex)
        throw new Error(`the search tables of ${kind} must be rebuilt, but no reindex function was passed`)
      reindex(db, kind)
    }
    assertReferences(db)
    db.run(`PRAGMA application_id = ${applicationId}`)
    db.run(`PRAGMA user_version = ${to}`)
  })
  return { from, to }
}

/**
 * Creates a backup next to the database before a migration, and returns its name. It gets this name when it is complete
 * and synced. An incomplete backup always has the same name, so that the next attempt replaces it.
 */
export async function backUpBeforeMigration(
  db: Database,
  file: string,
  version: number,
  now: string,
): Promise<string> {
  const copy = `${file}.v${version}-${now.replace(/\D/g, "").slice(0, 14)}.backup`
  const unfinished = `${file}.copy.unfinished`
  try {
    discard(unfinished)
    await copyAll({ db, file }, unfinished)
    syncFile(unfinished)
    renameSync(unfinished, copy)
    syncFile(dirname(copy))
    return copy
  } catch (error) {
    discard(unfinished)
    throw error
  }
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
function runStep(db: Database, { sql, rebuilds }: Step): void {
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
