// Lists of many thousand records are scanned in another thread, and refused where that would take too long.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { inFile, withoutReferences } from "../support/file"
import { cleanUp, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { trade } from "../support/trade"

const kontor = await serve()
const api = await signIn(kontor)
afterAll(cleanUp)

/** Enough customers for a list with several slices, which is scanned in another thread from 20,000 on. */
const customers = isLong ? 60_000 : 25_000

function fillCustomers(): void {
  inFile(kontor, (db) => {
    withoutReferences(db)
    db.query(
      `INSERT INTO customers (id, customer_number, name, name_sort, type, type_sort, is_active, version, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${customers})
         SELECT 'cus_00000000000000000' || (100000000 + i), 'X-' || i, 'mmm ' || i, 'mmm ' || i, 'Company', 'company', 1, 1,
           '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM n`,
    ).run()
  })
}

describe("a list of very many customers", () => {
  beforeAll(fillCustomers)

  test("that is scanned during updates shows each record once, with its current data, and none that no longer matches", async () => {
    const shop = trade(api)
    const names = Array.from({ length: 6 }, (_, i) => `aaa mover ${i}`)
    const movers = await Promise.all(
      names.map((name) => shop.customer({ name, type: "Mover", creditLimit: 5_000 })),
    )
    for (const [i, { id }] of movers.entries()) {
      const list = api.get("/customers?sort=name&order=asc&type=Mover&perPage=50")
      await Bun.sleep(5 + i * 5)
      await api.put(
        `/customers/${id}`,
        i % 2 ? { name: `zzz mover ${i}` } : { name: `zzz mover ${i}`, type: "Other" },
      )
      const { status, body } = await list
      expect(status).toBe(200)
      const ids = body.data.map((each: { id: string }) => each.id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { creditLimit, type } of body.data) expect([creditLimit, type]).toEqual([5_000, "Mover"])
    }
  })

  test("that one user requests many times at once always succeeds, and other users do not wait for all of them", async () => {
    const account = { email: "other@example.com", password: "another password" }
    await api.create("/users", { ...account, name: "Other", role: "viewer" })
    const other = await signIn(kontor, account.email, account.password)
    const ask = (as: Api) =>
      as.get(`/customers?sort=phone&type[ne]=None&perPage=100&page=${customers / 200}&fields=id`)
    let done = 0
    const many = Array.from({ length: 30 }, () => ask(api).then(({ status }) => (done++, status)))
    await Bun.sleep(20)
    expect((await ask(other)).status).toBe(200)
    const before = done
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]))
    expect(before).toBeLessThan(20)
  })
})

describe("very many stock movements", () => {
  let shop: ReturnType<typeof trade>
  let busy: string
  let quiet: string
  let before: number
  const total = async (): Promise<number> => (await api.get("/stock-movements?perPage=1")).body.meta.total
  const fill = (from: number, to: number) =>
    inFile(kontor, (db) => {
      withoutReferences(db)
      db.query(
        `INSERT INTO stock_movements (id, item, quantity, reason, note, balance_after, created_at)
           WITH RECURSIVE n (i) AS (SELECT CAST(?1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
           SELECT 'stk_00000000000000000' || (100000000 + i), ?3, 10000, 'receipt', 'Delivery of ' || i, i, '2020-01-01T00:00:00.000Z' FROM n`,
      ).run(from, to, busy)
    })

  beforeAll(async () => {
    shop = trade(api)
    busy = (await shop.item()).id
    quiet = (await shop.item()).id
    await shop.receive(quiet, 5)
    // As if the rows with the numbers in between had been deleted. They do not count as rows to scan.
    inFile(kontor, (db) =>
      db.run(
        `INSERT INTO stock_movements (seq, id, item, quantity, reason, note, balance_after, created_at)
           SELECT 700000, 'stk_far', '${busy}', quantity, reason, 'Far', balance_after, '2020-01-01T00:00:00.000Z'
           FROM stock_movements WHERE item = '${quiet}'`,
      ),
    )
    before = await total()
    fill(1, 128_000)
  })

  test("a search for one word fifty times finds the same as a search for the word", async () => {
    const [one, fifty] = [1, 50].map((times) => Array(times).fill("777").join("+"))
    const wanted = (await api.get(`/stock-movements?search=${one}&perPage=5`)).body
    expect(wanted.data[0].note).toMatch(/^Delivery of \d*777/)
    expect(wanted.meta.total).toBeGreaterThan(100)
    expect((await api.get(`/stock-movements?search=${fifty}&perPage=5`)).body.data).toEqual(wanted.data)
  })

  test("half a million are too many to scan, and the error names the fields to filter by", async () => {
    fill(128_001, 500_100)
    for (const [query, field] of [
      ["search=delivery", "search"],
      ["note[like]=nothing", "note"],
      ["quantity[gt]=5", "quantity"],
      ["sort=note", "sort"],
    ] as const) {
      const answer = await api.get(`/stock-movements?${query}`)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "QUERY_TOO_EXPENSIVE", fields: [field] })
      expect(answer.body.error.message).toContain(
        "Filter by externalId, item, createdAt, or follow meta.nextCursor.",
      )
      expect(answer.body.error.params).toEqual({
        kind: "stock-movements",
        fields: ["externalId", "item", "createdAt"],
      })
      expect(answer.body.error.details).toMatchObject([{ code: "RULE", params: { rule: "NO_INDEX" } }])
    }
  })

  test("with a filter on an index they are found", async () => {
    const one = await api.get(`/stock-movements?item=${quiet}&quantity[gt]=1&sort=quantity`)
    expect(one.body).toMatchObject({ data: [{ quantity: 5 }], meta: { total: 1 } })
    const late = await api.get("/stock-movements?createdAt[gte]=2021-01-01&quantity[gt]=1")
    expect(late.body.meta.total).toBe(1)
    expect(await total()).toBe(before + 500_100)
    const { nextCursor } =
      (await api.get("/stock-movements?quantity=1&perPage=1&order=asc&cursor=")).body.meta ?? {}
    expect(nextCursor).toBeUndefined()
  })
})
