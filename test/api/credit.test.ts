import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { everyRole, type Role } from "../support/attacks"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let shop: Trade
let people: Record<Role, Api>

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  shop = trade(admin)
  people = await everyRole(kontor, admin)
})
afterAll(cleanUp)

const debtor = async (creditLimit: number | null) => (await shop.customer({ creditLimit })).id

describe("a customer's credit limit", () => {
  test("cannot be updated by sales, neither raised nor set back", async () => {
    const id = await debtor(100)
    for (const creditLimit of [1_000, 99, 0, null]) {
      const answer = await people.sales.put(`/customers/${id}`, { creditLimit, phone: "1" })
      expect(refusalOf(answer)).toEqual({ status: 403, code: "FORBIDDEN", fields: ["creditLimit"] })
    }
    expect(await shop.get("customers", id)).toMatchObject({ creditLimit: 100, phone: null, version: 1 })
  })

  test("can be updated by accountant, manager and admin", async () => {
    const id = await debtor(100)
    for (const [i, role] of (["accountant", "manager", "admin"] as const).entries())
      expect(
        (await people[role].put(`/customers/${id}`, { creditLimit: 200 + i })).body.data.creditLimit,
      ).toBe(200 + i)
  })

  test("can be sent back unchanged, and set on create by every role that may create a customer", async () => {
    const made = await people.sales.create("/customers", { name: "New", creditLimit: 500 })
    expect(made.creditLimit).toBe(500)
    const same = await people.sales.put(`/customers/${made.id}`, { ...made, phone: "+1" })
    expect([same.status, same.body.data.phone]).toEqual([200, "+1"])
    const none = await people.sales.create("/customers", { name: "None" })
    expect((await people.sales.put(`/customers/${none.id}`, { creditLimit: null, phone: "2" })).status).toBe(
      200,
    )
  })

  test("cannot be updated by an API key of a sales user either", async () => {
    const { key } = await people.sales.create("/api-keys", { name: "K", scopes: ["read", "write"] })
    const id = await debtor(100)
    const answer = await admin.call("PUT", `/customers/${id}`, { creditLimit: 1 })
    expect(answer.status).toBe(200)
    const byKey = await fetch(`${kontor.url}/api/v1/customers/${id}`, {
      method: "PUT",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ creditLimit: 2 }),
    })
    expect(byKey.status).toBe(403)
  })
})

describe("an invoice without an order", () => {
  const direct = async (customer: string, rate: number, over: object = {}, as: Api = admin) =>
    as.post("/invoices", {
      customer,
      items: [{ item: (await shop.item()).id, quantity: 1, rate }],
      ...over,
    })

  test("is checked against the credit limit when it is issued immediately", async () => {
    const customer = await debtor(100)
    expect((await direct(customer, 60, { status: "unpaid" })).status).toBe(201)
    expect(refusalOf(await direct(customer, 60, { status: "unpaid" }))).toEqual({
      status: 422,
      code: "CREDIT_LIMIT_EXCEEDED",
      fields: ["customer"],
    })
    expect((await direct(customer, 60)).status).toBe(201)
    expect((await shop.get("customers", customer)).outstandingBalance).toBe(60)
  })

  test("is checked against it when a draft is issued later, together with open orders", async () => {
    const customer = await debtor(100)
    const draft = (await direct(customer, 60)).body.data
    await shop.submitted({ customer, items: [{ item: (await shop.item()).id, quantity: 1, rate: 50 }] })
    expect(refusalOf(await shop.status("invoices", draft.id, "unpaid"))).toMatchObject({
      status: 422,
      code: "CREDIT_LIMIT_EXCEEDED",
    })
    expect(await shop.get("invoices", draft.id)).toMatchObject({ status: "draft", invoiceNumber: null })
  })

  test("a manager can override the limit, which is audited, and an accountant cannot", async () => {
    const customer = await debtor(10)
    const over = { status: "unpaid", override: true }
    expect(refusalOf(await direct(customer, 20, over, people.accountant))).toMatchObject({
      code: "CREDIT_LIMIT_EXCEEDED",
    })
    const made = (await direct(customer, 20, over, people.manager)).body.data
    const draft = (await direct(customer, 20)).body.data
    expect((await shop.status("invoices", draft.id, "unpaid", { override: true })).status).toBe(200)
    for (const id of [made.id, draft.id]) {
      const entries = (await admin.get(`/invoices/${id}/history?perPage=10`)).body.data
      expect(JSON.stringify(entries)).toContain('"creditOverride":{"from":false,"to":true}')
    }
    expect(refusalOf(await direct(customer, 20, { status: "unpaid", override: "yes" }))).toMatchObject({
      fields: ["override"],
    })
  })

  test("only warns, or does nothing, depending on the policy", async () => {
    const customer = await debtor(10)
    await admin.put("/settings", { creditPolicy: "warn" })
    const warned = await direct(customer, 20, { status: "unpaid" })
    const missing = { code: "BUYER_ADDRESS_MISSING" }
    expect([warned.status, warned.body.warnings]).toMatchObject([
      201,
      [{ code: "CREDIT_LIMIT_EXCEEDED", params: { limit: 10, used: 0, total: 20 } }, missing],
    ])
    await admin.put("/settings", { creditPolicy: "off" })
    expect((await direct(customer, 20, { status: "unpaid" })).body.warnings).toMatchObject([missing])
    await admin.put("/settings", { creditPolicy: null })
  })
})

