import type { Database, Migration } from "../src/core/engine/engine"
import { describe, expect, test } from "bun:test"
import olderSchema from "./support/schema-17.sql" with { type: "text" }
import { latestVersion, migrate, ours } from "../src/core/engine/schema/migrate"
import { firstVersion, releasedSteps, stepsOf } from "../src/core/engine/schema/migrations"
import { valuesOf } from "../src/core/engine/sql"
import { addressKey } from "../src/shop/customers/duplicates/alike"
import { openDatabase } from "../src/core/engine/place"
import { kindList } from "../src/kinds"
import { items } from "../src/shop/items/model"
import { findSearchFaults, isSearchCurrent, reindex, updateSearch } from "../src/core/search/reindex"

type Counted = { n: number }
const numberOf = (db: Database, sql: string) => db.query<Counted, []>(sql).get()?.n ?? -1
const hasForeignKeys = (db: Database) =>
  numberOf(db, "SELECT foreign_keys AS n FROM pragma_foreign_keys") === 1

/** The whole content of a database, to detect any change. */
const contentOf = (db: Database) => ({
  version: db.query("PRAGMA user_version").get(),
  shape: db.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all(),
  rows: db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'virtual' ORDER BY name",
    )
    .all()
    .map(({ name }) => [name, db.query(`SELECT * FROM "${name}"`).all()]),
})

const parents = (name: string, more = "", self = name) =>
  `CREATE TABLE ${name} (id TEXT PRIMARY KEY, above TEXT REFERENCES ${self} (id)${more}) STRICT;`
const first = `
  ${parents("parents")}
  CREATE TABLE children (
    id TEXT PRIMARY KEY, parent TEXT NOT NULL REFERENCES parents (id) ON DELETE CASCADE
  ) STRICT;
  CREATE TABLE strangers (id TEXT PRIMARY KEY, parent TEXT REFERENCES parents (id) ON DELETE SET NULL) STRICT;`

/** A database of version 1 with a parent, its children and tables that refer to it. */
function family(): Database {
  const db = openDatabase(":memory:")
  migrate(db, { schema: first, steps: [] })
  db.run(`INSERT INTO parents VALUES ('a', NULL), ('b', 'a');
    INSERT INTO children VALUES ('x', 'a'), ('y', 'a'), ('z', 'b');
    INSERT INTO strangers VALUES ('s', 'a')`)
  return db
}

/** The documented procedure to change a table: create another, copy, drop, rename. */
const rebuild = (self: string, copied = "SELECT id, above, 'new' FROM parents"): Migration => ({
  sql: `${parents("fresh", ", more TEXT NOT NULL", self)}
    INSERT INTO fresh ${copied};
    DROP TABLE parents;
    ALTER TABLE fresh RENAME TO parents;`,
  rebuilds: true,
})
const after = (...steps: Migration[]) => ({ schema: first, steps })

/** Expects that these steps fail with this reason and change nothing. */
function expectRefusal(db: Database, steps: Migration[], reason: string): void {
  const before = contentOf(db)
  expect(() => migrate(db, after(...steps))).toThrow(reason)
  expect(contentOf(db)).toEqual(before)
  expect([db.inTransaction, hasForeignKeys(db)]).toEqual([false, true])
}

