import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { problemsInRows } from "../support/check"
import { testedAs } from "../support/engine"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"
import { until } from "../support/until"

const pairs: Record<string, string>[] = [
  { color: "red", size: "L" },
  { color: "Red" },
  { color: "blue", "a.b": "1", "$.color": "path" },
  { "it's": 'a "quote"', "[0]": "list", "a[b]": "brackets" },
  {},
]
let api: Api

beforeAll(async () => {
  api = await signIn(await serve())
  for (const [i, metadata] of pairs.entries())
    await api.create("/items", { itemCode: `P${i}`, itemName: "Pair", metadata })
})
afterAll(cleanUp)

const codes = async (query: Record<string, string>) => {
  const answer = await api.get(`/items?order=asc&${new URLSearchParams(query)}`)
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body.meta.total).toBe(answer.body.data.length)
  return answer.body.data.map(({ itemCode }: { itemCode: string }) => itemCode)
}

describe("a filter by a key of metadata", () => {
  test("compares its value exactly, with the operators eq, ne, in and null", async () => {
    expect(await codes({ "metadata[color]": "red" })).toEqual(["P0"])
    expect(await codes({ "metadata[color][eq]": "Red", isActive: "true" })).toEqual(["P1"])
    expect(await codes({ "metadata[color][ne]": "red" })).toEqual(["P1", "P2", "P3", "P4"])
    expect(await codes({ "metadata[color][in]": "red,blue" })).toEqual(["P0", "P2"])
    expect(await codes({ "metadata[color][null]": "true" })).toEqual(["P3", "P4"])
    expect(await codes({ "metadata[color][null]": "false", "metadata[size]": "L" })).toEqual(["P0"])
  })

  test("takes the name of a key as it is", async () => {
    expect(await codes({ "metadata[a.b]": "1" })).toEqual(["P2"])
    expect(await codes({ "metadata[$.color]": "path" })).toEqual(["P2"])
    expect(await codes({ "metadata[it's]": 'a "quote"' })).toEqual(["P3"])
    expect(await codes({ "metadata[[0]]": "list" })).toEqual(["P3"])
    expect(await codes({ "metadata[a[b]]": "brackets" })).toEqual(["P3"])
    expect(await codes({ "metadata[none]": "x" })).toEqual([])
  })

  test("is one of exports, of counts by value and of cursors too", async () => {
    const csv = await api.get("/items/export?fields=itemCode&metadata[color][in]=red,blue")
    expect(csv.text.trim().split("\r\n")).toEqual(["itemCode", "P0", "P2"])
    const values = await api.get("/items/values?field=isActive&metadata[color][null]=false")
    expect(values.body.data).toEqual([{ value: true, count: 3 }])
    const { nextCursor } = (await api.get("/items?metadata[color][null]=false&perPage=2")).body.meta
    const next = await api.get(`/items?metadata[color][null]=false&perPage=2&cursor=${nextCursor}`)
    expect(next.body.data).toMatchObject([{ itemCode: "P0" }])
    expect((await api.get(`/items?metadata[size][null]=false&perPage=2&cursor=${nextCursor}`)).status).toBe(
      400,
    )
  })

  test.each([
    ["metadata[color][like]=r", 400, "metadata[color][like]"],
    ["metadata[color][]=r", 400, "metadata[color][]"],
    ["metadata=red", 400, "metadata"],
    ["metadata[]=red", 400, "metadata[]"],
    ["color[red]=x", 400, "color[red]"],
    ["sort=metadata[color]", 400, "sort"],
    ["metadata[color]=", 422, "metadata[color]"],
    ["metadata[color][null]=x", 422, "metadata[color][null]"],
    ["metadata[color][in]=red,", 422, "metadata[color][in]"],
  ])("%s is %i on its name", async (query, status, name) => {
    expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({ status, fields: [name] })
  })
})

