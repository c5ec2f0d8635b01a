import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Answer, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let shop: Trade
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const tables = [
  "items",
  "customers",
  "sales_orders",
  "sales_order_lines",
  "invoices",
  "invoice_lines",
  "payments",
  "stock_movements",
  "number_series",
  "audit_logs",
  "idempotency_keys",
]

/** The contents of all tables that a write of business records may change. */
const stored = () =>
  inFile(kontor, (db) => tables.map((table) => JSON.stringify(db.query(`SELECT * FROM ${table}`).all())))

/** Runs a dry run, and expects that it stores nothing and says that it is one. */
async function dry(run: () => Promise<Answer>): Promise<Answer> {
  const before = stored()
  const answer = await run()
  expect(stored()).toEqual(before)
  if (answer.status < 300) {
    expect(answer.headers.get("dry-run")).toBe("true")
    expect([answer.headers.get("location"), answer.headers.get("etag")]).toEqual([null, null])
  }
  return answer
}

test("a dry run answers as the write would, with its status and without a number, and stores nothing", async () => {
  const customer = await dry(() => api.post("/customers?dryRun=true", { name: "Dry" }))
  expect(customer).toMatchObject({ status: 201, body: { data: { name: "Dry", customerNumber: null } } })
  const item = await shop.item({ sellingPrice: 19.99, taxRate: 20 })
  await shop.receive(item.id, 5)
  const { id } = await shop.customer()
  const lines = { customer: id, items: [{ item: item.id, quantity: 2 }] }
  const order = await dry(() => api.post("/sales-orders?dryRun=true", { ...lines, status: "submitted" }))
  expect(order).toMatchObject({ status: 201, body: { data: { orderNumber: null, status: "submitted" } } })
  expect(order.body.data.total).toBe(47.98)
  const real = await shop.submitted(lines)
  const invoice = await dry(() => api.post("/invoices/from-order?dryRun=true", { salesOrder: real.id }))
  expect(invoice).toMatchObject({
    status: 201,
    body: { data: { invoiceNumber: null, orderNumber: real.orderNumber, status: "unpaid", total: 47.98 } },
  })
  expect((await shop.bill(real.id)).body.data.invoiceNumber).toMatch(/-00001$/)
})

test("updates, status changes, payments, stock movements and deletes can be tried", async () => {
  const invoice = await shop.invoice()
  const { id } = await shop.item()
  const order = await shop.order()
  const put = await dry(() => api.put(`/items/${id}?dryRun=true`, { itemName: "Tried" }))
  expect(put).toMatchObject({ status: 200, body: { data: { itemName: "Tried", version: 2 } } })
  const status = await dry(() =>
    api.put(`/sales-orders/${order.id}/status?dryRun=true`, { status: "submitted" }),
  )
  expect(status).toMatchObject({
    status: 200,
    body: { data: { status: "submitted", orderNumber: order.orderNumber } },
  })
  const payment = await dry(() => api.post(`/invoices/${invoice.id}/payments?dryRun=true`, { amount: 1 }))
  expect(payment).toMatchObject({ status: 201, body: { data: { amount: 1 } } })
  const movement = { item: id, quantity: 3, reason: "receipt" }
  expect((await dry(() => api.post("/stock-movements?dryRun=true", movement))).body.data.balanceAfter).toBe(3)
  expect((await dry(() => api.delete(`/items/${id}?dryRun=true`))).status).toBe(204)
  const merged = await dry(() => api.put("/customers/by/externalId/dry?dryRun=true", { name: "New" }))
  expect(merged).toMatchObject({ status: 201, body: { data: { customerNumber: null } } })
})

test("the id of a new record in a dry run names nothing, also in a stock count", async () => {
  const { id: item } = await shop.item()
  const created = await dry(() => api.post("/items?dryRun=true", { itemCode: "DRY-ID", itemName: "Dry" }))
  expect((await api.get(`/items/${created.body.data.id}`)).status).toBe(404)
  const lines = [{ item, counted: 4 }]
  const counted = await dry(() => api.post("/stock-movements/count?dryRun=true", { lines }))
  const [movement] = counted.body.data.movements
  expect(movement).toMatchObject({ item, quantity: 4, balanceAfter: 4 })
  expect((await api.get(`/stock-movements/${movement.id}`)).status).toBe(404)
  const real = (await api.post("/stock-movements/count", { lines })).body.data.movements[0]
  expect((await api.get(`/stock-movements/${real.id}`)).body.data).toEqual(real)
})

test("a dry run is refused as the write would be", async () => {
  const { id } = await shop.item()
  const wrong = await dry(() => api.post("/items?dryRun=true", { itemCode: "X" }))
  expect(refusalOf(wrong)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["itemName"] })
  const late = await dry(() => api.put(`/items/${id}?dryRun=true`, { itemName: "A" }, { "if-match": '"9"' }))
  expect(late.status).toBe(412)
  const key = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
  const reader = apiWith(kontor, { "x-api-key": key.key })
  expect((await reader.post("/items?dryRun=true", {})).status).toBe(403)
  // The refusal is recorded a moment later.
  await until(async () => (await api.get("/audit-logs?action=access.refused")).body.meta.total > 0)
})

test("an Idempotency-Key is ignored in a dry run", async () => {
  const key = { "idempotency-key": "dry-then-real" }
  const body = { name: "Key" }
  expect((await dry(() => api.post("/customers?dryRun=true", body, key))).status).toBe(201)
  const real = await api.post("/customers", body, key)
  expect(real.body.data.customerNumber).toMatch(/^CUST-/)
  const tried = await dry(() => api.post("/customers?dryRun=true", { name: "Other" }, key))
  expect(tried).toMatchObject({ status: 201, body: { data: { name: "Other" } } })
  const long = { "idempotency-key": "x".repeat(300) }
  expect((await dry(() => api.post("/customers?dryRun=true", { name: "Long" }, long))).status).toBe(201)
})

test("dryRun is true or false, and only writes of business records have it", async () => {
  expect((await api.post("/customers?dryRun=false", { name: "Real" })).body.data.customerNumber).toMatch(
    /^CUST-/,
  )
  for (const [method, path] of [
    ["POST", "/customers?dryRun=yes"],
    ["POST", "/customers?dryRun="],
    ["POST", "/customers?dryRun=true&dryRun=true"],
    ["GET", "/customers?dryRun=true"],
    ["POST", "/users?dryRun=true"],
    ["PUT", "/settings?dryRun=true"],
  ] as const)
    expect(
      refusalOf(await api.call(method, path, method === "GET" ? undefined : { name: "A" })),
    ).toMatchObject({
      status: 400,
      code: "INVALID_QUERY",
    })
})

test("only numbers are hidden, not other values that look like one", async () => {
  const real = await shop.customer()
  const next = real.customerNumber.replace(/\d+$/, (last: string) =>
    String(Number(last) + 1).padStart(last.length, "0"),
  )
  const { data } = (await api.post("/customers?dryRun=true", { name: next, externalId: next })).body
  expect(data).toMatchObject({ name: next, externalId: next, customerNumber: null })
})

test("a dry run in the same commit as other writes undoes only itself", async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      api.post(`/customers${i % 2 ? "?dryRun=true" : ""}`, { name: `Mix ${i}` }),
    ),
  )
  expect(answers.every(({ status }) => status === 201)).toBeTrue()
  const numbers = answers.map(({ body }) => body.data.customerNumber)
  expect(numbers.filter((number) => number === null)).toHaveLength(20)
  expect(new Set(numbers).size).toBe(21)
  const found = await api.get("/customers?search=mix&perPage=100")
  expect(found.body.meta.total).toBe(20)
})
