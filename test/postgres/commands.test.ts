import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { apiWith, signIn, type Api } from "../support/api"
import { cleanUp, program, run, serve, type Kontor } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { trade } from "../support/trade"

describe.skipIf(!isPostgresInstalled())("kontor's commands with a PostgreSQL database", () => {
  let server: PostgresServer
  /** The address of the shop for its owner, who has no other rights on the server. */
  let shop: string
  let kontor: Kontor
  let api: Api

  beforeAll(async () => {
    const access = ["local all all trust", "host all guest all scram-sha-256", "host all all all trust"]
    server = await postgres({ access })
    server.createDatabase("shop")
    inDatabase("shop", (db) => {
      db.run("CREATE ROLE clerk LOGIN; ALTER DATABASE shop OWNER TO clerk")
      db.run("CREATE ROLE guest LOGIN PASSWORD 'right'; CREATE ROLE reader LOGIN; CREATE ROLE nobody LOGIN")
    })
    shop = addressFor("clerk", "shop")
    kontor = await serve({ args: ["--db", shop] })
    api = await signIn(kontor)
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  const addressFor = (user: string, database: string) =>
    server.tcpUrl(database).replace("kontor@", `${user}@`)

  function inDatabase<T>(name: string, work: (db: PostgresDatabase) => T): T {
    const db = new PostgresDatabase(server.url(name))
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  const inShop = (...args: string[]) => run([...args, "--db", shop])

  /** Runs a command that must succeed, and returns its JSON. */
  async function resultOf(...args: string[]) {
    const { code, stdout, stderr } = await inShop(...args, "--json")
    expect([code, stderr]).toEqual([0, ""])
    return JSON.parse(stdout)
  }

  async function expectRefusal(args: string[], address: string, ...said: string[]): Promise<void> {
    const { code, stdout, stderr } = await run([...args, "--db", address])
    expect([args[0], code, stdout]).toEqual([args[0], 1, ""])
    for (const part of said) expect(stderr).toContain(part)
    expect(stderr).not.toContain("Unexpected error")
  }

  test("the user only needs to be the owner of the database", async () => {
    const roles = "SELECT rolsuper OR rolcreatedb OR rolcreaterole AS n FROM pg_roles WHERE rolname = 'clerk'"
    expect(inDatabase("shop", (db) => db.query(roles).values())).toEqual([[0]])
    const item = await api.create("/items", { itemCode: "OWN-1", itemName: "Written by the owner" })
    expect((await api.get("/items?search=owner")).body.data).toMatchObject([{ id: item.id }])
    expect(await resultOf("check")).toMatchObject({ ok: true, faults: [] })
  })

  test("a database with an aggregate of the first version has no problems", async () => {
    server.createDatabase("first")
    expect(await run(["migrate", "--db", server.url("first")])).toMatchObject({ code: 0 })
    inDatabase("first", (db) =>
      db.run(
        "CREATE AGGREGATE group_concat(text, text) (SFUNC = string_agg_transfn, STYPE = internal, FINALFUNC = string_agg_finalfn)",
      ),
    )
    expect(await run(["check", "--db", server.url("first")])).toMatchObject({ code: 0 })
  })

  test("users, keys and clients are managed while the server runs, which applies the changes", async () => {
    const user = await resultOf("users", "create", "--email", "mia@example.com", "--role", "sales")
    const mia = await signIn(kontor, "mia@example.com", user.password)
    expect((await mia.get("/customers")).status).toBe(200)
    expect((await inShop("users", "list")).stdout).toContain("mia@example.com")

    const key = await resultOf("keys", "create", "--name", "Shop", "--scopes", "read")
    const withKey = apiWith(kontor, { "x-api-key": key.key })
    expect((await withKey.get("/items")).status).toBe(200)
    expect(await resultOf("keys", "list")).toMatchObject([{ id: key.id, name: "Shop" }])
    expect(await inShop("keys", "revoke", key.id)).toMatchObject({ code: 0 })
    // PostgreSQL notifies the server a moment after the commit.
    while ((await withKey.get("/items")).status === 200) await Bun.sleep(10)
    expect((await withKey.get("/items")).status).toBe(401)

    const uri = ["--redirect-uri", "https://shop.example/cb"]
    const client = await resultOf("clients", "create", "--name", "App", ...uri, "--scopes", "read")
    expect(await resultOf("clients", "list")).toMatchObject([{ id: client.id, name: "App" }])
    expect(await inShop("clients", "remove", client.id)).toMatchObject({ code: 0 })
    expect(await resultOf("clients", "list")).toEqual([])
  })

  test("stats says what takes the space, and only reads", async () => {
    await api.create("/items", { itemCode: "SPACE-1", itemName: "Takes space" })
    inDatabase("shop", (db) =>
      db.run("CREATE ROLE watcher LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO watcher"),
    )
    const address = addressFor("watcher", "shop")
    const { code, stdout, stderr } = await run(["stats", "--json", "--db", address])
    expect([code, stderr]).toEqual([0, ""])
    const { bytes, unused, walBytes, groups } = JSON.parse(stdout)
    expect([unused, walBytes]).toEqual([null, null])
    const sum = groups.reduce((all: number, part: { bytes: number }) => all + part.bytes, 0)
    expect(sum).toBe(bytes)
    type Part = { name: string; bytes: number; rows: number; bytesPerDay: number[]; of: Part[] }
    const part = (name: string, parts: Part[] = groups) => parts.find((each) => each.name === name)
    for (const name of ["Records", "Audit log", "Search", "Indexes", "Other"])
      expect([name, (part(name)?.bytes ?? 0) > 0]).toEqual([name, true])
    const items = part("items", part("Records")?.of)
    // All of them are new, and less than a day old.
    expect(items?.rows).toBeGreaterThan(0)
    expect(items?.bytesPerDay).toEqual([items?.bytes ?? 0, items?.bytes ?? 0])
    expect((await inShop("stats")).stdout).toMatch(/^All +[\d.]+ [kM]B +100 %/m)
  })

  test("check finds figures, numbers and audit entries that were changed by hand, and nothing else", async () => {
    const { invoiceNumber, customer } = await trade(api).invoice()
    const copy = server.createDatabase("changed")
    await kontor.stop()
    expect(await run(["copy", "--db", shop, "--to", copy])).toMatchObject({ code: 0 })
    kontor = await serve({ args: ["--db", shop] })
    api = await signIn(kontor)
    inDatabase("changed", (db) => {
      db.run("UPDATE items SET current_stock = current_stock + 10000 WHERE item_code = 'OWN-1'")
      db.run("UPDATE invoice_lines SET amount = amount + 1")
      db.run(`UPDATE customers SET outstanding_balance = outstanding_balance + 1 WHERE id = '${customer}'`)
      db.run("UPDATE number_series SET last = last + 1 WHERE name LIKE 'INV%'")
      db.run("SET session_replication_role = replica; UPDATE audit_logs SET actor_name = 'Eve' WHERE seq = 2")
    })
    const { faults } = JSON.parse((await run(["check", "--json", "--db", copy])).stdout)
    expect(faults).toEqual([
      "The stock of item OWN-1 is 1; its movements add up to 0.",
      "The outstanding balance of customer CUST-00001 is 2001; the open invoices add up to 2000.",
      `The lines of invoice ${invoiceNumber} add up to 2001; its subtotal is 2000.`,
      `The lines of a tax of invoice ${invoiceNumber} add up to 2001; its base is 2000.`,
      `The last number of the series ${invoiceNumber.replace(/-\d+$/, "")} is 2; the last invoice has 1.`,
      expect.stringMatching(
        /^The audit log was changed: entry 2 \(\w+\) does not match the entry before it\.$/,
      ),
    ])
  })

  test("events and webhooks are printed, and there is no setup link for a shop with an admin", async () => {
    const { id } = await api.create("/items", { itemCode: "EVT-1", itemName: "Seen" })
    const { stdout } = await inShop("events", "--json", "--types", "items.created")
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).recordId),
    ).toContain(id)
    expect(await resultOf("webhooks", "list")).toEqual([])
    await expectRefusal(["setup-link"], shop, `${shop} already has an admin`)
  })

  test("events --follow goes on after its connection was ended", async () => {
    const child = Bun.spawn([...program, "events", "--follow", "--json", "--db", shop], { stdout: "pipe" })
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
    const printed = async (id: string) => {
      for (let text = ""; !text.includes(id);) text += (await lines.read()).value ?? ""
    }
    const first = await api.create("/items", { itemCode: "EVT-2", itemName: "Before" })
    await printed(first.id)
    inDatabase("shop", (db) =>
      db.run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'clerk'"),
    )
    const second = await api.create("/items", { itemCode: "EVT-3", itemName: "After" })
    await printed(second.id)
    child.kill()
    await child.exited
  })

  test("what cannot be opened is named, with the reason and without the password", async () => {
    const wrong = addressFor("guest:wrong", "shop")
    for (const args of [["users", "list"], ["check"], ["migrate", "--status"], ["serve", "--port", "0"]]) {
      await expectRefusal(args, wrong, "password authentication failed", addressFor("guest", "shop"))
      await expectRefusal(args, addressFor("clerk", "nowhere"), 'database "nowhere" does not exist')
      await expectRefusal(args, addressFor("stranger", "shop"), 'role "stranger" does not exist')
    }
    await expectRefusal(["check"], "postgres://clerk@nowhere.invalid/shop", "host name", "nowhere.invalid")
  })

  test("commands say that an empty database has no tables, and create none", async () => {
    const empty = server.createDatabase("empty")
    for (const args of [["check"], ["users", "list"], ["events"], ["reindex"], ["copy", "--to", "x.db"]])
      await expectRefusal(args, empty, 'has no tables. "kontor serve" creates them.')
    const tables = "SELECT count(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    expect(inDatabase("empty", (db) => db.query(tables).values())).toEqual([[0]])
  })

  test("what PostgreSQL does not allow the user is said as a sentence", async () => {
    inDatabase("shop", (db) => db.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"))
    const reader = addressFor("reader", "shop")
    expect((await run(["users", "list", "--db", reader])).stdout).toContain("mia@example.com")
    const disable = ["users", "disable", "--email", "mia@example.com"]
    await expectRefusal(disable, reader, "Nothing was stored.", "permission denied for table write_lock")
    const denied = "PostgreSQL refused a statement: permission denied for table"
    for (const args of [
      ["users", "list"],
      ["migrate", "--status"],
      ["serve", "--port", "0"],
    ])
      await expectRefusal(args, addressFor("nobody", "shop"), denied)
    server.createDatabase("bare")
    inDatabase("bare", (db) => db.run("DROP SCHEMA public"))
    await expectRefusal(["migrate"], server.url("bare"), "no schema has been selected to create in.")
    const foreign = addressFor("clerk", "postgres")
    await expectRefusal(["serve", "--port", "0"], foreign, "The extension pg_trgm is missing")
  })

  test("an upgrade that fails says that nothing was changed", async () => {
    const url = server.createDatabase("stuck")
    expect(await run(["migrate", "--db", url])).toMatchObject({ code: 0 })
    inDatabase("stuck", (db) => db.run("UPDATE kontor_schema SET version = 17"))
    for (const args of [["migrate"], ["serve", "--port", "0"]])
      await expectRefusal(args, url, "could not be upgraded from version 17 to", "Nothing was changed.")
    expect((await run(["migrate", "--status", "--db", url])).stdout).toContain("is at version 17;")
  })
})
