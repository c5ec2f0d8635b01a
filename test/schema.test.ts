import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import schema from "../schema.sql" with { type: "text" }
import firstSchema from "./support/schema-v1.sql" with { type: "text" }
import { migrate } from "../src/db/migrate"
import { apiKeys } from "../src/modules/api-keys/model"
import { auditLogs } from "../src/modules/audit/model"
import { customers } from "../src/modules/customers/model"
import { items } from "../src/modules/items/model"
import { oauthClients } from "../src/modules/oauth/model"
import { invoices, payments } from "../src/modules/invoices/model"
import { salesOrders } from "../src/modules/sales-orders/model"
import { stockMovements } from "../src/modules/stock-movements/model"
import { users } from "../src/modules/users/model"
import { columnOf, shadowsOf, storedFields } from "../src/resource/define"

const columnsOf = (db: Database, table: string) =>
  db.query<{ name: string; notnull: number }, []>(`PRAGMA table_info(${table})`).all()

describe.each([
  items,
  customers,
  users,
  apiKeys,
  oauthClients,
  auditLogs,
  stockMovements,
  salesOrders,
  invoices,
  payments,
])("the definition of $name", (resource) => {
  const db = new Database(":memory:")
  db.run(schema)
  const columns = columnsOf(db, resource.table)

  test("and its table have the same fields", () => {
    const wanted = storedFields(resource).flatMap(([name, field]) => [
      columnOf(name),
      ...shadowsOf(name, field),
    ])
    expect(columns.map(({ name }) => name).toSorted()).toEqual(["seq", ...wanted].toSorted())
  })

  test("and its table agree on which of them may have no value", () => {
    for (const [name, field] of storedFields(resource)) {
      const column = columns.find((each) => each.name === columnOf(name))
      expect(`${name} ${column?.notnull === 0}`).toBe(`${name} ${field.nullable}`)
    }
  })

  test("has a search table just when it has words to search", () => {
    const made = db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(`${resource.table}_search`)
    expect(made !== null).toBe(resource.search.length > 0)
  })
})

test("every table of the schema is strict and has a line above it that says what it is for", () => {
  const statements = schema.split("\n\n").filter((block) => /CREATE (VIRTUAL )?TABLE/.test(block))
  expect(statements.length).toBeGreaterThan(5)
  for (const statement of statements) {
    expect(statement).toMatch(/^(-- .+\n)+CREATE/)
    if (!statement.includes("VIRTUAL")) expect(statement).toContain(") STRICT")
  }
})

describe("migrating", () => {
  const recipe = {
    schema: "CREATE TABLE a (x TEXT, y TEXT);",
    steps: [{ sql: "ALTER TABLE a ADD COLUMN y TEXT;" }],
  }
  const older = () => {
    const db = new Database(":memory:")
    migrate(db, { schema: "CREATE TABLE a (x TEXT);", steps: [] })
    db.run("INSERT INTO a (x) VALUES ('kept')")
    return db
  }

  test("a file of the first release ends with the tables, columns and indexes of a new one", () => {
    const [old, fresh] = [new Database(":memory:"), new Database(":memory:")]
    migrate(old, { schema: firstSchema, steps: [] })
    migrate(old)
    migrate(fresh)
    const shapeOf = (db: Database) =>
      db
        .query<{ type: string; name: string; tbl_name: string; sql: string | null }, []>(
          "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
        )
        .all()
        .map(({ type, name, sql, tbl_name }) => ({
          type,
          name,
          of: tbl_name,
          // A column that was added later stands in the statement as it was added.
          columns: type === "table" ? db.query(`PRAGMA table_info("${name}")`).all() : null,
          references: type === "table" ? db.query(`PRAGMA foreign_key_list("${name}")`).all().length : null,
          sql: type === "table" ? null : sql,
        }))
    expect(shapeOf(old)).toEqual(shapeOf(fresh))
  })

  test("an older file gets the steps it lacks and keeps its rows", () => {
    const db = older()
    expect(migrate(db, recipe)).toEqual({ from: 1, to: 2 })
    expect(db.query("SELECT x, y FROM a").all()).toEqual([{ x: "kept", y: null }])
  })

  test("a step that fails leaves the file as it was", () => {
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
