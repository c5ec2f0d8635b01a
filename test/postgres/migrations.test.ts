// Every migration runs on PostgreSQL too. test/schema.test.ts and test/faults/upgrade.test.ts run them on SQLite.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Database, Migration } from "../../src/core/engine/engine"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { asDatabase } from "../../src/core/engine/postgres/engine"
import { latestVersion, migrate, ours, versionOf } from "../../src/core/engine/schema/migrate"
import { firstVersion } from "../../src/core/engine/schema/migrations"
import { kindList } from "../../src/kinds"
import { isSearchCurrent, updateSearch } from "../../src/core/search/reindex"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

const olderSchema = await Bun.file(join(import.meta.dir, "../support/schema-17.sql")).text()

describe.skipIf(!isPostgresInstalled())("migrating a PostgreSQL database", () => {
  let server: PostgresServer
  const opened: Database[] = []
  beforeAll(async () => {
    server = await postgres()
  })
  afterAll(() => {
    for (const db of opened) db.close()
    server?.stop()
  })
  const created = (name: string): Database => {
    const db = asDatabase(new PostgresDatabase(server.createDatabase(name)))
    opened.push(db)
    return db
  }
  const faultsOf = (db: Database) => db.engine.atOneMoment(() => db.engine.schema.faults(latestVersion))

  test("an older database ends with the tables of a new one, and keeps its rows", () => {
    const db = created("older")
    migrate(db, { schema: olderSchema, first: firstVersion, steps: [] })
    db.run("INSERT INTO positions (name, position) VALUES ('kept', '1')")
    expect(versionOf(db)).toBe(firstVersion)
    expect(faultsOf(db)).not.toEqual([])
    expect(migrate(db)).toEqual({ from: firstVersion, to: latestVersion })
    expect(faultsOf(db)).toEqual([])
    expect(db.query("SELECT position FROM positions WHERE name = 'kept'").all()).toEqual([{ position: "1" }])
    // Since then items and customers are also searched by other fields, so their search tables are filled at the next start.
    expect(isSearchCurrent(db, kindList)).toBeFalse()
    // So are those of kinds that the older database did not have.
    const unchanged = kindList.filter(
      ({ name, table }) =>
        !["items", "customers"].includes(name) && olderSchema.includes(`CREATE TABLE ${table} (`),
    )
    expect(unchanged.map(({ name }) => name)).toContain("invoices")
    expect(isSearchCurrent(db, unchanged)).toBeTrue()
  })

  test("a database gets the search tables that it lacks, and they are filled", () => {
    const db = created("unsearched")
    migrate(db)
    db.run(`DROP TABLE items_search; DROP TABLE items_words;
      INSERT INTO items (id, item_code, item_code_key, item_code_sort, item_name, item_name_sort, item_type, uom, uom_sort,
        selling_price, cost_price, tax_rate, reorder_level, reorder_qty, images, is_active, version, created_at, updated_at)
      VALUES ('i', 'i', 'i', 'i', 'Lamp', 'lamp', 'Product', 'Nos', 'nos', 0, 0, 0, 0, 0, '[]', 1, 1, '', '')`)
    migrate(db, { ...ours, steps: [...ours.steps, { sql: "", postgres: "SELECT 1" }] })
    expect(faultsOf(db)).toEqual([])
    expect(isSearchCurrent(db, kindList)).toBeFalse()
    updateSearch(db, kindList)
    expect(isSearchCurrent(db, kindList)).toBeTrue()
  })

  test("a new database has the mark of the application, the version and the row of the write lock", () => {
    const db = created("fresh")
    expect(db.engine.schema.isEmpty()).toBeTrue()
    expect(migrate(db)).toEqual({ from: 0, to: latestVersion })
    expect(db.engine.schema.isEmpty()).toBeFalse()
    expect(faultsOf(db)).toEqual([])
    expect(db.query("SELECT application, version FROM kontor_schema").all()).toEqual([
      { application: "kontor", version: latestVersion },
    ])
    expect(db.query("SELECT id FROM write_lock").all()).toEqual([{ id: 1 }])
  })

  test("only the missing steps run, a failing one changes nothing, and a newer database is refused", () => {
    const db = created("steps")
    const schema = "CREATE TABLE a (x TEXT) STRICT;"
    const recipe = (...steps: Migration[]) => ({ schema, steps })
    migrate(db, recipe())
    const first: Migration = { sql: "ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 5;" }
    const second: Migration = { sql: "UPDATE a SET y = 7 WHERE y = 5;" }
    db.run("INSERT INTO a VALUES ('kept')")
    expect(() => migrate(db, recipe({ sql: `${first.sql} DROP TABLE nothing;` }))).toThrow("nothing")
    expect(migrate(db, recipe(first))).toEqual({ from: 1, to: 2 })
    expect(migrate(db, recipe(first, second))).toEqual({ from: 2, to: 3 })
    const own: Migration = {
      sql: "DROP TABLE nothing;",
      postgres: "ALTER TABLE a ALTER COLUMN x SET NOT NULL",
    }
    expect(migrate(db, recipe(first, second, own))).toEqual({ from: 3, to: 4 })
    expect(db.query("SELECT x, y FROM a").all()).toEqual([{ x: "kept", y: 7 }])
    expect(() => migrate(db, recipe(first))).toThrow("The database is at version 4")
  })
})
