import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

/** Creates a record of each kind that has external ids. */
const makers: Record<string, (over: object) => Promise<{ path: string; record: any }>> = {
  items: async (over) => at("/items", await shop.item(over)),
  customers: async (over) => at("/customers", await shop.customer(over)),
  "sales orders": async (over) => at("/sales-orders", await shop.order(over)),
  invoices: async (over) =>
    at(
      "/invoices",
      await api.create("/invoices", {
        customer: (await shop.customer()).id,
        items: [{ item: (await shop.item()).id, quantity: 1 }],
        ...over,
      }),
    ),
  "invoices of an order": async (over) =>
    at("/invoices", (await shop.bill((await shop.submitted()).id, over)).body.data),
  payments: async (over) => {
    const { id } = await shop.invoice()
    return at(
      `/invoices/${id}/payments`,
      await api.create(`/invoices/${id}/payments`, { amount: 1, ...over }),
    )
  },
}
const at = (path: string, record: { id: string }) => ({ path: `${path}/${record.id}`, record })
const kinds = Object.entries(makers)

describe.each(kinds)("%s", (kind, make) => {
  test("have no external id and no metadata, unless a client sets them", async () => {
    const { path, record } = await make({})
    expect(record).toMatchObject({ externalId: null, metadata: {} })
    const named = await make({ externalId: `Shop-1 ${kind}`, metadata: { channel: "web", note: "ä\n" } })
    const wanted = { externalId: `Shop-1 ${kind}`, metadata: { channel: "web", note: "ä\n" } }
    expect(named.record).toMatchObject(wanted)
    expect((await api.get(named.path)).body.data).toMatchObject(wanted)
    expect((await api.get(path)).body.data).toMatchObject({ externalId: null, metadata: {} })
  })
})

describe("an external id", () => {
  test.each(kinds.slice(0, 4))("is unique among %s, also in an update", async (kind, make) => {
    await make({ externalId: `one ${kind}` })
    const { path } = await make({})
    const taken = await api.put(path, { externalId: `one ${kind}` })
    expect(refusalOf(taken)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["externalId"] })
    expect((await api.put(path, { externalId: `two ${kind}` })).status).toBe(200)
  })

  test.each([
    ["/items", { itemCode: "E-1", itemName: "E", externalId: "taken" }],
    ["/customers", { name: "E", externalId: "taken" }],
  ])("that is taken is refused by POST %s, with every other error", async (path, body) => {
    await api.create(path, body)
    const second = await api.post(path, { ...body, itemCode: "E-2", itemName: "E", name: "E" })
    expect(second.status).toBe(422)
    expect(second.body.error.details.map(({ field }: { field: string }) => field)).toContain("externalId")
  })

  test("of a document or a payment that is taken stores nothing", async () => {
    const order = await shop.submitted({ externalId: "order-7" })
    const body = { customer: order.customer, items: [{ item: order.items[0].item, quantity: 1 }] }
    const before = (await api.get("/sales-orders?perPage=1")).body.meta.total
    const again = await api.post("/sales-orders", { ...body, externalId: "order-7" })
    expect(refusalOf(again)).toMatchObject({ status: 422, fields: ["externalId"] })
    expect((await api.get("/sales-orders?perPage=1")).body.meta.total).toBe(before)
    const invoice = (await shop.bill(order.id, { externalId: "inv-7" })).body.data
    expect(refusalOf(await api.post("/invoices", { ...body, externalId: "inv-7" }))).toMatchObject({
      status: 422,
      fields: ["externalId"],
    })
    expect((await shop.pay(invoice.id, 1, { externalId: "pay-7" })).status).toBe(201)
    expect(refusalOf(await shop.pay(invoice.id, 1, { externalId: "pay-7" }))).toMatchObject({
      status: 422,
      fields: ["externalId"],
    })
    expect((await shop.get("invoices", invoice.id)).amountPaid).toBe(1)
  })

  test("is compared exactly, and can be filtered and sorted by", async () => {
    for (const externalId of ["abc", "ABC", "äbc"]) await shop.item({ externalId, category: "Exact" })
    const found = await api.get("/items?externalId=ABC")
    expect(found.body.data.map((item: any) => item.externalId)).toEqual(["ABC"])
    const sorted = await api.get("/items?category=Exact&sort=externalId&order=asc&fields=externalId")
    expect(sorted.body.data.map((item: any) => item.externalId)).toEqual(["ABC", "abc", "äbc"])
    expect((await api.get("/items?externalId[in]=abc,nothing")).body.meta.total).toBe(1)
  })

  test("can be removed and used again; of a deleted record it is free", async () => {
    const first = await shop.customer({ externalId: "moves" })
    await api.put(`/customers/${first.id}`, { externalId: null })
    const second = await shop.customer({ externalId: "moves" })
    await api.delete(`/customers/${second.id}`)
    expect((await shop.customer({ externalId: "moves" })).externalId).toBe("moves")
  })

  test("has at most 100 characters, and no invisible ones", async () => {
    const post = (externalId: unknown) => api.post("/customers", { name: "Long", externalId })
    expect((await post("x".repeat(100))).status).toBe(201)
    for (const wrong of ["x".repeat(101), "a\u200bb", "", 5])
      expect(refusalOf(await post(wrong))).toMatchObject({ status: 422, fields: ["externalId"] })
  })
})

