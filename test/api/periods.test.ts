import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const [closed, locked, open, today] = [day(-40), day(-30), day(-29), day(0)]

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
beforeEach(async () => {
  expect((await lock(null)).status).toBe(200)
})
afterAll(cleanUp)

const lock = (lockedUntil: string | null) => api.put("/settings", { lockedUntil })
/** An invoice body. */
const bodyOf = async (over: object = {}) => ({
  customer: (await shop.customer()).id,
  items: [{ item: (await shop.item()).id, quantity: 2 }],
  ...over,
})
const refused = {
  status: 422,
  code: "PERIOD_LOCKED",
}

describe("lockedUntil", () => {
  test("can be today, and not in the future", async () => {
    expect((await lock(today)).status).toBe(200)
    const answer = await lock(day(2))
    expect(answer.body.error.details[0]).toMatchObject({
      field: "lockedUntil",
      code: "RULE",
      params: { rule: "NOT_AFTER_TODAY" },
    })
    expect(refusalOf(await api.put("/settings", { lockedUntil: "yesterday" }))).toMatchObject({ status: 422 })
  })

  test("can be lowered and cleared by an admin only, and the audit log has it", async () => {
    await lock(open)
    await lock(locked)
    await lock(null)
    const entries = (await api.get("/audit-logs?action=settings.update&perPage=2")).body.data
    expect(entries.map((entry: { changes: object }) => entry.changes)).toEqual([
      { lockedUntil: { from: locked, to: null } },
      { lockedUntil: { from: open, to: locked } },
    ])
    const password = "correct horse battery"
    await api.create("/users", { email: "manager@example.com", name: "M", role: "manager", password })
    const manager = await signIn(kontor, "manager@example.com", password)
    expect((await manager.put("/settings", { lockedUntil: null })).status).toBe(403)
  })
})

describe("in a closed period, an invoice cannot be issued", () => {
  test("when it is created", async () => {
    await lock(locked)
    const answer = await api.post("/invoices", await bodyOf({ status: "unpaid", invoiceDate: locked }))
    expect(refusalOf(answer)).toEqual({ ...refused, fields: ["invoiceDate"] })
    expect(answer.body.error).toMatchObject({
      params: { date: locked, lockedUntil: locked },
      details: [{ code: "RULE", params: { rule: "PERIOD_LOCKED", date: locked, lockedUntil: locked } }],
    })
    const next = await api.post("/invoices", await bodyOf({ status: "unpaid", invoiceDate: open }))
    expect(next).toMatchObject({ status: 201, body: { data: { status: "unpaid" } } })
  })

  test("by a change of its status, however its date was moved", async () => {
    const draft = await api.create("/invoices", await bodyOf({ invoiceDate: open }))
    await lock(locked)
    // A draft may have any date.
    expect((await api.put(`/invoices/${draft.id}`, { invoiceDate: closed })).status).toBe(200)
    const issue = () => shop.status("invoices", draft.id, "unpaid")
    expect(refusalOf(await issue())).toEqual({ ...refused, fields: ["invoiceDate"] })
    expect(await shop.get("invoices", draft.id)).toMatchObject({ status: "draft", invoiceNumber: null })
    await lock(null)
    expect((await api.put(`/invoices/${draft.id}`, { invoiceDate: open })).status).toBe(200)
    await lock(locked)
    expect(await issue()).toMatchObject({ status: 200, body: { data: { status: "unpaid" } } })
  })

  test("from an order", async () => {
    await lock(locked)
    const { id } = await shop.submitted({ orderDate: closed })
    expect(refusalOf(await shop.bill(id, { invoiceDate: closed }))).toEqual({
      ...refused,
      fields: ["invoiceDate"],
    })
    expect(await shop.get("sales-orders", id)).toMatchObject({ status: "submitted", invoices: [] })
    expect((await shop.bill(id)).status).toBe(201)
  })

  test("in a batch, one by one or all together", async () => {
    await lock(locked)
    const body = await bodyOf({ status: "unpaid", invoiceDate: closed })
    const operations = [
      { op: "create", body: { ...body, invoiceDate: open } },
      { op: "create", body },
    ]
    const each = await api.post("/invoices/batch", { mode: "each", operations })
    expect(each.body.data.results).toMatchObject([
      { status: 201 },
      { status: 422, error: { code: "PERIOD_LOCKED" } },
    ])
    const all = await api.post("/invoices/batch", { mode: "all", operations })
    expect(refusalOf(all)).toEqual({ ...refused, fields: ["operations[1].body.invoiceDate"] })
  })

  test("by a PUT with a key, which only makes drafts", async () => {
    await lock(locked)
    const draft = await api.put("/invoices/by/externalId/locked-1", await bodyOf({ invoiceDate: closed }))
    expect(draft).toMatchObject({ status: 201, body: { data: { status: "draft" } } })
    const answer = await api.put(
      "/invoices/by/externalId/locked-2",
      await bodyOf({ invoiceDate: closed, status: "unpaid" }),
    )
    expect(answer.status).toBe(422)
    expect(refusalOf(await shop.status("invoices", draft.body.data.id, "unpaid"))).toMatchObject(refused)
  })

  test("in a dry run either", async () => {
    await lock(locked)
    const body = await bodyOf({ status: "unpaid", invoiceDate: closed })
    expect(refusalOf(await api.post("/invoices?dryRun=true", body))).toMatchObject(refused)
  })
})

