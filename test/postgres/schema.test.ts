import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { searchedTables, searchTables } from "../../src/core/engine/schema/search-tables"
import { wholeSchema } from "../../src/core/engine/schema/migrate"
import "../../src/kinds"
import { translatedSchema, translatedStep } from "../../src/core/engine/postgres/schema/translate"
import { postgresServer } from "../support/postgres-schema"
import { shapeInSqlite, shapesInPostgres, tablesOf, type TableShape } from "../support/schema-catalogs"

let server: ReturnType<typeof postgresServer>
const sqlite = new Database(":memory:")
sqlite.run(wholeSchema())
const postgresSchema = translatedSchema(wholeSchema())

beforeAll(() => {
  server = postgresServer()
  server.run("CREATE DATABASE shop")
  server.run(postgresSchema, { database: "shop" })
})
afterAll(() => server?.stop())

describe("the translation refuses, with its line,", () => {
  const table = (column: string) =>
    `-- A table.\nCREATE TABLE t (\n  id TEXT PRIMARY KEY,\n  ${column}\n) STRICT;`
  test.each([
    ["a column of an unknown type", table("x NUMERIC"), "schema.sql:4: unknown type"],
    ["an unknown constraint", table("x TEXT COLLATE NOCASE"), "schema.sql:4: unknown constraint of a column"],
    ["an unknown function", table("x TEXT CHECK (typeof(x) = 'text')"), "schema.sql:4: unknown function"],
    ["an unknown operator", table("x TEXT CHECK (x GLOB 'a*')"), "schema.sql:4: unknown keyword"],
    ["IS with a value", table("x TEXT CHECK (x IS id)"), "schema.sql:4: IS is only known before NULL"],
    ["a default that is not a literal", table("x TEXT DEFAULT (1 + 1)"), "schema.sql:4: unknown default"],
    ["a table that is not strict", "CREATE TABLE t (x TEXT);", "schema.sql:1: expected STRICT"],
    ["an unknown option", "CREATE TABLE t (x TEXT) STRICT, AUTO;", "schema.sql:1: expected WITHOUT ROWID"],
    ["an index with an expression", "CREATE INDEX i ON t (x DESC);", "schema.sql:1: unknown index of x DESC"],
    ["another search table", "CREATE VIRTUAL TABLE t USING fts5 (x);", "schema.sql:1: unknown settings"],
    ["another INSERT", "INSERT INTO t (x) VALUES (1);", "schema.sql:1: unknown INSERT"],
    ["another statement", "\nDROP TABLE t;", "schema.sql:2: unknown statement"],
    ["a statement without an end", "CREATE TABLE t (x TEXT) STRICT", "a statement without a semicolon"],
    ["another character", "CREATE TABLE [t] (x TEXT) STRICT;", "schema.sql:1: unknown character"],
  ])("%s", (_, sql, message) => expect(() => translatedSchema(sql)).toThrow(message))
})

test.each([
  [
    "a new column with a reference",
    "ALTER TABLE items ADD COLUMN maker TEXT REFERENCES customers (id);",
    `ALTER TABLE items ADD COLUMN maker text COLLATE "C";
ALTER TABLE items ADD FOREIGN KEY (maker) REFERENCES customers (id);\n`,
  ],
  ["a removed column", "ALTER TABLE items DROP COLUMN x;", "ALTER TABLE items DROP COLUMN x;\n"],
  ["a new name", "ALTER TABLE items RENAME TO goods;", "ALTER TABLE items RENAME TO goods;\n"],
  [
    "a new name of a column",
    "ALTER TABLE a RENAME COLUMN x TO user;",
    'ALTER TABLE a RENAME COLUMN x TO "user";\n',
  ],
  ["a removed trigger", "DROP TRIGGER a;", "DROP FUNCTION a() CASCADE;\n"],
  [
    "changed rows",
    "UPDATE a SET user = substr(x, 2) WHERE y IS NULL;",
    'UPDATE a SET "user" = substr(x, 2) WHERE y IS NULL;\n',
  ],
  ["a setting of FTS5", "INSERT INTO a (a, rank) VALUES ('automerge', 0);", ""],
])("A migration with %s is translated.", (_, sql, wanted) =>
  expect(translatedStep(sql, "migrations.sql")).toBe(wanted),
)

test.each([
  ["an unknown function", "UPDATE a SET x = hex(x);", "step:1: unknown function"],
  ["another kind of object", "DROP SCHEMA a;", "step:1: unknown kind of object"],
  ["another change of a table", "ALTER TABLE a STRICT;", "step:1: unknown change of a table"],
])("A migration with %s is refused.", (_, sql, message) =>
  expect(() => translatedStep(sql, "step")).toThrow(message),
)

test("The set of combining marks is that of Unicode.", () => {
  const found = /regexp_replace\(value COLLATE "C", '(\[.*\])\+'/.exec(postgresSchema)?.[1] ?? ""
  const pattern = found.replace(/\\U([0-9a-f]{8})/g, (_, code: string) => `\\u{${code.replace(/^0+/, "")}}`)
  const isMark = new RegExp(`^${pattern}$`, "u")
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (isMark.test(character) !== /^\p{M}$/u.test(character)) expect(character).toBe("the same")
  }
})