describe("the index of a key that the settings name", () => {
  let kontor: Kontor
  let admin: Api
  const statuses = () =>
    inFile(kontor, (db) =>
      db.query<{ status: string }, []>("SELECT status FROM metadata_keys ORDER BY number").all(),
    ).map(({ status }) => status)
  const settled = () => until(() => !statuses().some((status) => status !== "ready"))
  const valuesOf = () =>
    inFile(kontor, (db) =>
      db.query<{ value: string }, []>("SELECT value FROM metadata_values ORDER BY value, id").all(),
    ).map(({ value }) => value)
  const set = async (indexedMetadata: object | null) => {
    expect((await admin.patch("/settings", { indexedMetadata })).status).toBe(200)
    await settled()
  }
  const found = async (query: string) => {
    const { body } = await admin.get(`/items?${query}&perPage=100&fields=itemCode`)
    return [body.meta.total, ...body.data.map(({ itemCode }: { itemCode: string }) => itemCode)]
  }

  beforeAll(async () => {
    kontor = await serve()
    admin = await signIn(kontor)
    const shop = trade(admin)
    for (let i = 0; i < 450; i++)
      await shop.item({
        itemCode: `M${String(i).padStart(3, "0")}`,
        metadata: i % 3 === 0 ? { color: i % 2 === 0 ? "red" : "blue", other: "x" } : {},
      })
  })

  test("finds the same records as before, in each order, and follows every write", async () => {
    const queries = [
      "metadata[color]=red",
      "metadata[color]=red&order=asc",
      "metadata[color]=red&sort=itemCode&order=asc&page=1",
      "metadata[color]=blue&isActive=true&sort=itemName,itemCode",
      "metadata[color][in]=red,blue&sort=itemCode",
      "metadata[color]=red&search=m00",
      "metadata[color][in]=red,blue&search=m00",
      "metadata[color][in]=red,blue&search=%F0%9F%94%A9",
      "metadata[color]=green",
      "metadata[color][ne]=red&page=2",
    ]
    const all = () => Promise.all(queries.map(found))
    const before = await all()
    expect(before[0]?.[0]).toBe(75)
    await set({ items: ["color"], customers: ["tier"] })
    expect(valuesOf()).toHaveLength(150)
    expect(await all()).toEqual(before)

    const first = (await admin.get("/items?itemCode=M000")).body.data[0]
    await admin.patch(`/items/${first.id}`, { metadata: { color: "green" } })
    expect(await found("metadata[color]=green")).toEqual([1, "M000"])
    await admin.patch(`/items/${first.id}`, { metadata: { color: null } })
    expect(await found("metadata[color]=green")).toEqual([0])
    await admin.delete(`/items/${(await admin.get("/items?itemCode=M006")).body.data[0].id}`)
    expect((await found("metadata[color]=red"))[0]).toBe(73)
    await admin.create("/customers", { name: "Gold", metadata: { tier: "gold" } })
    const gold = await admin.get("/customers?metadata[tier]=gold&fields=name")
    expect(gold.body.data).toEqual([{ name: "Gold" }])
    expect(problemsInRows(testedAs(kontor.file))).toEqual([])
  })

  test("is a page by cursor in the order of creation", async () => {
    const seen: string[] = []
    for (let cursor = ""; cursor !== "end";) {
      const { data, meta } = (await admin.get(`/items?metadata[color]=blue&perPage=20${cursor}`)).body
      seen.push(...data.map(({ itemCode }: { itemCode: string }) => itemCode))
      cursor = meta.nextCursor ? `&cursor=${meta.nextCursor}` : "end"
    }
    expect(seen).toHaveLength(75)
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test("is proven by kontor check, and emptied when the settings name the key no longer", async () => {
    inFile(kontor, (db) => db.run("DELETE FROM metadata_values WHERE value = 'gold'"))
    // The list reads the index, not the records.
    expect((await admin.get("/customers?metadata[tier]=gold")).body.data).toEqual([])
    expect(problemsInRows(testedAs(kontor.file))).toEqual([
      'The index of metadata "tier" of customers lacks 1 values and has 0 wrong ones.',
    ])
    await set({ items: ["other"], customers: null })
    expect(new Set(valuesOf())).toEqual(new Set(["x"]))
    expect(problemsInRows(testedAs(kontor.file))).toEqual([])
    await set(null)
    expect(valuesOf()).toEqual([])
    expect((await found("metadata[color]=blue"))[0]).toBe(75)
  })

  test("is one of each kind with metadata, also of what is voided, cancelled or a copy", async () => {
    const shop = trade(admin)
    const kinds = ["customers", "salesOrders", "invoices", "creditNotes", "payments"]
    await set(Object.fromEntries(kinds.map((kind) => [kind, ["way"]])))
    const metadata = { way: "sea" }
    const { id: customer } = await admin.create("/customers", { name: "Ways", metadata })
    const item = (await shop.item({ itemCode: "WAY" })).id
    const order = { customer, items: [{ item, quantity: 2, rate: 10 }], metadata }
    const made = await admin.create("/sales-orders", order)
    await admin.create(`/sales-orders/${made.id}/duplicate`, {})
    const invoice = await shop.invoice({ ...order })
    expect((await admin.patch(`/invoices/${invoice.id}`, { metadata })).status).toBe(200)
    await admin.create(`/invoices/${invoice.id}/payments`, { amount: 5, method: "cash", metadata })
    const void_ = await admin.create(`/invoices/${invoice.id}/payments`, {
      amount: 1,
      method: "cash",
      metadata,
    })
    expect((await admin.delete(`/invoices/${invoice.id}/payments/${void_.id}`)).status).toBe(204)
    await admin.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Lost", metadata })
    expect(problemsInRows(testedAs(kontor.file))).toEqual([])
    const totals = await Promise.all(
      ["customers", "sales-orders", "invoices", "credit-notes", "payments"].map(
        async (kind) => (await admin.get(`/${kind}?metadata[way]=sea`)).body.meta.total,
      ),
    )
    expect(totals).toEqual([1, 2, 1, 1, 1])
  })

  test("has at most five keys of a kind", async () => {
    const answer = await admin.patch("/settings", {
      indexedMetadata: { items: ["a", "b", "c", "d", "e", "f"] },
    })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["indexedMetadata.items"] })
  })
})
