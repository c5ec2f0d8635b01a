import { Database, type Statement } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { NulInText, PostgresError } from "../../src/core/engine/postgres/driver/errors"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

describe.skipIf(!isPostgresInstalled())("values in PostgreSQL", () => {
  let server: PostgresServer
  let db: PostgresDatabase

  beforeAll(async () => {
    server = await postgres()
    db = new PostgresDatabase(server.url())
    db.run(`CREATE TABLE t (id text PRIMARY KEY, n bigint, f double precision, d numeric, yes boolean, bytes bytea,
      doc json, "user" text); CREATE TABLE notes (text text)`)
  })

  afterAll(() => {
    db?.close()
    server?.stop()
  })

  const echo = (type: string, value: never) =>
    db.query<{ v: unknown }, [never]>(`SELECT ?::${type} AS v`).get(value)?.v

  test.each([
    ["text", 'it\'s "quoted" \\ ? $1 ü 😀\n', 'it\'s "quoted" \\ ? $1 ü 😀\n'],
    ["text", "", ""],
    ["text", "a\u0001b\u007f", "a\u0001b\u007f"],
    ["bigint", 42, 42],
    ["bigint", -1, -1],
    ["bigint", 9_007_199_254_740_991, 9_007_199_254_740_991],
    ["bigint", 9_223_372_036_854_775_807n, 2 ** 63],
    ["integer", true, 1],
    ["integer", false, 0],
    ["boolean", true, 1],
    ["boolean", 0, 0],
    ["double precision", 0.1, 0.1],
    ["double precision", 1e300, 1e300],
    ["double precision", 5e-324, 5e-324],
    ["numeric", 12.5, 12.5],
    ["bytea", new Uint8Array([0, 39, 92, 255]), new Uint8Array([0, 39, 92, 255])],
    ["bytea", new Uint8Array(0), new Uint8Array(0)],
    ["json", '{"a": 1}', '{"a": 1}'],
    ["text", null, null],
    ["bytea", null, null],
  ])("%s: %p is read as %p", (type, value, read) => {
    expect(echo(type, value as never)).toEqual(read)
  })

  test("a text of 1 MB and bytes of 1 MB are stored", () => {
    const text = "aü😀'".repeat(200_000)
    const bytes = crypto.getRandomValues(new Uint8Array(65_536))
    const long = new Uint8Array(1 << 20).map((_, i) => bytes[i % bytes.length] ?? 0)
    db.query("INSERT INTO t (id, bytes, n, doc) VALUES (?, ?, ?, ?)").run(text.slice(0, 500), long, 1, null)
    expect(db.query<{ v: string }, [string]>("SELECT ?::text AS v").get(text)?.v === text).toBeTrue()
    const found = db.query<{ bytes: Uint8Array }, []>("SELECT bytes FROM t").get()
    expect(Buffer.compare(found?.bytes ?? new Uint8Array(), long)).toBe(0)
  })

  test("a NUL character is refused before anything is sent, and cuts no text", () => {
    db.query("INSERT INTO notes VALUES (?)").run("admin@example.com")
    const find = db.query("SELECT text FROM notes WHERE text = ?")
    expect(() => find.get("admin@example.com\0x")).toThrow(NulInText)
    expect(() => db.run("INSERT INTO notes VALUES (?)", ["\0"])).toThrow("NUL")
    db.run("BEGIN")
    expect(() => find.get("\0")).toThrow(NulInText)
    expect(find.get("admin@example.com")).toEqual({ text: "admin@example.com" })
    db.run("SAVEPOINT one")
    expect(() => db.query("SELECT 'a\0b'").get()).toThrow(NulInText)
    expect(find.get("admin@example.com")).toEqual({ text: "admin@example.com" })
    db.run("COMMIT")
    expect(() => db.run("INSERT INTO notes VALUES ('a\0b')")).toThrow(NulInText)
    expect(() => db.query("SELECT 'a\0b'").get()).toThrow(NulInText)
    expect(() => db.listen("a\0b")).toThrow(NulInText)
  })

  test("half of a surrogate pair becomes the replacement character", () => {
    expect(echo("text", "a\ud800b\udc00" as never)).toBe("a\ufffdb\ufffd")
  })

  test.each([[undefined], [NaN], [Infinity], [{}], [Symbol("s")], [() => 1]])("%p is refused", (value) => {
    expect(() => echo("text", value as never)).toThrow(TypeError)
  })

  test("a wrong number of values is refused", () => {
    const statement = db.prepare<unknown, string[]>("SELECT ?::text, ?2::text")
    expect(() => statement.get("a")).toThrow("needs 2 values, but got 1")
    expect(() => statement.get("a", "b", "c")).toThrow("needs 2 values, but got 3")
    const many = Array.from({ length: 65_536 }, () => 1)
    const list = db.prepare<unknown, number[]>(`SELECT 1 WHERE 1 IN (${many.map(() => "?").join()})`)
    expect(() => list.get(...many)).toThrow("PostgreSQL allows 65535")
  })

  test("10,000 rows and 10,000 parameters are read", () => {
    const numbers = Array.from({ length: 10_000 }, (_, i) => i)
    const rows = db
      .query<{ i: number; text: string }, [number]>(
        "SELECT i, 'text ' || i AS text FROM generate_series(0, ? - 1) i",
      )
      .all(10_000)
    expect(rows).toEqual(numbers.map((i) => ({ i, text: `text ${i}` })))
    const sum = `SELECT sum(v) AS sum FROM (VALUES ${numbers.map(() => "(?::bigint)").join()}) AS list (v)`
    expect(db.prepare<unknown, number[]>(sum).get(...numbers)).toEqual({ sum: 49_995_000 })
  })

  test("statements behave as those of bun:sqlite", () => {
    const lite = new Database(":memory:", { strict: true })
    type Both = Pick<
      Statement<{ id: string; n: number }, [string, number]>,
      "get" | "all" | "values" | "run" | "iterate" | "finalize" | "paramsCount"
    >
    const [query, write] = [
      "SELECT id, n AS theNumber, NULL AS missing FROM b WHERE id >= ?1 AND n <= ?2 ORDER BY id",
      "INSERT INTO b (id, n) VALUES (?, ?)",
    ]
    const told = [lite, db].map((each) => {
      each.run("CREATE TABLE b (id TEXT PRIMARY KEY, n BIGINT)")
      const statement: Both = each.query<{ id: string; n: number }, [string, number]>(query)
      const insertion: Both = each.prepare<{ id: string; n: number }, [string, number]>(write)
      const changes = ["a", "b", "c"].map((id, i) => insertion.run(id, i).changes)
      const found = [
        statement.get("a", 5),
        statement.get("x", 5),
        statement.all("b", 5),
        statement.all("x", 1),
      ]
      const more = [statement.values("a", 1), [...statement.iterate("b", 9)], statement.paramsCount]
      const updated = each.run("UPDATE b SET n = n + ? WHERE n > ?", [1, 0]).changes
      const none = each.query("UPDATE b SET n = 1 WHERE id = ?").run("x").changes
      const returned = each.query("DELETE FROM b WHERE id = ? RETURNING id, n").get("a")
      insertion.finalize()
      return { changes, found, more, updated, none, returned }
    })
    expect(told[1]).toEqual(told[0])
    lite.close()
  })

  test("a statement whose table has changed is prepared again", () => {
    db.run("CREATE TABLE changing (a text); INSERT INTO changing VALUES ('x')")
    const all = db.query("SELECT * FROM changing")
    expect(all.get()).toEqual({ a: "x" })
    const other = new PostgresDatabase(server.url())
    other.run("ALTER TABLE changing ADD COLUMN b bigint DEFAULT 7")
    expect(all.get()).toEqual({ a: "x", b: 7 })
    other.run("ALTER TABLE changing ADD COLUMN c bigint DEFAULT 8")
    db.run("BEGIN")
    expect(all.get()).toEqual({ a: "x", b: 7, c: 8 })
    expect(db.inTransaction).toBeTrue()
    db.run("COMMIT")
    db.run("DEALLOCATE ALL")
    expect(all.get()).toEqual({ a: "x", b: 7, c: 8 })
    other.close()
  })

  test("the server keeps at most 500 prepared statements", () => {
    for (let i = 0; i < 1200; i++)
      expect(db.prepare(`SELECT ${i} AS i, ?::int AS j`).get(i)).toEqual({ i, j: i })
    const kept = db.query<{ n: number }, []>("SELECT count(*) AS n FROM pg_prepared_statements").get()?.n
    expect(kept).toBeWithin(490, 502)
    expect(db.prepare("SELECT 3 AS i, ?::int AS j").get(4)).toEqual({ i: 3, j: 4 })
    db.run("BEGIN")
    db.run("SAVEPOINT one")
    expect(() => db.query("SELECT 1 / ?::int AS failing").get(0)).toThrow("division by zero")
    db.run("ROLLBACK TO one")
    expect(db.prepare("SELECT 5 AS i, ?::int AS j").get(6)).toEqual({ i: 5, j: 6 })
    db.run("COMMIT")
  })

  test("rows are iterated while other statements run, and the rest is not read", () => {
    const rows = db.query<{ i: number }, [number]>("SELECT i FROM generate_series(1, ?) i ORDER BY i")
    let sum = 0
    for (const { i } of rows.iterate(1500)) sum += rows.all(i).length === i ? i : 0
    expect(sum).toBe(1_125_750)
    for (const { i } of rows.iterate(100_000)) if (i > 600) break
    db.run("BEGIN")
    const open = rows.iterate(1200)
    expect(open.next().value).toEqual({ i: 1 })
    db.run("COMMIT")
    expect([...open]).toHaveLength(1199)
    expect(
      db.query<{ n: number }, []>("SELECT count(*) AS n FROM pg_cursors WHERE name <> ''").get()?.n,
    ).toBe(0)
  })

  test("an error while rows are iterated is not hidden", () => {
    const rows = db.query("SELECT i FROM generate_series(1, 1200) i")
    const failing = () => {
      for (const _ of rows.iterate()) db.run("SELEC 1")
    }
    expect(failing).toThrow("syntax error")
    db.run("BEGIN")
    expect(failing).toThrow("syntax error")
    db.run("ROLLBACK")
    expect([...rows.iterate()]).toHaveLength(1200)
  })

  test("a cursor that a rollback has closed does not disturb the next transaction", () => {
    const rows = db.query("SELECT i FROM generate_series(1, 1200) i")
    db.run("BEGIN")
    const open = rows.iterate()
    open.next()
    db.run("ROLLBACK")
    db.run("BEGIN")
    expect(db.query("SELECT 1 AS one").get()).toEqual({ one: 1 })
    open.return?.()
    expect(db.query("SELECT 1 AS one").get()).toEqual({ one: 1 })
    expect([...rows.iterate()]).toHaveLength(1200)
    db.run("COMMIT")
  })

  test("errors have a code, and the constraint that refused the value", () => {
    const insertion = db.query("INSERT INTO b (id, n) VALUES (?, ?)")
    insertion.run("twice", 1)
    let error: unknown
    try {
      insertion.run("twice", 2)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(PostgresError)
    expect(error).toMatchObject({
      code: "23505",
      constraint: "b_pkey",
      detail: "Key (id)=(twice) already exists.",
    })
    expect(String(error)).not.toContain("twice")
    expect(() => insertion.run("x", 0.5)).toThrow("invalid input syntax for type bigint")
    expect(() => db.query("SELEC 1").get()).toThrow("syntax error")
  })
})
