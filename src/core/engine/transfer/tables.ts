import { SqliteDatabase } from "../sqlite/database"
import { migrate } from "../schema/migrate"
import type { Table } from "./table"

/** The marks of records that are not in the search tables yet. The copy fills its search tables from all records. */
const rebuilt = "search_waiting"

/**
 * The tables of the schema, each after those that it refers to. A row that refers to its own table refers to one with a
 * smaller key. Search tables are left out: they are virtual tables in SQLite. The keys are those of SQLite, which have an
 * index in PostgreSQL too, and the same order.
 */
export function copiedTables(): Table[] {
  const db = new SqliteDatabase(":memory:", { strict: true })
  try {
    migrate(db)
    return inOrder(db, namesOf(db)).map((name) => tableOf(db, name))
  } finally {
    db.close()
  }
}

const namesOf = (db: SqliteDatabase): string[] =>
  db
    .query<{ name: string }, [string]>(
      `SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name)
       WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> ?
       ORDER BY sqlite_schema.rowid`,
    )
    .all(rebuilt)
    .map(({ name }) => name)

function inOrder(db: SqliteDatabase, names: readonly string[]): string[] {
  const ordered = new Set<string>()
  const isReady = (name: string) =>
    !ordered.has(name) && parentsOf(db, name).every((parent) => parent === name || ordered.has(parent))
  while (ordered.size < names.length) {
    const next = names.find(isReady)
    if (next === undefined) throw new Error("The tables refer to each other in a circle.")
    ordered.add(next)
  }
  return [...ordered]
}

const parentsOf = (db: SqliteDatabase, name: string): string[] =>
  db
    .query<{ table: string }, [string]>('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)')
    .all(name)
    .map(({ table }) => table)

function tableOf(db: SqliteDatabase, name: string): Table {
  const columns = db
    .query<{ name: string; type: string; pk: number }, [string]>(
      "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
    )
    .all(name)
  const key = columns
    .map(({ pk }, place) => ({ pk, place }))
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map(({ place }) => place)
  return { name, columns: columns.map((each) => ({ name: each.name, isBytes: each.type === "BLOB" })), key }
}