describe("a step that rebuilds a table", () => {
  test.each(["parents", "fresh"])(
    "keeps every row that refers to it, and its reference to itself when the step calls it %s",
    (self) => {
      const db = family()
      // Some builds of SQLite enable this by default, and then a RENAME does not update references.
      db.run("PRAGMA legacy_alter_table = ON")
      expect(migrate(db, after(rebuild(self)))).toEqual({ from: 1, to: 2 })
      expect(db.query("SELECT * FROM parents").all()).toEqual([
        { id: "a", above: null, more: "new" },
        { id: "b", above: "a", more: "new" },
      ])
      expect(db.query("SELECT id, parent FROM children").values()).toEqual([
        ["x", "a"],
        ["y", "a"],
        ["z", "b"],
      ])
      expect(db.query("SELECT id, parent FROM strangers").values()).toEqual([["s", "a"]])
      for (const table of ["parents", "children", "strangers"])
        expect(db.query(`SELECT "table" FROM pragma_foreign_key_list('${table}')`).values()).toEqual([
          ["parents"],
        ])
      expect(hasForeignKeys(db)).toBeTrue()
      expect(() => db.run("INSERT INTO children VALUES ('w', 'nobody')")).toThrow("FOREIGN KEY")
    },
  )

  test("is refused when it loses rows, even rows that nothing refers to", () => {
    const db = family()
    db.run("DELETE FROM children; DELETE FROM strangers; UPDATE parents SET above = NULL")
    const lossy = rebuild("parents", "SELECT id, above, 'new' FROM parents LIMIT 1")
    expectRefusal(db, [lossy], "the table parents had 2 rows and would have 1")
  })
})

describe("a step is refused, and the file is unchanged with its foreign keys on, when it leaves", () => {
  test("a row that refers to nothing", () => {
    const step = { sql: "INSERT INTO parents VALUES ('c', NULL); DELETE FROM parents WHERE id = 'a'" }
    expectRefusal(family(), [step], "2 rows of children would refer to a row of parents that does not exist")
  })

  test("an empty table that refers to a table under its old name", () => {
    const db = family()
    db.run("DELETE FROM children; DELETE FROM strangers; UPDATE parents SET above = NULL")
    const sql = `ALTER TABLE parents RENAME TO old; ${parents("parents")}
      INSERT INTO parents SELECT * FROM old; DROP TABLE old`
    expectRefusal(
      db,
      [{ sql, rebuilds: true }],
      "the table children would refer to a table old that does not exist",
    )
  })

  test("half of its work, because a later step fails", () => {
    const failing = { sql: "ALTER TABLE nowhere ADD COLUMN x TEXT" }
    expectRefusal(family(), [rebuild("parents"), failing], "no such table: nowhere")
  })
})

test("a database is not migrated within a transaction, where foreign keys cannot be disabled", () => {
  const db = family()
  db.run("BEGIN")
  expect(() => migrate(db, after(rebuild("parents")))).toThrow("inside a transaction")
  db.run("ROLLBACK")
  expect(numberOf(db, "SELECT count(*) AS n FROM children")).toBe(3)
})

