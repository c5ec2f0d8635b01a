import { SqliteDatabase } from "../src/core/engine/sqlite/database"
import { describe, expect, test } from "bun:test"
import schema from "../schema.sql" with { type: "text" }
import olderSchema from "./support/schema-17.sql" with { type: "text" }
import { latestVersion, migrate, wholeSchema } from "../src/core/engine/schema/migrate"
import { firstVersion } from "../src/core/engine/schema/migrations"
import { openFile } from "../src/core/engine/sqlite/open"
import { kindList } from "../src/kinds"
import { columnOf, shadowsOf, storedFields, type Resource } from "../src/core/kind/define"
import { countsOf } from "./support/older-file"

const columnsOf = (db: SqliteDatabase, table: string) =>
  db
    .query<{ name: string; type: string; notnull: number; hidden: number }, []>(
      `PRAGMA table_xinfo("${table}")`,
    )
    .all()

/** The content of a schema. Columns are sorted by name, because a column that was added later is at the end. */
const shapeOf = (db: SqliteDatabase) =>
  db
    .query<{ type: string; name: string; tbl_name: string; sql: string | null }, []>(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
    )
    .all()
    .map(({ type, name, sql, tbl_name }) => ({
      type,
      name,
      of: tbl_name,
      columns: type === "table" ? withoutPlace(columnsOf(db, name)) : null,
      references:
        type === "table" ? withoutPlace(db.query(`PRAGMA foreign_key_list("${name}")`).all()) : null,
      sql: type === "table" ? null : sql,
    }))

/** The columns or references without the numbers that SQLite assigns to them. */
const withoutPlace = (rows: readonly unknown[]): string[] =>
  rows.map((row) => JSON.stringify({ ...(row as object), cid: null, id: null })).toSorted()

/** Inserts two rows into every table and returns the tables. Each value is the number of its row. */
function fillTables(db: SqliteDatabase): string[] {
  const tables = Object.keys(countsOf(db))
  // Most columns accept only certain values. References are still checked after the steps.
  db.run("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
  for (const table of tables) {
    const columns = columnsOf(db, table)
    const names = columns.map(({ name }) => `"${name}"`).join(", ")
    for (const row of [1, 2]) {
      const values = columns.map(({ type }) => (type === "BLOB" ? `x'0${row}'` : row)).join(", ")
      db.run(`INSERT INTO "${table}" (${names}) VALUES (${values})`)
    }
  }
  return tables
}

/** The kinds with a column per field; the settings are one JSON object. */
const kindsOfColumns = kindList.filter(({ name }) => name !== "settings")

describe.each(kindsOfColumns)("the definition of $name", (resource) => {
  const db = new SqliteDatabase(":memory:")
  db.run(wholeSchema())
  const columns = columnsOf(db, resource.table)

  test("and its table have the same fields", () => {
    const wanted = storedFields(resource).flatMap(([name, field]) => [
      columnOf(name),
      ...shadowsOf(name, field),
    ])
    const counted = (resource as Resource).countsChanges ? ["change_count"] : []
    // A kind that is read through a view has rows that are voided.
    const voided = (resource as Resource).view ? ["voided_at", "voided_by"] : []
    // The form in which the number of an opening invoice is unique. Numbers of ours have none.
    const opening = resource.name === "invoices" ? ["opening_key"] : []
    expect(columns.map(({ name }) => name).toSorted()).toEqual(
      ["seq", ...counted, ...voided, ...opening, ...wanted].toSorted(),
    )
  })

  test("and its table agree on which fields may be null", () => {
    for (const [name, field] of storedFields(resource)) {
      const column = columns.find((each) => each.name === columnOf(name))
      expect(`${name} ${column?.notnull === 0}`).toBe(`${name} ${field.nullable}`)
    }
  })

  test("has a search table if and only if it has searchable fields", () => {
    const made = db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(`${resource.table}_search`)
    expect(made !== null).toBe(resource.search.length > 0)
  })
})

test("every table of the schema is strict and has a comment above it", () => {
  const statements = schema.split("\n\n").filter((block) => /CREATE TABLE/.test(block))
  expect(statements.length).toBeGreaterThan(5)
  for (const statement of statements) {
    expect(statement).toMatch(/^(-- .+\n)+CREATE/)
    expect(statement).toContain(") STRICT")
  }
})

describe("migrating", () => {
  const recipe = {
    schema: "CREATE TABLE a (x TEXT, y TEXT);",
    steps: [{ sql: "ALTER TABLE a ADD COLUMN y TEXT;" }],
  }
  const older = () => {
    const db = new SqliteDatabase(":memory:")
    migrate(db, { schema: "CREATE TABLE a (x TEXT);", steps: [] })
    db.run("INSERT INTO a (x) VALUES ('kept')")
    return db
  }

  test("an older file ends with the tables, columns and indexes of a new one", () => {
    const [old, fresh] = [new SqliteDatabase(":memory:"), new SqliteDatabase(":memory:")]
    migrate(old, { schema: olderSchema, first: firstVersion, steps: [] })
    migrate(old)
    migrate(fresh)
    expect(shapeOf(old)).toEqual(shapeOf(fresh))
    expect(old.engine.schema.faults(latestVersion)).toEqual([])
  })

  test("an older file keeps the number of rows in every table", () => {
    const old = openFile(":memory:")
    migrate(old, { schema: olderSchema, first: firstVersion, steps: [] })
    const tables = fillTables(old)
    migrate(old)
    const counts = countsOf(old)
    expect(tables.length).toBeGreaterThan(15)
    // A step adds the definitions of the search tables.
    for (const table of tables.filter((each) => each !== "positions"))
      expect([table, counts[table]]).toEqual([table, 2])
  })

  test("an older file gets the missing steps and keeps its rows", () => {
    const db = older()
    expect(migrate(db, recipe)).toEqual({ from: 1, to: 2 })
    expect(db.query("SELECT x, y FROM a").all()).toEqual([{ x: "kept", y: null }])
  })

  test("a failing step leaves the file unchanged", () => {
    const db = older()
    const broken = {
      ...recipe,
      steps: [{ sql: "ALTER TABLE a ADD COLUMN y TEXT; ALTER TABLE nothing ADD COLUMN z TEXT;" }],
    }
    expect(() => migrate(db, broken)).toThrow()
    expect(columnsOf(db, "a").map(({ name }) => name)).toEqual(["x"])
    expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 1 })
  })
})

describe("a schema is compared with ours column by column, in any order", () => {
  const altered = (definition: string) => {
    const db = openFile(":memory:")
    migrate(db)
    db.run(`ALTER TABLE sales_orders DROP COLUMN payment_terms_sort;
      ALTER TABLE sales_orders ADD COLUMN payment_terms_sort ${definition}`)
    expect(columnsOf(db, "sales_orders").at(-1)?.name).toBe("payment_terms_sort")
    return db.engine.schema.faults(latestVersion)
  }

  test("a column that was added later is equal", () => expect(altered("TEXT")).toEqual([]))

  test.each([
    ["type", "INTEGER"],
    ["default", "TEXT DEFAULT 'x'"],
    ["NOT NULL", "TEXT NOT NULL DEFAULT ''"],
    ["collation", "TEXT COLLATE NOCASE"],
    ["reference", "TEXT REFERENCES users (id)"],
  ])("a column with another %s is found", (_, definition) =>
    expect(altered(definition)).toEqual(["The table sales_orders differs from Kontor's schema."]),
  )
})