describe("in a closed period, an invoice", () => {
  test("cannot be cancelled after it was issued, but a draft can", async () => {
    const issued = await api.create("/invoices", await bodyOf({ status: "unpaid", invoiceDate: closed }))
    const draft = await api.create("/invoices", await bodyOf({ invoiceDate: closed }))
    await lock(locked)
    expect(refusalOf(await shop.status("invoices", issued.id, "cancelled"))).toEqual({
      ...refused,
      fields: ["invoiceDate"],
    })
    expect((await shop.status("invoices", draft.id, "cancelled")).status).toBe(200)
    await lock(day(-41))
    expect((await shop.status("invoices", issued.id, "cancelled")).status).toBe(200)
  })

  test("can still be paid today, and its notes and due date can be updated", async () => {
    const { id } = await api.create("/invoices", await bodyOf({ status: "unpaid", invoiceDate: closed }))
    await lock(locked)
    expect((await shop.pay(id, 5)).status).toBe(201)
    expect((await api.put(`/invoices/${id}`, { notes: "Paid in part", dueDate: day(10) })).status).toBe(200)
  })
})

describe("a payment", () => {
  test("cannot be recorded or deleted in a closed period, by its own date", async () => {
    const { id } = await api.create("/invoices", await bodyOf({ status: "unpaid", invoiceDate: closed }))
    const before = (await shop.pay(id, 5, { paymentDate: locked })).body.data
    const after = (await shop.pay(id, 5, { paymentDate: open })).body.data
    await lock(locked)
    const fields = ["paymentDate"]
    expect(refusalOf(await shop.pay(id, 5, { paymentDate: locked }))).toEqual({ ...refused, fields })
    expect(refusalOf(await api.delete(`/invoices/${id}/payments/${before.id}`))).toEqual({
      ...refused,
      fields,
    })
    expect((await api.delete(`/invoices/${id}/payments/${after.id}`)).status).toBe(204)
    expect(await shop.get("invoices", id)).toMatchObject({ amountPaid: 5, status: "partially_paid" })
  })
})

test("stock movements and orders are not locked", async () => {
  await lock(today)
  const item = await shop.item()
  await shop.receive(item.id, 5)
  await shop.submitted({ orderDate: closed })
})

describe("an unusual date", () => {
  const [old, late] = [day(-400), day(40)]
  const warned = (answer: Answer) => {
    expect([200, 201]).toContain(answer.status)
    return (answer.body.warnings ?? [])
      .filter(({ code }: Record<string, string>) => code !== "BUYER_ADDRESS_MISSING")
      .map(({ code, field }: Record<string, string>) => `${code} ${field}`)
  }

  test.each([old, late])("%s only warns", async (date) => {
    const created = await api.post("/invoices", await bodyOf({ invoiceDate: date }))
    expect(warned(created)).toEqual(["UNUSUAL_DATE invoiceDate"])
    expect(created.body.warnings[0].message).toBe(`invoiceDate is ${date}, and today is ${today}.`)
    const draft = await api.create("/invoices", await bodyOf())
    expect(warned(await api.put(`/invoices/${draft.id}`, { invoiceDate: date }))).toEqual([
      "UNUSUAL_DATE invoiceDate",
    ])
    // The same date again is not a change.
    expect(warned(await api.put(`/invoices/${draft.id}`, { invoiceDate: date, notes: "x" }))).toEqual([])
    const order = await api.post("/sales-orders", await bodyOf({ orderDate: date }))
    expect(warned(order)).toEqual(["UNUSUAL_DATE orderDate"])
    const other = await shop.order()
    expect(warned(await api.put(`/sales-orders/${other.id}`, { orderDate: date }))).toEqual([
      "UNUSUAL_DATE orderDate",
    ])
    const { id } = await shop.submitted({ orderDate: old })
    expect(warned(await shop.bill(id, { invoiceDate: date }))).toEqual(["UNUSUAL_DATE invoiceDate"])
    const invoice = await shop.invoice()
    expect(warned(await shop.pay(invoice.id, 1, { paymentDate: date }))).toEqual(["UNUSUAL_DATE paymentDate"])
  })

  test("is none within a year back and a month ahead", async () => {
    for (const date of [day(-364), day(27), today])
      expect(warned(await api.post("/invoices", await bodyOf({ invoiceDate: date })))).toEqual([])
  })
})