test("an order that reopens because its invoice is cancelled only causes a warning", async () => {
  const customer = await debtor(100)
  const items = [{ item: (await shop.item()).id, quantity: 1, rate: 80 }]
  const invoice = await shop.invoice({ customer, items })
  await admin.put(`/customers/${customer}`, { creditLimit: 50 })
  const answer = await shop.status("invoices", invoice.id, "cancelled")
  const { code, params } = answer.body.warnings?.[0] ?? {}
  expect([answer.status, code]).toEqual([200, "CREDIT_LIMIT_EXCEEDED"])
  expect(params).toEqual({ customerName: expect.any(String), limit: 50, used: 80, currency: "USD" })
  expect((await shop.get("sales-orders", invoice.salesOrder)).status).toBe("submitted")
})

test("a submitted order is checked again when its total rises, without what it has of the limit itself", async () => {
  const customer = await debtor(100)
  const item = (await shop.item()).id
  const { id } = await shop.submitted({ customer, items: [{ item, quantity: 6, rate: 10 }] })
  const revise = (by: Api, quantity: number, over: object = {}) =>
    by.patch(`/sales-orders/${id}`, { items: [{ item, quantity, rate: 10 }], ...over })
  expect((await revise(people.sales, 9)).status).toBe(200)
  const refused = await revise(people.sales, 12, { override: true })
  expect([refusalOf(refused).code, refused.body.error.params]).toMatchObject([
    "CREDIT_LIMIT_EXCEEDED",
    { limit: 100, used: 0, total: 120 },
  ])
  expect((await revise(people.manager, 12, { override: true })).body.data.total).toBe(120)
  const [entry] = (await admin.get(`/sales-orders/${id}/history?perPage=1`)).body.data
  expect(entry.changes).toMatchObject({ creditOverride: { from: false, to: true } })
  // A lower total is not checked, even if it is above the limit.
  expect((await revise(people.sales, 11)).status).toBe(200)
  const other = await debtor(100)
  expect(refusalOf(await revise(people.sales, 11, { customer: other })).code).toBe("CREDIT_LIMIT_EXCEEDED")
})

test("an order that would make a customer's figures too large to count is refused", async () => {
  const customer = (await shop.customer()).id
  const item = (await shop.item({ itemType: "Service" })).id
  const order = { customer, items: [{ item, quantity: 90_000, rate: 999_999_999 }], status: "submitted" }
  const statuses = new Set<string>()
  for (let i = 0; i < 3; i++) {
    const { status, body } = await admin.post("/sales-orders", order)
    statuses.add(`${status} ${body?.error?.details?.[0]?.field ?? ""}`)
  }
  expect([...statuses]).toEqual(["201 ", "422 customer"])
  const { openOrdersValue } = await shop.get("customers", customer)
  expect(Number.isSafeInteger(Math.round(openOrdersValue * 100))).toBeTrue()
  expect((await run(["check", "--db", kontor.file])).code).toBe(0)
})
