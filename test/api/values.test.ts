import { afterAll, beforeAll, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let api: Api
beforeAll(async () => {
  api = await signIn(await serve())
  const items = [
    { itemCode: "D-1", itemName: "Desk", category: "Furniture", reorderLevel: 5 },
    { itemCode: "D-2", itemName: "Desk, large", category: "Furniture", isActive: false },
    { itemCode: "L-1", itemName: "Desk lamp", category: "Lights" },
    { itemCode: "S-1", itemName: "Assembly", itemType: "Service" },
  ]
  for (const item of items) await api.create("/items", item)
  const homes = ["DE", "DE", "FR", null]
  for (const [i, country] of homes.entries())
    await api.create("/customers", {
      name: `Customer ${i}`,
      type: i === 0 ? "Club" : "Company",
      address: country && { country },
    })
})
afterAll(cleanUp)

const countsOf = async (path: string) => {
  const { status, body } = await api.get(path)
  expect({ path, status }).toEqual({ path, status: 200 })
  return body.data.map(({ value, count }: { value: unknown; count: number }) => [value, count])
}

test("A field's values are counted, the most frequent first, under the other filters of the list and its search.", async () => {
  expect(await countsOf("/items/values?field=category")).toEqual([
    ["Furniture", 2],
    [null, 1],
    ["Lights", 1],
  ])
  expect(await countsOf("/items/values?field=category&status=active")).toEqual([
    [null, 1],
    ["Furniture", 1],
    ["Lights", 1],
  ])
  expect(await countsOf("/items/values?field=category&category=Lights&search=desk")).toEqual([
    ["Furniture", 2],
    ["Lights", 1],
  ])
  expect(await countsOf("/items/values?field=itemType")).toEqual([
    ["Product", 3],
    ["Service", 1],
  ])
  expect(await countsOf("/items/values?field=isLowStock")).toEqual([
    [false, 3],
    [true, 1],
  ])
})

test("The counts follow a write, and a list that matches nothing has none.", async () => {
  expect(await countsOf("/items/values?field=category&search=nothing")).toEqual([])
  const { id } = await api.create("/items", { itemCode: "L-2", itemName: "Spot", category: "Lights" })
  expect(await countsOf("/items/values?field=category&status=active&search=spot")).toEqual([["Lights", 1]])
  await api.delete(`/items/${id}`)
  expect(await countsOf("/items/values?field=category&status=active&search=spot")).toEqual([])
})

test("Customers are counted and filtered by type and by the country of their address.", async () => {
  expect(await countsOf("/customers/values?field=type")).toEqual([
    ["Company", 3],
    ["Club", 1],
  ])
  expect(await countsOf("/customers/values?field=country")).toEqual([
    ["DE", 2],
    [null, 1],
    ["FR", 1],
  ])
  expect((await api.get("/customers?country[in]=FR&fields=name,country")).body.data).toEqual([
    { name: "Customer 2", country: "FR" },
  ])
  expect((await api.get("/customers?country[null]=true")).body.meta.total).toBe(1)
})

test("An overdue invoice is counted as overdue and by the status that is stored.", async () => {
  const { data: customers } = (await api.get("/customers?perPage=1")).body
  const draft = {
    customer: customers[0].id,
    invoiceDate: "2026-01-01",
    dueDate: "2026-01-02",
    items: [{ description: "Advice", quantity: 1, rate: 10 }],
  }
  await api.create("/invoices", draft)
  await api.create("/invoices", { ...draft, status: "unpaid" })
  expect(await countsOf("/invoices/values?field=status")).toEqual([
    ["draft", 1],
    ["overdue", 1],
    ["unpaid", 1],
  ])
})

test("A field that is unknown, has no few values or is missing is refused, as are parameters of pages.", async () => {
  for (const query of [
    "",
    "?field=itemName",
    "?field=constructor",
    "?field=status&perPage=5",
    "?field=status&foo=1",
  ])
    expect([query, refusalOf(await api.get(`/items/values${query}`)).code]).toEqual([query, "INVALID_QUERY"])
})

test("More values than 200 are cut off, and said to be.", async () => {
  const operations = Array.from({ length: 90 }, (_, i) => ({
    op: "create",
    body: { name: `Many ${i}`, type: `Type ${i}` },
  }))
  for (const part of [0, 1, 2])
    await api.post("/customers/batch", {
      mode: "each",
      operations: operations.map(({ op, body }) => ({ op, body: { ...body, type: `${body.type}.${part}` } })),
    })
  const { data, meta } = (await api.get("/customers/values?field=type")).body
  expect([data.length, data[0], meta]).toEqual([200, { value: "Company", count: 3 }, { hasMore: true }])
})
