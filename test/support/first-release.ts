import { Database } from "bun:sqlite"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"

const schema = await Bun.file(join(import.meta.dir, "schema-v1.sql")).text()

/**
 * Converts a current file to the file that the first release would have created with the same data. Later additions are
 * removed, and the result is compared with the first schema.
 */
export function makeFirstRelease(today: string, file: string): void {
  copyFileSync(today, file)
  const [db, first] = [new Database(file), firstDatabase()]
  try {
    db.run("BEGIN")
    if (db.query("SELECT 1 FROM search_waiting").get())
      throw new Error("Records wait for their search text. Search before the file is copied.")
    const shapes = shapesOf(first)
    bringBackTaxes(db, first)
    dropCredits(db)
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
    db.run("PRAGMA user_version = 1")
    db.run("COMMIT")
    db.run("VACUUM")
    if (!isDeepStrictEqual(shapesOf(db), shapes))
      throw new Error("The result does not have the first schema.")
  } finally {
    db.close()
    first.close()
  }
}

/** The first release had a table of the taxes of invoices; they are in the row of the invoice now. */
function bringBackTaxes(db: Database, first: Database): void {
  for (const sql of statementsOf(first, "invoice_taxes")) db.run(sql)
  db.run(`INSERT INTO invoice_taxes (invoice, tax_rate, amount) ${taxesOfInvoices}`)
}

/** The first release deleted payments; now they are voided and kept. It had no views. */
function dropCredits(db: Database): void {
  db.run("DELETE FROM payments WHERE voided_at IS NOT NULL")
  const views = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'view'").all()
  for (const { name } of views) db.run(`DROP VIEW "${name}"`)
}

/**
 * All rows of all tables of the first release. Search tables are included only with `withSearch`, because a step may
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
        db.query(`SELECT ${columnsOf(first, name)} FROM ${sourceOf(db, name)} ORDER BY 1, 2`).all(),
      ]),
    )
  } finally {
    db.close()
    first.close()
  }
}

/**
 * Where the rows of a table of the first release are now: the taxes of an invoice are in its own row, and the audit log
 * has an entry that says which seller older invoices got.
 */
function sourceOf(db: Database, name: string): string {
  if (name === "audit_logs") return "(SELECT * FROM audit_logs WHERE action <> 'invoices.seller')"
  const exists = db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== null
  return name !== "invoice_taxes" || exists ? `"${name}"` : `(${taxesOfInvoices})`
}

const taxesOfInvoices = `SELECT invoices.id AS invoice, value ->> 'rate' AS tax_rate, sum(value ->> 'tax') AS amount
  FROM invoices, json_each(taxes) GROUP BY 1, 2`

/** The number of rows of each table. Search tables are excluded, because they are computed from the others. */
export function countsOf(db: Database): Record<string, number> {
  const tables = db.query<{ name: string }, []>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'",
  )
  const count = (name: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n
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