describe("the search tables", () => {
  /** A database of the first version with two indexed items. */
  function shop(): Database {
    const db = openDatabase(":memory:")
    migrate(db, { schema: olderSchema, first: firstVersion, steps: [] })
    for (const [i, name] of ["Oak desk", "Steel lamp"].entries())
      db.query(
        `INSERT INTO items (id, item_code, item_code_key, item_code_sort, item_name, item_name_sort, item_type, uom, uom_sort,
           selling_price, cost_price, tax_rate, reorder_level, reorder_qty, images, is_active, version, created_at, updated_at)
         VALUES (?1, ?1, ?1, ?1, ?2, ?2, 'Product', 'Nos', 'nos', 0, 0, 0, 0, 0, '[]', 1, 1, '', '')`,
      ).run(`i-${i}`, name)
    // What was searched then.
    db.transaction(() =>
      reindex(db, { ...items, search: ["itemCode", "itemName"], searchMore: ["category", "description"] }),
    )()
    return db
  }
  const numberWith = (db: Database, word: string) =>
    numberOf(db, `SELECT count(*) AS n FROM items_words WHERE items_words MATCH '${word}'`)
  const renamed = (db: Database) => db.run("UPDATE items SET item_name = item_name || ' of birch'")

  const itemKind = kindList.filter(({ name }) => name === "items")

  test("of an older database stay as they are when the kind has not changed, and are filled when it has", () => {
    const db = shop()
    migrate(db)
    renamed(db)
    const before = [{ ...items, search: ["itemCode", "itemName"], searchMore: ["category", "description"] }]
    expect(isSearchCurrent(db, before)).toBeTrue()
    updateSearch(db, before)
    expect(numberWith(db, "birch")).toBe(0)
    expect(numberWith(db, "lamp")).toBe(1)
    updateSearch(db, [{ ...items, searchMore: ["category"] }])
    expect(numberWith(db, "birch")).toBe(2)
  })

  test("that an older database lacks are created with their settings, and filled", () => {
    const db = shop()
    migrate(db)
    db.run(
      "DROP TABLE items_search; DROP TABLE items_words; DELETE FROM positions WHERE name = 'search:items'",
    )
    // The next version creates them.
    migrate(db, { ...ours, steps: [...ours.steps, { sql: "SELECT 1" }] })
    expect(db.engine.schema.faults(latestVersion)).toEqual([])
    expect(isSearchCurrent(db, itemKind)).toBeFalse()
    updateSearch(db, itemKind)
    expect(isSearchCurrent(db, itemKind)).toBeTrue()
    expect(findSearchFaults(db, items)).toEqual([])
    expect(numberWith(db, "lamp")).toBe(1)
    expect(numberOf(db, "SELECT v AS n FROM items_words_config WHERE k = 'crisismerge'")).toBe(256)
  })

  test("are filled again when the fields of the kind have changed", () => {
    const db = shop()
    migrate(db)
    updateSearch(db, kindList)
    renamed(db)
    const changed = kindList.map((kind) => (kind.name === "items" ? { ...kind, searchMore: [] } : kind))
    expect(isSearchCurrent(db, changed)).toBeFalse()
    updateSearch(db, changed)
    expect(isSearchCurrent(db, changed)).toBeTrue()
    expect(numberWith(db, "birch")).toBe(2)
  })
})

test("customers of an older database get the form of their address by which the same one is found", () => {
  const db = openDatabase(":memory:")
  migrate(db, { schema: olderSchema, first: firstVersion, steps: [] })
  const addresses = [
    { street: "Holtenauer Straße 5", zipCode: "24105", city: "Kiel" },
    { street: "Große Mühlenstr. 7-9 (Hof)", zipCode: "SW1A 1AA", city: "Köln/Deutz" },
    { street: "12, rue de l’Évêché".replaceAll("’", " "), zipCode: null, city: "Besançon" },
    { street: "ÄRZTEHAUS 1", zipCode: "1010", city: null },
    { street: null, zipCode: "24105", city: "Kiel" },
    { street: "Markt 1", zipCode: null, city: null },
    null,
  ]
  for (const [i, address] of addresses.entries())
    db.query(
      `INSERT INTO customers (id, customer_number, name, name_sort, type, type_sort, address, is_active, version, created_at,
         updated_at) VALUES (?1, ?1, 'A', 'a', 'Company', 'company', ?2, 1, 1, '', '')`,
    ).run(`c-${i}`, address && JSON.stringify(address))
  migrate(db)
  expect(valuesOf<string | null>(db, "SELECT address_alike FROM customers ORDER BY id")).toEqual(
    addresses.map((address) => address && addressKey(address)),
  )
})

describe("the released steps", () => {
  test("have versions that follow each other", () => {
    expect(stepsOf("-- Text.\n-- Version 8: a.\n\nA;\n-- B.\nB;\n\n-- Version 9: c.\nC;\n", 7)).toEqual([
      "A;\n-- B.\nB;",
      "C;",
    ])
    expect(() => stepsOf("-- Version 9: c.\nC;\n", 7)).toThrow("version 9 where 8 is expected")
  })

  test("have statements of their own for PostgreSQL when they rebuild tables", () => {
    for (const { sql, rebuilds, postgres } of releasedSteps)
      expect([sql, rebuilds !== true || postgres !== undefined]).toEqual([sql, true])
  })

  test("declare that they rebuild tables when they drop one", () => {
    for (const { sql, rebuilds } of releasedSteps)
      expect([sql, rebuilds === true || !/\bDROP\s+TABLE\s+(?!temp\.)/i.test(sql)]).toEqual([sql, true])
  })
})
