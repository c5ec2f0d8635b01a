import { Database } from "bun:sqlite"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"

const schema = await Bun.file(join(import.meta.dir, "schema-17.sql")).text()

/**
 * Converts a current file to the file that a Kontor of the oldest version that can be migrated would have created with the
 * same data. Later additions are removed, and the result is compared with the schema of that version.
 */
export function makeOlder(today: string, file: string): void {
  copyFileSync(today, file)
  const [db, first] = [new Database(file), firstDatabase()]
  try {
    db.run("BEGIN")
    const shapes = shapesOf(first)
    for (const { name } of viewsOf(db)) db.run(`DROP VIEW "${name}"`)
    for (const name of searchTablesOf(db)) if (!shapes.has(name)) db.run(`DROP TABLE "${name}"`)
    for (const [name, shape] of shapesOf(db)) {
      if (shapes.get(name) === shape) continue
      db.run(`CREATE TEMP TABLE kept AS SELECT * FROM "${name}"`)
      db.run(`DROP TABLE "${name}"`)
      if (shapes.has(name)) {
        for (const sql of statementsOf(first, name)) db.run(sql)
        const columns = columnsOf(first, name)
        db.run(`INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM kept`)
      }
      db.run("DROP TABLE temp.kept")
    }
    for (const { sql } of viewsOf(first)) db.run(sql)
    db.run("PRAGMA user_version = 17")
    db.run("COMMIT")
    db.run("VACUUM")
    if (!isDeepStrictEqual(shapesOf(db), shapes))
      throw new Error("The result does not have the older schema.")
  } finally {
    db.close()
    first.close()
  }
}

/**
 * All rows of all tables of the older version. Search tables are included only with `withSearch`, because a step may
 * rebuild them.
 */
export function rowsOf(file: string, { withSearch = false } = {}): Record<string, unknown[]> {
  const [db, first] = [new Database(file, { readwrite: true }), firstDatabase()]
  try {
    const search = withSearch ? [] : searchTablesOf(first)
    const virtual = searchTablesOf(first)
    const tables = [...shapesOf(first).keys()].filter(
      (name) => !virtual.includes(name) && !search.some((table) => name.startsWith(`${table}_`)),
    )
    return Object.fromEntries(
      tables.map((name) => [
        name,
        // By which definition the search tables are filled is told by each version for itself.
        db
          .query<Record<string, unknown>, []>(`SELECT ${columnsOf(first, name)} FROM "${name}" ORDER BY 1, 2`)
          .all()
          .filter((row) => name !== "positions" || !String(row.name).startsWith("search:")),
      ]),
    )
  } finally {
    db.close()
    first.close()
  }
}

/**
 * The number of rows of each table. Search tables are excluded, because they are computed from the others, and so are the
 * rows that tell by which definition they were filled: an older version has no such row for a kind that came later.
 */
export function countsOf(db: Database): Record<string, number> {
  const tables = db.query<{ name: string }, []>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'",
  )
  const counted = (name: string) =>
    name === "positions" ? `"positions" WHERE name NOT LIKE 'search:%'` : `"${name}"`
  const count = (name: string) =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${counted(name)}`).get()?.n
  return Object.fromEntries(tables.all().map(({ name }) => [name, count(name) ?? 0]))
}

function firstDatabase(): Database {
  const db = new Database(":memory:")
  db.run(schema)
  return db
}

/** The SQL of each table, including its indexes and triggers. */
const shapesOf = (db: Database): Map<string, string> =>
  new Map(
    db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => [name, statementsOf(db, name).join(";\n")]),
  )

const viewsOf = (db: Database): { name: string; sql: string }[] =>
  db.query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all()

const statementsOf = (db: Database, table: string): string[] =>
  db
    .query<{ sql: string }, [string]>(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC, name",
    )
    .all(table)
    .map(({ sql }) => sql)

const columnsOf = (db: Database, table: string): string =>
  db
    .query<{ name: string }, []>(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name }) => `"${name}"`)
    .join(", ")

/** The virtual tables. Each stores its data in separate tables, which are dropped with it. */
const searchTablesOf = (db: Database): string[] =>
  [...shapesOf(db)].flatMap(([name, shape]) => (shape.startsWith("CREATE VIRTUAL") ? [name] : []))
