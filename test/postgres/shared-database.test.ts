// Several shops in one database, each in a schema of its own.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { until } from "../support/until"

afterAll(cleanUp)

describe.skipIf(!isPostgresInstalled())("three shops in one database", () => {
  let server: PostgresServer
  let urls: string[]
  let shops: Kontor[]
  let apis: Api[]

  beforeAll(async () => {
    server = await postgres()
    const url = server.createDatabase("shops")
    urls = [url, `${url}&schema=second`, `${url}&schema=Shop%20%22three%22`]
    shops = []
    for (const each of urls) shops.push(await serve({ args: ["--db", each] }))
    apis = await Promise.all(shops.map((each) => signIn(each)))
  })
  afterAll(() => server?.stop())

  test("have their own records, numbers and leaders", async () => {
    for (const [i, api] of apis.entries()) {
      const item = await api.create("/items", { itemCode: "SAME", itemName: `Of shop ${i}` })
      const customer = await api.create("/customers", { name: "Ann" })
      const items = [{ item: item.id, quantity: 1 }]
      const order = await api.create("/sales-orders", { customer: customer.id, items })
      expect(order.orderNumber).toEndWith("-00001")
    }
    const names = await Promise.all(
      apis.map(async (api) => (await api.get("/items")).body.data.map((each: any) => each.itemName)),
    )
    expect(names).toEqual([["Of shop 0"], ["Of shop 1"], ["Of shop 2"]])
    for (const { output } of shops)
      await until(() => output.stderr.includes("This server runs the jobs and sends the webhooks"))
    expect((await apis[1]?.get("/items?search=shop"))?.body.data).toHaveLength(1)
  })

  test("are checked each for itself", async () => {
    for (const url of urls) {
      const { code, stdout } = await run(["check", "--json", "--db", url])
      expect([code, JSON.parse(stdout).faults]).toEqual([0, []])
    }
  })

  test("do not keep each other from being stopped, changed and copied", async () => {
    const [, second = ""] = urls
    expect(await run(["reindex", "--db", second])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("schema=second"),
    })
    await shops[1]?.stop()
    expect(await run(["reindex", "--db", second])).toMatchObject({ code: 0 })
    const file = join(emptyFolder(), "copy.db")
    expect(await run(["copy", "--db", second, "--to", file])).toMatchObject({ code: 0 })
    expect(await run(["check", "--db", file])).toMatchObject({ code: 0 })
    const back = `${urls[0]}&schema=fourth`
    expect(await run(["copy", "--db", file, "--to", back])).toMatchObject({ code: 0 })
    expect(await run(["check", "--db", back])).toMatchObject({ code: 0 })
    expect((await apis[0]?.get("/items"))?.status).toBe(200)
  })

  test("need a name that PostgreSQL does not cut", async () => {
    for (const name of ["", "x".repeat(64), "%FF", "a&schema=b"]) {
      const refused = await run(["migrate", "--db", `${urls[0]}&schema=${name}`])
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("schema must be one name") })
    }
  })
})