test("A trigger looks for each key by its own index.", () => {
  const trigger = (condition: string) =>
    `CREATE TRIGGER t BEFORE INSERT ON a WHEN ${condition} BEGIN SELECT RAISE (ABORT, 'no'); END;`
  expect(translatedSchema(trigger("EXISTS (SELECT 1 FROM a WHERE x = NEW.x OR y = NEW.y)"))).toContain(
    "IF EXISTS (SELECT 1 FROM a WHERE x = NEW.x)\n    OR EXISTS (SELECT 1 FROM a WHERE y = NEW.y) THEN",
  )
  const mixed = "EXISTS (SELECT 1 FROM a WHERE x = NEW.x AND (y = 1 OR z = 2))"
  expect(translatedSchema(trigger(mixed))).toContain(`IF ${mixed} THEN`)
})

test("Every table has the columns, checks, references, keys and indexes of SQLite's.", () => {
  const found = new Map(
    server
      .rows<{ name: string; shape: TableShape }>(shapesInPostgres, "shop")
      .map(({ name, shape }) => [name, shape]),
  )
  const tables = tablesOf(sqlite)
  expect(tables.length).toBeGreaterThan(40)
  for (const table of tables)
    expect({ table, ...found.get(table) }).toEqual({ table, ...shapeInSqlite(sqlite, table) })
  expect([...found.keys()].filter((name) => !tables.includes(name)).toSorted()).toEqual(
    [...searchedTables().flatMap(searchTables), "kontor_schema", "write_lock"].toSorted(),
  )
})

test("Every view has the columns of SQLite's.", () => {
  const views = sqlite.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'view'").all()
  expect(views.length).toBeGreaterThan(0)
  for (const { name } of views)
    expect(
      server.rows(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0 ORDER BY attnum`,
        "shop",
      ),
    ).toEqual(sqlite.query(`SELECT name FROM pragma_table_info('${name}') ORDER BY cid`).all())
})

test("A user who may not create pg_trgm gets a sentence that says what to do.", () => {
  server.run("CREATE DATABASE other; CREATE ROLE guest LOGIN")
  server.run("GRANT ALL ON SCHEMA public TO guest", { database: "other" })
  expect(() => server.run(postgresSchema, { database: "other", user: "guest" })).toThrow(
    'Run "CREATE EXTENSION pg_trgm" in the database as its owner',
  )
})

test("A server without pg_trgm gets a sentence that names the package.", () => {
  server.run("CREATE DATABASE bare")
  // The name of an extension that does not exist stands for one that is not installed.
  const missing = postgresSchema.replace("NOT EXISTS pg_trgm", "NOT EXISTS not_installed")
  expect(() => server.run(missing, { database: "bare" })).toThrow("is part of PostgreSQL's contrib package")
})

test("A database with another encoding is refused.", () => {
  server.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
  expect(() => server.run(postgresSchema, { database: "latin" })).toThrow("Kontor needs UTF8")
})

describe("the audit log", () => {
  const insert = `INSERT INTO audit_logs (seq, id, actor_type, action, outcome, changes, hash, created_at)
    VALUES (1, 'a', 'system', 'x', 'success', '{}', 'h', 't')`
  const run = (sql: string) => server.run(sql, { database: "shop" })
  beforeAll(() => void run(insert))
  test.each([
    ["a second row of the same number", insert],
    ["a replaced row", `${insert} ON CONFLICT (seq) DO UPDATE SET hash = 'other'`],
    ["an update", "UPDATE audit_logs SET hash = 'x'"],
    ["a delete", "DELETE FROM audit_logs"],
    ["deleting all rows at once", "TRUNCATE audit_logs"],
  ])("refuses %s", (_, sql) => expect(() => run(sql)).toThrow("the audit log only grows"))
})

test.each([
  ["invalid JSON", "INSERT INTO settings (id, body, version, updated_at) VALUES (1, '{', 1, '')", "json"],
  [
    "a second row of settings",
    "INSERT INTO settings (id, body, version, updated_at) VALUES (2, '{}', 1, '')",
    "check",
  ],
  ["a reference to nothing", "INSERT INTO passwords VALUES ('nobody', '', '')", "foreign key"],
])("%s is refused", (_, sql, message) => expect(() => server.run(sql, { database: "shop" })).toThrow(message))

test("Search text is written with the statements of SQLite, and found by letters and by words.", () => {
  const run = (sql: string) => server.run(sql, { database: "shop" })
  const long = "y".repeat(3_000)
  run("INSERT INTO items_search (rowid, words, fragments) VALUES (1, '  standing desk  st  de', 'ab100')")
  run(
    `INSERT INTO items_words (rowid, words, more) VALUES (1, 'standing desk', 'größe ${long}'), (2, '', '')`,
  )
  const found = (condition: string) =>
    server.rows(`SELECT rowid FROM items_words WHERE ${condition} ORDER BY 1`, "shop")
  expect(server.rows("SELECT rowid FROM items_search WHERE words LIKE '%ing de%'", "shop")).toEqual([
    { rowid: 1 },
  ])
  expect(found("terms @@ CAST('''stand'':* & ''größe''' AS tsquery)")).toEqual([{ rowid: 1 }])
  expect(found("terms @@ CAST('''größe'':A' AS tsquery)")).toEqual([])
  expect(found(`terms @@ CAST('''${"y".repeat(255)}''' AS tsquery)`)).toEqual([{ rowid: 1 }])
  run("DELETE FROM items_words WHERE rowid IN (SELECT CAST(value AS BIGINT) FROM json_each('[1, 2]'))")
  expect(found("true")).toEqual([])
})
