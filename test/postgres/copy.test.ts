import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { apiWith, signIn, type Api } from "../support/api"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { rowsOfFile, textsOf, wholeShop, type WholeShop } from "../support/whole-shop"

describe.skipIf(!isPostgresInstalled())("kontor copy of a whole shop", () => {
  let server: PostgresServer
  let shop: WholeShop
  /** The rows of the file before it was copied. */
  let rows: Record<string, string[]>
  let address: string
  const back = join(emptyFolder(), "back.db")

  beforeAll(async () => {
    ;[server, shop] = await Promise.all([postgres(), wholeShop()])
    rows = rowsOfFile(shop.file)
    address = server.createDatabase("shop")
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  const headOf = async (db: string) =>
    JSON.parse((await run(["check", "--json", "--db", db])).stdout).auditHead as string

  /** The rows of every table in PostgreSQL, except those that only PostgreSQL has and the search tables. */
  function rowsOfPostgres(of = address): Record<string, string[]> {
    const db = new PostgresDatabase(of)
    const names = db
      .query<{ name: string }, []>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relname NOT IN ('kontor_schema', 'write_lock', 'search_waiting') AND relname !~ '_(search|words)$'
         ORDER BY relname`,
      )
      .all()
    const found = names.map(({ name }) => [name, textsOf(db.query(`SELECT * FROM "${name}"`).all())] as const)
    db.close()
    return Object.fromEntries(found)
  }

  test("the shop has rows in every table, so that no table can be forgotten", () => {
    expect(Object.keys(rows).filter((name) => rows[name]?.length === 0)).toEqual([])
  })

  test("a file is copied to PostgreSQL with all rows of all tables", async () => {
    // The server accepts any password.
    const to = server.tcpUrl("shop").replace("kontor@", "kontor:hidden%20word@")
    const copied = await run(["copy", "--db", shop.file, "--to", to])
    expect(copied.stderr).not.toContain("hidden")
    expect(copied).toMatchObject({ code: 0 })
    const total = Object.values(rows).reduce((sum, each) => sum + each.length, 0)
    expect(copied.stdout).toStartWith(
      `${total} rows of ${shop.file} were copied to ${server.tcpUrl("shop")} in `,
    )
    expect(copied.stdout).toContain(`Start the server with --db ${server.tcpUrl("shop")}`)
    expect(copied.stdout).toContain(await headOf(shop.file))
    expect(rowsOfPostgres()).toEqual(rows)
    expect(rowsOfFile(shop.file)).toEqual(rows)
  })

  test("PostgreSQL is copied to a file with all rows of all tables", async () => {
    const copied = await run(["copy", "--json", "--db", address, "--to", back])
    expect(copied).toMatchObject({ code: 0 })
    const auditHead = await headOf(shop.file)
    expect(JSON.parse(copied.stdout)).toMatchObject({
      to: back,
      auditHead,
      auditLength: rows.audit_logs?.length,
    })
    expect(rowsOfFile(back)).toEqual(rows)
    expect([await headOf(address), await headOf(back)]).toEqual([auditHead, auditHead])
  })

  test("PostgreSQL is copied to another PostgreSQL database with all rows of all tables", async () => {
    const other = server.createDatabase("other")
    const copied = await run(["copy", "--db", address, "--to", other])
    expect(copied).toMatchObject({ code: 0 })
    expect(copied.stderr).toContain("write_probe: 1 row\n")
    expect(rowsOfPostgres(other)).toEqual(rows)
    expect(await headOf(other)).toBe(await headOf(shop.file))
  })

  test("servers of the source and of both copies give the same answers to the same key", async () => {
    const paths = [
      ..."items customers sales-orders invoices credit-notes payments stock-movements tax-codes"
        .split(" ")
        .map((kind) => `/${kind}?perPage=100&sort=createdAt&order=asc`),
      "/search?q=one%20of%20many%20999",
      "/items?search=MANY-77",
      `/invoices/${shop.invoice}`,
      `/invoices/${shop.invoice}/history`,
      `/invoices/${shop.invoice}/pdf`,
      "/events?limit=100",
      "/reports/summary",
    ]
    const answersOf = async (db: string) => {
      const kontor = await serve({ args: ["--db", db, "--no-sending"] })
      const api = apiWith(kontor, { "x-api-key": shop.key })
      const answers: unknown[] = []
      for (const path of paths) {
        const { status, body, text } = await api.get(path)
        answers.push([path, status, body?.data ?? Bun.hash(text)])
      }
      await kontor.stop()
      return answers
    }
    const answers = await answersOf(shop.file)
    expect(answers.filter((each) => (each as unknown[])[1] !== 200)).toEqual([])
    expect(await answersOf(address)).toEqual(answers)
    expect(await answersOf(back)).toEqual(answers)
  })

  test("a copy continues the numbers, accepts the password, and stays without problems", async () => {
    for (const db of [address, back]) {
      const kontor = await serve({ args: ["--db", db, "--no-sending"] })
      const api: Api = await signIn(kontor)
      await api.create("/items", { itemCode: "AFTER", itemName: "After the copy" })
      const { customer, id } = (await api.get(`/invoices/${shop.invoice}`)).body.data
      expect(id).toBe(shop.invoice)
      const [before] = (await api.get("/sales-orders?sort=createdAt&order=desc&perPage=1")).body.data
      const [item] = (await api.get("/items?itemCode=AFTER")).body.data
      const order = await api.create("/sales-orders", { customer, items: [{ item: item.id, quantity: 1 }] })
      const numberOf = ({ orderNumber }: { orderNumber: string }) => Number(orderNumber.split("-").at(-1))
      expect(numberOf(order)).toBe(numberOf(before) + 1)
      await kontor.stop()
      expect(await run(["check", "--db", db])).toMatchObject({ code: 0 })
    }
  })
})
