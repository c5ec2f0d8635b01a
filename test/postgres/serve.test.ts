import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { asDatabase } from "../../src/core/engine/postgres/engine"
import { latestVersion, migrate } from "../../src/core/engine/schema/migrate"
import { firstVersion } from "../../src/core/engine/schema/migrations"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { refusalOf, send, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { until } from "../support/until"

const olderSchema = await Bun.file(join(import.meta.dir, "../support/schema-17.sql")).text()

describe.skipIf(!isPostgresInstalled())("kontor with a PostgreSQL database", () => {
  let server: PostgresServer
  let shop: string
  let kontor: Kontor
  let api: Api

  beforeAll(async () => {
    server = await postgres()
    shop = server.createDatabase("shop")
    // The server accepts any password.
    const url = server.tcpUrl("shop").replace("kontor@", "kontor:hidden%20word@")
    kontor = await serve({ args: ["--db", url] })
    api = await signIn(kontor)
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  /** Runs work with a connection to a database, as another program. */
  const inDatabase = <T>(name: string, work: (db: PostgresDatabase) => T): T => {
    const db = new PostgresDatabase(server.url(name))
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  test("a server creates the tables in an empty database, and check finds nothing", async () => {
    await api.create("/items", { itemCode: "PG-1", itemName: "Stored" })
    expect(inDatabase("shop", (db) => db.query("SELECT item_code FROM items").values())).toEqual([["PG-1"]])
    const checked = await run(["check", "--json", "--db", shop])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, faults: [] })
  })

  test("the log and the messages do not contain the password", async () => {
    const started = kontor.output.stderr.split("\n").find((line) => line.includes('"Started."')) ?? ""
    expect(JSON.parse(started).db).toBe(server.tcpUrl("shop"))
    const unreachable = "postgres://me:hidden%20word@127.0.0.1:1/shop?sslpassword=hidden"
    // A server would wait for it: test/postgres/start.test.ts.
    for (const args of [["check"], ["migrate", "--status"], ["backup", "x.db"]]) {
      const { code, stdout, stderr } = await run([...args, "--db", unreachable])
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).not.toContain("hidden")
    }
    expect(kontor.output.stderr).not.toContain("hidden")
  })

  test("a server of a newer version is refused while one of an older version runs, and nothing changes", async () => {
    const url = server.createDatabase("older")
    const older = await serve({ args: ["--db", url] })
    const version = "UPDATE kontor_schema SET version = version"
    inDatabase("older", (db) => db.run(`${version} - 1`))
    for (const command of [["serve", "--port", "0"], ["migrate"]]) {
      const { code, stderr } = await run([...command, "--db", url])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("Another Kontor process is using postgres://kontor@/older?"),
      ])
    }
    expect(await older.stop()).toBe(0)
    expect(inDatabase("older", (db) => db.query("SELECT version FROM kontor_schema").values())).toEqual([
      [latestVersion - 1],
    ])
  })

  test("two servers that start at once on an empty database create the tables once", async () => {
    const url = server.createDatabase("twice")
    const started = await Promise.all([serve({ args: ["--db", url] }), serve({ args: ["--db", url] })])
    expect(await Promise.all(started.map((each) => each.stop()))).toEqual([0, 0])
    expect((await run(["migrate", "--status", "--json", "--db", url])).stdout).toContain(
      `"version":${latestVersion}`,
    )
  })

  test("a command notices what the server writes, and the server what a command writes", async () => {
    const email = "viewer@example.com"
    const password = "a long enough password"
    await api.create("/users", { email, name: "Viewer", role: "viewer", password })
    const viewer = await signIn(kontor, email, password)
    expect((await viewer.get("/items")).status).toBe(200)
    expect(await run(["users", "disable", "--email", email, "--db", shop])).toMatchObject({ code: 0 })
    // PostgreSQL notifies the server a moment after the commit.
    while ((await viewer.get("/items")).status === 200) await Bun.sleep(10)
    expect((await viewer.get("/items")).status).toBe(401)
  })

  test("a database of another program is refused and not changed", async () => {
    const url = server.createDatabase("foreign")
    inDatabase("foreign", (db) => db.run("CREATE TABLE theirs (id text)"))
    for (const command of [["serve", "--port", "0"], ["migrate"], ["check"]]) {
      const { code, stderr } = await run([...command, "--db", url])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("is a database of another program, not a Kontor database."),
      ])
    }
    const tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    expect(inDatabase("foreign", (db) => db.query(tables).values())).toEqual([["theirs"]])
  })

  test("a database of the first version is upgraded, and check finds nothing", async () => {
    const url = server.createDatabase("upgraded")
    inDatabase("upgraded", (db) => {
      migrate(asDatabase(db), { schema: olderSchema, first: firstVersion, steps: [] })
      db.run(`INSERT INTO webhooks (id, url, types, payload, is_active, created_by, version, created_at, updated_at)
        VALUES ('whk_1', 'https://shop.example/', '["*"]', 'full', 1, 'usr_1', 1, '', '')`)
      db.run(`INSERT INTO webhook_deliveries (id, webhook, event, type, status, attempts, request, duration_ms, created_at,
        updated_at) VALUES ('dlv_1', 'whk_1', 'evt_1', 'items.updated', 'failed', 1, '{"id":"evt_1","record":{"a":1}}',
        1, '', '')`)
    })
    const migrated = await run(["migrate", "--json", "--db", url])
    expect(migrated.stderr).toBe("")
    expect(JSON.parse(migrated.stdout)).toMatchObject({
      from: 17,
      to: latestVersion,
    })
    expect(JSON.parse((await run(["check", "--json", "--db", url])).stdout)).toMatchObject({ faults: [] })
    const stored = inDatabase("upgraded", (db) => [
      ...db.query("SELECT owner FROM webhooks").values(),
      ...db.query("SELECT request FROM webhook_deliveries").values(),
    ])
    expect(stored).toEqual([["usr_1"], ['{"id":"evt_1"}']])
  })

  test("a database of a newer version is refused", async () => {
    const url = server.createDatabase("newer")
    expect((await run(["migrate", "--db", url])).code).toBe(0)
    inDatabase("newer", (db) => db.run("UPDATE kontor_schema SET version = 99"))
    const { code, stderr } = await run(["serve", "--port", "0", "--db", url])
    expect([code, stderr]).toEqual([1, expect.stringContaining("The database is at version 99;")])
  })

  test("check reports what was added to the schema or removed from it", async () => {
    const url = server.createDatabase("altered")
    expect((await run(["migrate", "--db", url])).code).toBe(0)
    inDatabase("altered", (db) => {
      db.run("CREATE FUNCTION added() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
      db.run("CREATE TRIGGER added BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION added()")
      db.run("ALTER TABLE audit_logs DISABLE TRIGGER audit_logs_no_update")
      db.run("DROP INDEX items_created_at; ALTER TABLE customers ALTER COLUMN name SET DEFAULT 'x'")
    })
    expect(JSON.parse((await run(["check", "--json", "--db", url])).stdout).faults).toEqual([
      'The function "added()" is not part of Kontor\'s schema.',
      "The table customers differs from Kontor's schema.",
      "The trigger added on items is not part of Kontor's schema.",
      "The trigger audit_logs_no_update on audit_logs differs from Kontor's schema.",
      "The index items_created_at on items is missing.",
    ])
  })

  test("check by a user who may not create a schema is refused with what is missing", async () => {
    inDatabase("shop", (db) =>
      db.run("CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"),
    )
    const { code, stderr } = await run(["check", "--db", shop.replace("kontor@", "reader@")])
    expect([code, stderr]).toEqual([1, expect.stringContaining("Use the owner of the database.")])
  })

  test("backups are refused with the names of programs that can make them", async () => {
    const sentence = expect.stringContaining("Use pg_dump or pgBackRest instead.")
    for (const method of ["GET", "POST"]) {
      const { status, body } = await api.call(method, "/backups")
      expect([status, body.error.code, body.error.message]).toEqual([501, "NOT_SUPPORTED", sentence])
    }
    for (const args of [
      ["backup", "x.db"],
      ["restore", "x.db"],
    ])
      expect(await run([...args, "--db", shop])).toMatchObject({ code: 1, stderr: sentence })
    const scheduled = await run(["serve", "--port", "0", "--db", shop, "--backup-dir", "."])
    expect(scheduled).toMatchObject({ code: 2, stderr: sentence })
  })

  test("reindex is refused while a server runs, and fills the search tables of a stopped one", async () => {
    expect(await run(["reindex", "--db", shop])).toMatchObject({ code: 1 })
    expect(await kontor.stop()).toBe(0)
    inDatabase("shop", (db) => db.run("DELETE FROM items_search; DELETE FROM items_words"))
    expect(JSON.parse((await run(["check", "--json", "--db", shop])).stdout).ok).toBe(false)
    const { code, stdout } = await run(["reindex", "--json", "--db", shop])
    expect([code, JSON.parse(stdout).records.items]).toEqual([0, 1])
    expect(JSON.parse((await run(["check", "--json", "--db", shop])).stdout).ok).toBe(true)
    kontor = await serve({ args: ["--db", shop] })
    api = await signIn(kontor)
    expect((await api.get("/items?search=stored")).body.meta.total).toBe(1)
  })

  test("a server goes on after its connections were ended", async () => {
    inDatabase("postgres", (db) =>
      db.run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'shop'"),
    )
    expect((await api.get("/items?itemCode=PG-1")).body.meta.total).toBe(1)
    await api.create("/items", { itemCode: "PG-2", itemName: "After" })
    // It has taken its lock again.
    expect(await run(["reindex", "--db", shop])).toMatchObject({ code: 1 })
  })

  test("while PostgreSQL is down, requests are answered with 503, and it goes on when it is up again", async () => {
    server.halt("immediate")
    const write = await api.post("/items", { itemCode: "PG-3", itemName: "Down" })
    expect(refusalOf(write)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
    const read = await api.get("/items/itm_none")
    expect(refusalOf(read)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
    expect([write, read].map(({ body }) => body.error.message)).toEqual([
      "The database cannot be written at the moment. Nothing was stored. Try again later.",
      "The database cannot be read at the moment. Try again later.",
    ])
    const { url } = kontor
    await until(async () =>
      (await send(`${url}/ready`)).body.error?.checks[0].message.startsWith("The Postgre"),
    )
    const { text, body } = await send(`${url}/ready`)
    const message = "The PostgreSQL server cannot be reached."
    expect(body.error).toMatchObject({ message, checks: [{ check: "read", code: "UNREACHABLE", message }] })
    expect(text).not.toMatch(/127\.0\.0\.1|hidden|kontor@/)
    const metrics = await send(`${url}/metrics`)
    expect([metrics.status, metrics.text.includes("\nkontor_database_up 0\n")]).toEqual([200, true])
    expect(metrics.text).not.toContain("kontor_jobs")
    server.start()
    // After a failed attempt to connect, there is none for half a second.
    while ((await api.get("/items")).status === 503) await Bun.sleep(100)
    expect((await api.get("/items?itemCode=PG-3")).body.meta.total).toBe(0)
    await api.create("/items", { itemCode: "PG-3", itemName: "Up" })
  })
})
