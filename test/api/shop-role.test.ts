// The role shop, for a web shop or a till: it sells, and people undo what was sold.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let till: Api
const password = "a fine password"
const forbidden = { status: 403, code: "FORBIDDEN" }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  const email = "till@shop.example"
  await admin.create("/users", { email, name: "Till", role: "shop", password })
  const person = await signIn(kontor, email, password)
  const { key } = await person.create("/api-keys", { name: "Till 1", scopes: ["read", "write"] })
  till = apiWith(kontor, { "x-api-key": key })
})
afterAll(cleanUp)

const item = () => trade(admin).item({ sellingPrice: 10 })
const lines = async () => ({ items: [{ item: (await item()).id, quantity: 2 }] })

describe("a key of the role shop", () => {
  test("sells: it books stock, creates a customer, an order, its invoice and a payment", async () => {
    const shop = trade(till)
    const { id } = await item()
    await shop.receive(id, 5)
    const customer = await shop.customer({ creditLimit: 1_000 })
    const order = await shop.submitted({ customer: customer.id, items: [{ item: id, quantity: 2 }] })
    const invoice = (await shop.bill(order.id)).body.data
    expect((await shop.pay(invoice.id, 20)).status).toBe(201)
    expect((await shop.get("invoices", invoice.id)).status).toBe("paid")
    expect((await shop.get("items", id)).currentStock).toBe(3)
  })

  test("issues an invoice without an order, and updates the notes of one", async () => {
    const customer = await trade(till).customer()
    const draft = await till.create("/invoices", { customer: customer.id, ...(await lines()) })
    const issued = await trade(till).status("invoices", draft.id, "unpaid")
    expect(issued.body.data.status).toBe("unpaid")
    expect((await till.put(`/invoices/${draft.id}`, { notes: "Paid at the till" })).status).toBe(200)
  })

  test("may cancel an order, but no invoice, issued or draft", async () => {
    const order = await trade(till).submitted(await lines())
    expect((await trade(till).status("sales-orders", order.id, "cancelled")).status).toBe(200)
    const issued = await trade(till).invoice(await lines())
    const draft = await till.create("/invoices", { customer: issued.customer, ...(await lines()) })
    for (const { id, status } of [issued, draft]) {
      const refused = await trade(till).status("invoices", id, "cancelled", { reason: "Returned" })
      expect(refusalOf(refused)).toMatchObject({ ...forbidden, fields: ["status"] })
      expect((await trade(admin).get("invoices", id)).status).toBe(status)
    }
    expect(refusalOf(await trade(till).status("invoices", "inv_none", "cancelled"))).toMatchObject(forbidden)
    expect((await trade(admin).status("invoices", issued.id, "cancelled")).status).toBe(200)
    expect((await admin.get("/audit-logs?action=access.refused&perPage=1")).body.data[0]).toMatchObject({
      actorName: expect.stringContaining("Till 1"),
      outcome: "refused",
    })
  })

  test("deletes nothing: no payment, no draft, no customer", async () => {
    const shop = trade(till)
    const invoice = await shop.invoice(await lines())
    const payment = (await shop.pay(invoice.id, 1)).body.data
    const order = await shop.order(await lines())
    for (const path of [
      `/invoices/${invoice.id}/payments/${payment.id}`,
      `/sales-orders/${order.id}`,
      `/customers/${order.customer}`,
    ])
      expect(refusalOf(await till.delete(path))).toMatchObject(forbidden)
  })

  test("does not change items, and neither changes nor overrides a credit limit", async () => {
    const { id } = await item()
    expect(refusalOf(await till.put(`/items/${id}`, { sellingPrice: 1 }))).toMatchObject(forbidden)
    const customer = await trade(till).customer({ creditLimit: 5 })
    expect(refusalOf(await till.put(`/customers/${customer.id}`, { creditLimit: 500 }))).toMatchObject(
      forbidden,
    )
    const order = { customer: customer.id, items: [{ item: id, quantity: 1 }] }
    const { id: draft } = await till.create("/sales-orders", order)
    const over = await trade(till).status("sales-orders", draft, "submitted", { override: true })
    expect(refusalOf(over)).toMatchObject({ status: 422, code: "CREDIT_LIMIT_EXCEEDED" })
  })

  test("its owner cannot create a key that deletes", async () => {
    const owner = await signIn(kontor, "till@shop.example", password)
    const refused = await owner.post("/api-keys", { name: "K", scopes: ["read", "delete"] })
    expect(refusalOf(refused)).toMatchObject({ status: 422, fields: ["scopes"] })
  })
})

test("GET /auth/me tells a shop that it may book stock and may not change items", async () => {
  expect((await till.get("/auth/me")).body.data).toMatchObject({
    role: "shop",
    rights: { items: ["read"], stock: ["read", "write"], invoices: ["read", "write"], administration: [] },
  })
})

test("the command line gives the role", async () => {
  const args = ["users", "create", "--email", "web@shop.example", "--role", "shop", "--json"]
  expect((await run(args, { cwd: kontor.cwd })).code).toBe(0)
  expect((await admin.get("/users?email=web@shop.example")).body.data[0].role).toBe("shop")
})
