import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Api, apiWith, refusalOf, signIn } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let item: { id: string }
let customer: { id: string; name: string }
let order: { id: string }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  const shop = trade(admin)
  item = await shop.item()
  customer = await admin.create("/customers", { name: "Secretive Ltd" })
  order = await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
})
afterAll(cleanUp)

const scopes = ["read", "write", "delete", "admin", "webhooks"]
async function keyOf(areas: string[] | null, more: object = {}) {
  const { id, key } = await admin.create("/api-keys", { name: "Narrow", scopes, areas, ...more })
  return { id: id as string, api: apiWith(kontor, { "x-api-key": key }) }
}

describe("A key of some areas", () => {
  test("uses only these, whatever its scopes and its owner allow", async () => {
    const { api } = await keyOf(["items", "stock"])
    expect((await api.get("/items")).status).toBe(200)
    expect((await api.get("/stock-movements")).status).toBe(200)
    expect((await api.get("/auth/me")).body.data).toMatchObject({
      rights: { items: ["read", "write", "delete"], customers: [], "sales-orders": [], administration: [] },
    })
    const refused: [string, string, object?][] = [
      ["GET", `/customers/${customer.id}`],
      ["GET", "/customers/export"],
      ["GET", `/customers/${customer.id}/history`],
      ["GET", "/sales-orders"],
      ["GET", "/invoices/values?field=status"],
      ["GET", "/messages"],
      ["GET", "/reports/summary"],
      ["GET", "/users"],
      ["GET", "/audit-logs"],
      ["GET", "/settings"],
      ["GET", "/webhooks"],
      ["POST", "/webhooks", { name: "W", url: "https://example.com", events: ["*"] }],
      ["POST", "/customers", { name: "X" }],
      ["POST", "/customers/batch", { mode: "each", operations: [{ op: "create", body: { name: "X" } }] }],
    ]
    for (const [method, path, body] of refused) {
      const answer = await api.call(method, path, body)
      expect(`${method} ${path}: ${answer.status}`).toBe(`${method} ${path}: 403`)
      expect(answer.text).not.toContain(customer.name)
    }
  })

  test("finds nothing of others by search, events and expanded records", async () => {
    const { api } = await keyOf(["items", "sales-orders"])
    const found = (await api.get("/search?q=secretive")).body.data
    expect(Object.keys(found).toSorted()).not.toContain("customers")
    expect((await api.get("/search?q=secretive&types=customers")).body.data).toEqual({})
    const events = (await api.get("/events?include=record&limit=100")).body.data as { kind: string }[]
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["items", "sales-orders"]))
    const expanded = await api.get(`/sales-orders/${order.id}?expand=customer,items.item`)
    expect(expanded.body.expanded).toMatchObject({
      customer: {},
      "items.item": { [item.id]: { id: item.id } },
    })
    expect(expanded.text).not.toContain(`"contactName"`)
  })

  test("changes nothing of others by merging customers", async () => {
    const { api } = await keyOf(["customers"])
    const other = await admin.create("/customers", { name: "Other" })
    const answer = await api.post(`/customers/${other.id}/merge`, { from: customer.id })
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await api.get("/views")).status).toBe(403)
  })

  test("does not invoice an order that it may not read", async () => {
    const { api } = await keyOf(["invoices"])
    const answer = await api.post("/invoices/from-order", { salesOrder: order.id })
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect(answer.body.error.message).toContain("invoices")
  })

  test("sees the figures of its areas in the summary", async () => {
    const { api } = await keyOf(["invoices"])
    const summary = (await api.get("/reports/summary")).body.data
    expect(summary.counts).toMatchObject({ items: null, customers: null })
    expect(summary.newestOrders ?? null).toBeNull()
  })

  test("is made of known areas, which do not change", async () => {
    const wrong = await admin.post("/api-keys", { name: "K", scopes, areas: ["kitchen"] })
    expect(refusalOf(wrong).fields).toEqual(["areas[0]"])
    expect(refusalOf(await admin.post("/api-keys", { name: "K", scopes, areas: [] })).fields).toEqual([
      "areas",
    ])
    const { id } = await keyOf(["items"])
    const changed = await admin.put(`/api-keys/${id}`, { areas: ["items", "invoices"] })
    expect(refusalOf(changed).fields).toEqual(["areas"])
    expect((await admin.get(`/api-keys/${id}`)).body.data.areas).toEqual(["items"])
  })
})

describe("GET /api-keys/{id}/usage", () => {
  test("counts the requests of a key by route and day, also after they were written", async () => {
    const { id, api } = await keyOf(null)
    await api.get("/items")
    await api.get(`/items/${item.id}`)
    await api.get("/items/none")
    await api.get("/nothing/here")
    const today = new Date().toISOString().slice(0, 10)
    const expected = [
      { day: today, route: "GET /items", count: 1 },
      { day: today, route: "GET /items/{id}", count: 2 },
      { day: today, route: "other", count: 1 },
    ]
    const usage = async () => (await admin.get(`/api-keys/${id}/usage`)).body.data
    expect(await usage()).toEqual(expected)
    // The counters are written after some seconds, with the time of the last use.
    await until(() => inFile(kontor, (db) => db.query("SELECT 1 FROM api_key_uses").get() !== null))
    expect(await usage()).toEqual(expected)
    const other = await keyOf(["items"])
    expect((await other.api.get(`/api-keys/${id}/usage`)).status).toBe(404)
    expect((await other.api.get("/api-keys")).body.data.length).toBe(1)
  })
})
