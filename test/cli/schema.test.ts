import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { restore } from "../../src/core/engine/backup/restore"
import { Unusable } from "../../src/core/lib/refusal"
import { signIn } from "../support/api"
import { problemsIn } from "../support/check"
import { inFile } from "../support/file"
import { makeOlder } from "../support/older-file"
import { adminPassword, cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { trade } from "../support/trade"

const folder = emptyFolder()
const copy = join(folder, "copy.db")
const old = join(folder, "older.db")

beforeAll(async () => {
  const kontor = await serve()
  const api = await signIn(kontor)
  await trade(api).invoice()
  await api.create("/users", {
    email: "viewer@example.com",
    name: "V",
    role: "viewer",
    password: adminPassword,
  })
  expect(await run(["backup", copy], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  makeOlder(copy, old)
})
afterAll(cleanUp)

/** Recreates a table with another definition, and its rows, indexes and triggers. SQL cannot alter it in place. */
const rewrite =
  (table: string, from: string, to: string): Alteration =>
  (file) =>
    inFile({ file }, (db) => {
      const parts = db
        .query<{ name: string; sql: string }, [string]>(
          "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC",
        )
        .all(table)
      const sql = parts[0]?.sql ?? ""
      expect(sql).toContain(from)
      db.run("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
      db.run(`CREATE TEMP TABLE kept AS SELECT * FROM ${table}; DROP TABLE ${table}`)
      db.run(sql.replace(from, to))
      if (!sql.includes("VIRTUAL")) db.run(`INSERT INTO ${table} SELECT * FROM kept`)
      for (const part of parts.slice(1)) db.run(part.sql)
    })

/** Changes the file itself, because SQLite does not allow it. Both texts have the same length. */
const inBytes =
  (sql: string, from: string, to: string): Alteration =>
  (file) => {
    inFile({ file }, (db) => db.run(sql))
    const bytes = readFileSync(file).toString("latin1")
    expect(bytes).toContain(from)
    writeFileSync(file, bytes.replaceAll(from, to), "latin1")
  }

type Alteration = string | ((file: string) => void)

const promote =
  "CREATE TRIGGER promote AFTER INSERT ON sessions BEGIN UPDATE users SET role = 'admin' WHERE id = NEW.user; END"

/** Drops a column and adds it again, as a later version may do: it is then the last column. */
const moveLast = (definition: string) =>
  `ALTER TABLE customers DROP COLUMN payment_terms_sort; ALTER TABLE customers ADD COLUMN payment_terms_sort ${definition}`

/** What an attacker with write access to a backup may do to it, in either version, and the expected message. */
const alterations: [string, Alteration, string][] = [
  [
    "a trigger that makes every user who signs in an admin",
    promote,
    "The trigger promote on sessions is not part of",
  ],
  [
    "a trigger that is named like SQLite's statistics",
    inBytes(promote.replace("promote", "sqlits_stat1"), "sqlits_stat1", "sqlite_stat1"),
    "The trigger sqlite_stat1 on sessions is not part of",
  ],
  [
    "a table that is named like SQLite's statistics",
    inBytes("CREATE TABLE sqlits_stat1 (x TEXT) STRICT", "sqlits_stat1", "sqlite_stat1"),
    "The table sqlite_stat1 is not part of",
  ],
  [
    "a table that is named like one of Litestream's",
    "CREATE TABLE _litestream_lock (id INTEGER, x TEXT DEFAULT (random()))",
    "The table _litestream_lock is not part of",
  ],
  [
    "an audit trigger that does less",
    `DROP TRIGGER audit_logs_no_update;
     CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs WHEN NEW.actor IS NOT NULL BEGIN
       SELECT RAISE (ABORT, 'the audit log only grows');
     END`,
    "The trigger audit_logs_no_update on audit_logs differs from Kontor's schema.",
  ],
  [
    "a missing audit trigger",
    "DROP TRIGGER audit_logs_no_delete",
    "The trigger audit_logs_no_delete on audit_logs is missing.",
  ],
  ["a view", "CREATE VIEW everyone AS SELECT * FROM passwords", "The view everyone is not part of"],
  [
    "a view instead of a table",
    "DROP TABLE rate_days; CREATE VIEW rate_days AS SELECT name AS subject, value AS day, 1 AS count FROM secrets",
    "The view rate_days is not part of",
  ],
  ["a table", "CREATE TABLE loot (x TEXT) STRICT", "The table loot is not part of"],
  [
    "a table with terminal control characters in its name",
    'CREATE TABLE "\u001b[2J" (x TEXT) STRICT',
    'The table "\\u001b[2J" is not part of',
  ],
  ["a virtual table", "CREATE VIRTUAL TABLE pages USING dbstat", "The table pages is not part of"],
  ["an index", "CREATE INDEX mine ON items (uom)", "The index mine on items is not part of"],
  ["a missing index", "DROP INDEX items_category", "The index items_category on items is missing."],
  [
    "a column with a default",
    "ALTER TABLE users ADD COLUMN more TEXT DEFAULT 'x'",
    "The table users differs from Kontor's schema.",
  ],
  [
    "a computed column",
    "ALTER TABLE users ADD COLUMN more TEXT AS (upper(name)) VIRTUAL",
    "The table users differs from Kontor's schema.",
  ],
  [
    "a different default of a column",
    rewrite(
      "items",
      "current_stock    INTEGER NOT NULL DEFAULT 0",
      "current_stock    INTEGER NOT NULL DEFAULT 9",
    ),
    "The table items differs from Kontor's schema.",
  ],
  [
    "a different ON DELETE action",
    rewrite("payments", "REFERENCES invoices (id)", "REFERENCES invoices (id) ON DELETE CASCADE"),
    "The table payments differs from Kontor's schema.",
  ],
  [
    "a missing reference",
    rewrite("passwords", "REFERENCES users (id) ON DELETE CASCADE", ""),
    "The table passwords differs from Kontor's schema.",
  ],
  [
    "a unique column with ON CONFLICT REPLACE",
    rewrite(
      "users",
      "email_key  TEXT NOT NULL UNIQUE",
      "email_key  TEXT NOT NULL UNIQUE ON CONFLICT REPLACE",
    ),
    "The table users differs from Kontor's schema.",
  ],
  ...(
    [
      ["a different type", "INTEGER"],
      ["a different default", "TEXT DEFAULT 'x'"],
      ["NOT NULL", "TEXT NOT NULL DEFAULT ''"],
      ["a reference", "TEXT REFERENCES users (id)"],
    ] as const
  ).map(([what, definition]): [string, Alteration, string] => [
    `a column that is last, with ${what}`,
    moveLast(definition),
    "The table customers differs from Kontor's schema.",
  ]),
  [
    "a different collation",
    rewrite("users", "role       TEXT NOT NULL", "role       TEXT NOT NULL COLLATE NOCASE"),
    "The table users differs from Kontor's schema.",
  ],
  [
    "a table that is not STRICT",
    rewrite("users", ") STRICT", ")"),
    "The table users differs from Kontor's schema.",
  ],
  [
    "a search table with other options",
    rewrite("items_words", "detail = column", "detail = none"),
    "The table items_words differs from Kontor's schema.",
  ],
]

/** An older file is compared with two schemas, which takes long: the short form alters some of them. */
const isAlteredInOld = (i: number): boolean => isLong || i % 3 === 0

const alteredFrom = (source: string, alter: Alteration): string => {
  const file = join(emptyFolder(), "altered.db")
  copyFileSync(source, file)
  if (typeof alter === "string") inFile({ file }, (db) => db.run(alter))
  else alter(file)
  return file
}

/** What `kontor restore` prints when it refuses a file. The last test of an altered schema shows that it prints it. */
const refusalOf = (file: string, cwd: string): Promise<string> =>
  restore(file, join(cwd, "kontor.db"), "2026-01-01T00:00:00.000Z").then(
    () => "restored",
    (error) => (error instanceof Unusable ? error.message : String(error)),
  )

describe("a backup with an altered schema", () => {
  test.each(alterations)("%s: restore refuses it and changes nothing", async (name, alter, says) => {
    const cwd = emptyFolder()
    const place = alterations.findIndex(([each]) => each === name)
    for (const source of isAlteredInOld(place) ? [copy, old] : [copy]) {
      const file = alteredFrom(source, alter)
      const refusal = await refusalOf(file, cwd)
      expect(refusal).toStartWith(`${file} was not used. ${source === copy ? says : ""}`)
      expect(refusal.trim().split("\n")).toHaveLength(1)
    }
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each(alterations)("%s: check reports it", (_, alter, says) => {
    expect(problemsIn(alteredFrom(copy, alter)).join("\n")).toContain(says)
  })

  test("is reported by the command check with all that is altered, and exit code 1", async () => {
    const file = alteredFrom(copy, `${promote}; DROP INDEX items_category`)
    const { code, stdout } = await run(["check", "--db", file])
    expect([code, stdout.split("\n").filter((line) => !line.includes("audit log"))]).toEqual([
      1,
      [...problemsIn(file), ""],
    ])
    expect(problemsIn(file)).toEqual([
      expect.stringContaining("The trigger promote on sessions is not part of"),
      "The index items_category on items is missing.",
    ])
  })

  test("does not change the existing database", async () => {
    const cwd = emptyFolder()
    expect(await run(["restore", copy], { cwd })).toMatchObject({ code: 0 })
    const before = readFileSync(join(cwd, "kontor.db"))
    expect(await run(["restore", alteredFrom(copy, promote)], { cwd })).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^\S+altered\.db was not used\. The trigger promote on sessions is not part of Kontor's schema\.\n$/,
      ),
    })
    expect(readFileSync(join(cwd, "kontor.db")).equals(before)).toBeTrue()
    expect(readdirSync(cwd)).toEqual(["kontor.db"])
  })
})

describe("an unaltered backup", () => {
  test("of an older version can be restored, served and checked", async () => {
    const cwd = emptyFolder()
    expect(await run(["restore", old], { cwd })).toMatchObject({ code: 0 })
    await (await serve({ cwd, env: {} })).stop()
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0, stderr: "" })
    const again = join(cwd, "again.db")
    expect(await run(["backup", again], { cwd })).toMatchObject({ code: 0 })
    expect(await run(["restore", again, "--db", join(cwd, "third.db")])).toMatchObject({ code: 0 })
  })

  test("with a column that was added later is accepted", async () => {
    const cwd = emptyFolder()
    for (const source of [copy, old])
      expect(await run(["restore", alteredFrom(source, moveLast("TEXT"))], { cwd })).toMatchObject({
        code: 0,
      })
    await run(["migrate"], { cwd })
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  })

  test("after ANALYZE and VACUUM is accepted", async () => {
    const cwd = emptyFolder()
    for (const source of [copy, old])
      expect(await run(["restore", alteredFrom(source, "ANALYZE; VACUUM")], { cwd })).toMatchObject({
        code: 0,
      })
    await run(["migrate"], { cwd })
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  })

  test("with the tables of Litestream is accepted", async () => {
    const tables = `CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
      CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER); INSERT INTO _litestream_seq VALUES (1, 7)`
    const cwd = emptyFolder()
    for (const source of [copy, old])
      expect(await run(["restore", alteredFrom(source, tables)], { cwd })).toMatchObject({ code: 0 })
    await run(["migrate"], { cwd })
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  })
})