describe("metadata", () => {
  test("is merged key by key by an update, null removes a key, and null clears it", async () => {
    const { id } = await shop.item({ metadata: { a: "1", b: "2" } })
    const put = async (metadata: unknown) => (await api.put(`/items/${id}`, { metadata })).body.data.metadata
    expect(await put({ b: "3", c: "4" })).toEqual({ a: "1", b: "3", c: "4" })
    expect(await put({ a: null })).toEqual({ b: "3", c: "4" })
    expect(await put(null)).toEqual({})
  })

  test("has at most 50 pairs, keys of 40 and texts of 500 characters", async () => {
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "v"]))
    const post = (metadata: unknown) => api.post("/customers", { name: "Meta", metadata })
    expect((await post(pairs(50))).status).toBe(201)
    expect((await post({ ["k".repeat(40)]: "v".repeat(500) })).status).toBe(201)
    for (const [wrong, field] of [
      [pairs(51), "metadata"],
      [{ ["k".repeat(41)]: "v" }, `metadata.${"k".repeat(40)}`],
      [{ k: "v".repeat(501) }, "metadata.k"],
      [{ k: 5 }, "metadata.k"],
      [{ k: { deep: "v" } }, "metadata.k"],
      [{ "": "v" }, "metadata."],
      [[], "metadata"],
      ["text", "metadata"],
    ] as const)
      expect(refusalOf(await post(wrong))).toMatchObject({ status: 422, fields: [field] })
    const { id } = await shop.item({ metadata: pairs(50) })
    expect((await api.put(`/items/${id}`, { metadata: { one: "more" } })).status).toBe(422)
  })

  test("keeps keys that are special in JavaScript", async () => {
    const body = '{"name":"Keys","metadata":{"__proto__":"a","constructor":"b","toString":"c"}}'
    const { text } = await api.post("/customers", body, { "content-type": "application/json" })
    expect(text).toContain('"metadata":{"__proto__":"a","constructor":"b","toString":"c"}')
  })

  test("cannot be filtered or sorted by", async () => {
    for (const query of ["metadata=a", "sort=metadata"])
      expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({
        status: 400,
        code: "INVALID_QUERY",
      })
  })
})

test("both can be updated in every status of a document, and the audit log shows it", async () => {
  const order = await shop.submitted()
  const invoice = (await shop.bill(order.id)).body.data
  await shop.pay(invoice.id, invoice.balance)
  const cancelled = await shop.order()
  await shop.status("sales-orders", cancelled.id, "cancelled")
  for (const path of [
    `/sales-orders/${order.id}`,
    `/sales-orders/${cancelled.id}`,
    `/invoices/${invoice.id}`,
  ]) {
    const change = { externalId: path.slice(-30), metadata: { sent: "yes" } }
    expect(await api.put(path, change)).toMatchObject({ status: 200, body: { data: change } })
    const [entry] = (await api.get(`${path}/history`)).body.data
    expect(entry.changes.metadata).toEqual({ from: {}, to: { sent: "yes" } })
  }
})
