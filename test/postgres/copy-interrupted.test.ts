import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { cuttingProxy } from "../support/cutting-proxy"
import { cleanUp, emptyFolder, program, run } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { rowsOfFile, wholeShop } from "../support/whole-shop"

describe.skipIf(!isPostgresInstalled())("an interrupted kontor copy", () => {
  let server: PostgresServer
  let file: string
  let rows: Record<string, string[]>

  beforeAll(async () => {
    const [started, shop] = await Promise.all([postgres(), wholeShop()])
    server = started
    file = shop.file
    rows = rowsOfFile(file)
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  /** Starts a copy, and kills it when it has sent a statement through the proxy. */
  async function killAt(statement: string, argsOf: (port: number) => string[]): Promise<void> {
    const proxy = await cuttingProxy(server.port, statement, "hold")
    const child = Bun.spawn([...program, "copy", ...argsOf(proxy.port)], { stdout: "pipe", stderr: "pipe" })
    const ended = child.exited.then(async () => {
      throw new Error(`The copy has ended too early: ${await new Response(child.stderr).text()}`)
    })
    await Promise.race([proxy.reached, ended])
    ended.catch(() => {})
    child.kill("SIGKILL")
    await child.exited
    proxy.stop()
  }

  const opening = [["serve", "--port", "0"], ["check"], ["users", "list"], ["migrate"], ["reindex"]]

  /** Every command that opens a database refuses an unfinished copy. */
  async function expectRefused(db: string, commands = opening): Promise<void> {
    for (const args of commands) {
      const { code, stderr } = await run([...args, "--db", db])
      expect([args[0], code, stderr]).toEqual([
        args[0],
        1,
        expect.stringContaining("is an unfinished copy of "),
      ])
    }
  }

  const countIn = (address: string, table: string): number => {
    const db = new PostgresDatabase(address)
    const n = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1
    db.close()
    return n
  }

  test("a copy to PostgreSQL that was killed is refused by all commands, and continues", async () => {
    const address = server.createDatabase("killed")
    await killAt('INSERT INTO "invoices"', (port) => ["--db", file, "--to", server.tcpUrl("killed", port)])
    expect([countIn(address, "items") > 1_000, countIn(address, "invoices")]).toEqual([true, 0])
    await expectRefused(address)
    const back = join(emptyFolder(), "back.db")
    const refused = await run(["copy", "--db", address, "--to", back])
    expect([refused.code, existsSync(back)]).toEqual([1, false])
    const again = await run(["copy", "--db", file, "--to", address])
    expect(again.stderr).toContain("An earlier copy is continued in the table ")
    expect(again.stderr).not.toContain("items: ")
    expect(again).toMatchObject({ code: 0 })
    expect(await run(["copy", "--db", address, "--to", back])).toMatchObject({ code: 0 })
    expect(rowsOfFile(back)).toEqual(rows)
  })

  test("a copy that was killed in the middle of a table continues in it", async () => {
    const address = server.createDatabase("inside")
    await killAt('"item_name_sort":"one of many 900"', (port) => [
      "--db",
      file,
      "--to",
      server.tcpUrl("inside", port),
    ])
    const stored = countIn(address, "items")
    expect(stored > 0 && stored < (rows.items?.length ?? 0)).toBeTrue()
    const again = await run(["copy", "--db", file, "--to", address])
    expect(again).toMatchObject({ code: 0 })
    expect(again.stderr).toContain(`items: ${(rows.items?.length ?? 0) - stored} rows\n`)
  })

  test("a copy to a file that was killed is refused by all commands, and continues", async () => {
    const address = server.createDatabase("source")
    expect(await run(["copy", "--db", file, "--to", address])).toMatchObject({ code: 0 })
    const to = join(emptyFolder(), "to.db")
    await killAt('FROM "invoices"  ORDER BY', (port) => ["--db", server.tcpUrl("source", port), "--to", to])
    await expectRefused(to)
    // The address differs, but it is the same database in the same state.
    const again = await run(["copy", "--db", address, "--to", to])
    expect(again.stderr).toContain("An earlier copy is continued in the table ")
    expect(again).toMatchObject({ code: 0 })
    expect(rowsOfFile(to)).toEqual(rows)
  })

  test("a copy that loses its connection says that it continues, and does", async () => {
    const address = server.createDatabase("lost")
    const proxy = await cuttingProxy(server.port, 'INSERT INTO "payments"', "cut")
    const lost = await run(["copy", "--db", file, "--to", server.tcpUrl("lost", proxy.port)])
    proxy.stop()
    expect([lost.code, lost.stdout]).toEqual([1, ""])
    expect(lost.stderr).toContain("The connection to PostgreSQL was lost: ")
    expect(lost.stderr).toEndWith("Run the same command again to continue the copy.\n")
    expect(await run(["copy", "--db", file, "--to", address])).toMatchObject({ code: 0 })
  })

  test("a copy is not continued after its source has changed", async () => {
    const changed = join(emptyFolder(), "changed.db")
    copyFileSync(file, changed)
    const address = server.createDatabase("changed")
    await killAt('INSERT INTO "invoices"', (port) => [
      "--db",
      changed,
      "--to",
      server.tcpUrl("changed", port),
    ])
    const users = ["users", "create", "--email", "new@example.com", "--role", "viewer", "--db", changed]
    expect(await run(users)).toMatchObject({ code: 0 })
    const { code, stderr } = await run(["copy", "--db", changed, "--to", address])
    expect(code).toBe(1)
    expect(stderr).toContain("has changed since. Delete the copy and run the command again.")
    await expectRefused(address, [["check"]])
  })

  test("a row of the copy that differs is found, and the copy stays unfinished", async () => {
    const to = join(emptyFolder(), "to.db")
    const address = server.createDatabase("differing")
    expect(await run(["copy", "--db", file, "--to", address])).toMatchObject({ code: 0 })
    await killAt('FROM "settlements"  ORDER BY', (port) => [
      "--db",
      server.tcpUrl("differing", port),
      "--to",
      to,
    ])
    const db = new Database(to)
    const id = db
      .query<{ id: string }, []>("UPDATE items SET uom = 'Box' WHERE seq = 500 RETURNING id")
      .get()?.id
    db.close()
    const { code, stdout, stderr } = await run(["copy", "--db", address, "--to", to])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(`The copy differs from the source: items ${id}.\n`)
    expect(stderr).toContain("The copy is not the same as the source, and cannot be used.")
    await expectRefused(to, [["check"]])
  })
})
