// What a server finds when it starts: no PostgreSQL yet, tables of extensions, a pooler, and other clocks.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { signIn } from "../support/api"
import { withClock } from "../support/faketime"
import { cleanUp, program, run, serve, type Kontor } from "../support/kontor"
import { pgbouncer } from "../support/pgbouncer"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { until } from "../support/until"

afterAll(cleanUp)

const waiting = "Waiting for it for up to 60 seconds."

/** Starts a server that may never listen, and collects what it says. */
function begin(url: string) {
  const child = Bun.spawn([...program, "serve", "--port", "0", "--db", url], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const said = { stdout: "", stderr: "" }
  const follow = async (name: "stdout" | "stderr") => {
    for await (const text of child[name].pipeThrough(
      new TextDecoderStream(),
    ) as unknown as AsyncIterable<string>)
      said[name] += text
  }
  const ends = Promise.all([follow("stdout"), follow("stderr")])
  return {
    said,
    async end(signal: NodeJS.Signals = "SIGTERM") {
      child.kill(signal)
      await ends
      return child.exited
    },
  }
}

describe.skipIf(!isPostgresInstalled())("a server that starts", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await postgres()
  })
  afterAll(() => server?.stop())

  const inDatabase = <T>(name: string, work: (db: PostgresDatabase) => T): T => {
    const db = new PostgresDatabase(server.url(name))
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const isSound = async (url: string) => {
    const { code, stdout } = await run(["check", "--json", "--db", url])
    expect([code, JSON.parse(stdout).faults]).toEqual([0, []])
  }

  test("waits for PostgreSQL, and says so once", async () => {
    const url = server.createDatabase("late")
    server.halt()
    const kontor = begin(url)
    await until(() => kontor.said.stderr.includes(waiting))
    server.start()
    await until(() => kontor.said.stdout.includes("Kontor listening on"))
    expect(await kontor.end()).toBe(0)
    expect(kontor.said.stderr.split(waiting)).toHaveLength(2)
    expect(JSON.parse(kontor.said.stderr.split("\n")[0] ?? "")).toMatchObject({
      level: "warn",
      message: expect.stringContaining("The database postgres://kontor@/late"),
    })
  })

  test("ends when it is told to while it waits", async () => {
    const kontor = begin("postgres://kontor:hidden@127.0.0.1:1/shop")
    await until(() => kontor.said.stderr.includes(waiting))
    expect(await kontor.end()).toBe(0)
    expect(kontor.said.stderr).not.toContain("hidden")
  })

  test("does not wait for what only a person can change", async () => {
    for (const url of [server.url("nowhere"), server.tcpUrl("postgres").replace("kontor@", "stranger@")]) {
      const { code, stderr } = await run(["serve", "--port", "0", "--db", url])
      expect(code).toBe(1)
      expect(stderr).toContain("does not exist")
      expect(stderr).not.toContain(waiting)
    }
  })

  test("takes a database with extensions and views of others as empty, and check finds nothing", async () => {
    const url = server.createDatabase("watched")
    inDatabase("watched", (db) =>
      db.run(`CREATE EXTENSION pg_buffercache; CREATE EXTENSION pg_trgm; CREATE TABLE settings_of_extension (id bigint);
        ALTER EXTENSION pg_trgm ADD TABLE settings_of_extension; CREATE ROLE watcher; GRANT CREATE ON SCHEMA public TO watcher;
        SET ROLE watcher; CREATE VIEW sizes AS SELECT 1 AS n; CREATE MATERIALIZED VIEW kept AS SELECT 1 AS n; RESET ROLE`),
    )
    const kontor = await serve({ args: ["--db", url] })
    await (await signIn(kontor)).create("/items", { itemCode: "A", itemName: "A" })
    await kontor.stop()
    await isSound(url)
    const other = server.createDatabase("other")
    inDatabase("other", (db) => db.run("CREATE TABLE theirs (id bigint)"))
    const refused = await run(["serve", "--port", "0", "--db", other])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a database of another program"),
    })
  })

  describe("behind pgbouncer", () => {
    test("refuses one that gives each transaction another connection", async () => {
      server.createDatabase("pooled")
      const pool = await pgbouncer(server, "transaction")
      const refused = await run(["serve", "--port", "0", "--db", pool.url("pooled")])
      const again = await run(["users", "list", "--db", pool.url("pooled")])
      await pool.stop()
      for (const { code, stderr } of [refused, again]) {
        expect(code).toBe(1)
        expect(stderr).toContain("is behind a pooler that gives each transaction any of its connections")
        expect(stderr).toContain("set pool_mode = session")
      }
    })

    test("works with one that gives it a connection of its own", async () => {
      const pool = await pgbouncer(server, "session")
      const kontor = await serve({ args: ["--db", pool.url("pooled")] })
      const api = await signIn(kontor)
      await api.create("/items", { itemCode: "A", itemName: "A" })
      expect((await api.get("/items/export?format=csv")).text).toContain("A")
      await kontor.stop()
      await pool.stop()
    })
  })

  describe("with a clock that is not that of the others", () => {
    const warningsOf = async (kontor: Kontor) =>
      ((await (await fetch(`${kontor.url}/ready`)).json()) as any).warnings ?? []

    test("warns when PostgreSQL has another time", async () => {
      const url = server.createDatabase("hours")
      const right = await serve({ args: ["--db", url] })
      const ahead = await serve({ args: ["--db", url], command: withClock("+3h") })
      expect(await warningsOf(right)).toEqual([])
      const [warning] = await warningsOf(ahead)
      expect(warning).toMatchObject({ code: "CLOCKS_DIFFER" })
      expect(Math.round(warning.params.seconds / 3_600)).toBe(3)
      expect(ahead.output.stderr).toContain("The clocks of this server and of its database differ by")
      await ahead.stop()
      await right.stop()
    })

    test("dates only its own documents, and the audit log stays a chain", async () => {
      const url = server.createDatabase("years")
      const right = await serve({ args: ["--db", url] })
      const ahead = await serve({ args: ["--db", url], command: withClock("+365d") })
      const [mine, theirs] = [await signIn(right), await signIn(ahead)]
      const item = await mine.create("/items", { itemCode: "A", itemName: "A", itemType: "Service" })
      const customer = await mine.create("/customers", { name: "Ann" })
      const items = [{ item: item.id, quantity: 1, rate: 10 }]
      const sell = (api: typeof mine) =>
        api.create("/invoices", { customer: customer.id, items, status: "unpaid" })
      const sold = [await sell(theirs), await sell(mine), await sell(theirs), await sell(mine)]
      const year = new Date().getUTCFullYear()
      expect(sold.map(({ invoiceNumber }) => invoiceNumber)).toEqual([
        `INV-${year + 1}-00001`,
        `INV-${year}-00001`,
        `INV-${year + 1}-00002`,
        `INV-${year}-00002`,
      ])
      expect(await warningsOf(right)).toMatchObject([{ code: "CLOCK_SET_BACK" }])
      await ahead.stop()
      await right.stop()
      const { code, stdout } = await run(["check", "--json", "--db", url])
      const { faults, notes } = JSON.parse(stdout)
      expect([code, faults]).toEqual([0, []])
      expect(notes.slice(1).map((note: string) => note.split(" is ")[0])).toEqual([
        `The invoice INV-${year + 1}-00001`,
        `The invoice INV-${year + 1}-00002`,
      ])
    })
  })
})
