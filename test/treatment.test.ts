import { Database, type SQLQueryBindings } from "bun:sqlite"
import { expect, test } from "bun:test"
import schema from "./support/schema-v1.sql" with { type: "text" }
import { releasedSteps } from "../src/core/engine/schema/migrations"

/** The step to version 9. */
const place = 7

/** A database of version 8. */
function versionEight(): Database {
  const db = new Database(":memory:")
  db.run("PRAGMA ignore_check_constraints = ON")
  db.run(schema)
  for (const { sql } of releasedSteps.slice(0, place)) db.run(sql)
  return db
}

type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number }

/** Inserts a row, with values of its own for the columns that must have one. */
function insert(db: Database, table: string, values: Record<string, SQLQueryBindings>): void {
  const columns = db.query<Column, []>(`PRAGMA table_info(${table})`).all()
  const filler = columns
    .filter(({ notnull, dflt_value, pk }) => notnull === 1 && dflt_value === null && pk === 0)
    .map(({ name, type }) => [name, type === "INTEGER" ? 0 : `${name} ${values.id}`] as const)
  const row: Record<string, SQLQueryBindings> = { ...Object.fromEntries(filler), ...values }
  const names = Object.keys(row)
  db.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
    ...Object.values(row),
  )
}

type Line = { tax_code?: string; tax_category: string | null; has_own_tax_code?: number }

test("the step to version 9 finds the treatment by which older documents were taxed", () => {
  const db = versionEight()
  insert(db, "tax_codes", { id: "code", category: "S" })
  insert(db, "items", { id: "item", item_type: "Product" })
  const document = (id: string, customer: string, lines: Line[]) => {
    insert(db, "sales_orders", { id, customer, status: "draft", invoice_status: "not_invoiced" })
    insert(db, "invoices", { id: `i${id}`, customer, status: "draft" })
    lines.forEach((line, position) => {
      const common = { item: "item", position, quantity: 1, rate: 1, amount: 1, ...line }
      insert(db, "sales_order_lines", { id: `${id}${position}`, sales_order: id, ...common })
      insert(db, "invoice_lines", { id: `${id}${position}`, invoice: `i${id}`, ...common })
    })
  }
  for (const treatment of ["domestic", "reverse-charge", "intra-community", "export", "exempt"])
    insert(db, "customers", { id: treatment, tax_treatment: treatment })
  const own = { tax_code: "code", tax_category: "S", has_own_tax_code: 1 }
  document("taxed", "domestic", [{ tax_category: "S" }])
  document("unknown", "domestic", [{ tax_category: null }])
  document("reverse", "reverse-charge", [{ tax_category: "AE" }, own])
  document("goods", "intra-community", [{ tax_category: "AE" }, { tax_category: "K" }])
  document("services", "intra-community", [{ tax_category: "AE" }])
  document("abroad", "export", [{ tax_category: "G" }])
  document("free", "exempt", [{ tax_category: "E" }])
  document("codes", "export", [own])
  document("before", "export", [{ tax_category: "S" }])
  document("after", "domestic", [{ tax_category: "G" }])
  db.run(releasedSteps[place]?.sql ?? "")
  const found = (table: string) =>
    Object.fromEntries(
      db
        .query<{ id: string; tax_treatment: string }, []>(
          `SELECT id, tax_treatment FROM ${table} ORDER BY seq`,
        )
        .all()
        .map(({ id, tax_treatment }) => [id, tax_treatment]),
    )
  const expected = {
    taxed: "domestic",
    unknown: "domestic",
    reverse: "reverse-charge",
    goods: "intra-community",
    services: "intra-community",
    abroad: "export",
    free: "exempt",
    codes: "export",
    before: "domestic",
    after: "export",
  }
  expect(found("sales_orders")).toEqual(expected)
  expect(found("invoices")).toEqual(
    Object.fromEntries(Object.entries(expected).map(([id, treatment]) => [`i${id}`, treatment])),
  )
})
