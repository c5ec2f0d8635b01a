import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { feedOf, linesOf, typesOf } from "../support/events"
import { importer } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { clientOf } from "../support/oauth"
import { importOpening } from "../support/opening"
import { dateOf } from "../support/shop-story"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
})
afterAll(cleanUp)

/** The events of an operation as short lines, in the order of the feed. */
const told = async (run: () => Promise<unknown>) => linesOf(await feed.during(run))
/** Only the types, and only those of one kind. */
const typesIn = async (kind: string, run: () => Promise<unknown>) =>
  typesOf(await feed.during(run, `kinds=${kind}`))

describe("a record", () => {
  test("that is created, updated and deleted has an event of each", async () => {
    const events = await feed.during(async () => {
      const { id } = await shop.item({ itemCode: "LIFE" })
      await api.put(`/items/${id}`, { itemName: "Other", sellingPrice: 12, isActive: false })
      await api.delete(`/items/${id}`)
    })
    expect(linesOf(events)).toEqual([
      "items.created 1",
      "items.updated 2 isActive itemName sellingPrice",
      "items.deleted 2",
    ])
    const [first] = events
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      seq: expect.any(Number),
      type: "items.created",
      kind: "items",
      recordId: expect.stringMatching(/^itm_/),
      version: 1,
      at: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
      changed: [],
    })
    expect(new Set(events.map(({ recordId }) => recordId)).size).toBe(1)
  })

  test("that an update leaves as it is has no event", async () => {
    const { id, itemName } = await shop.item()
    expect(await told(() => api.put(`/items/${id}`, { itemName }))).toEqual([])
  })

  test("that is changed several times in one batch has one event with all fields, and one that is made and deleted has none", async () => {
    const { id } = await shop.item()
    const by = { field: "itemCode", value: "SHORT" }
    const lines = await told(() =>
      api.post("/items/batch", {
        mode: "all",
        operations: [
          { op: "update", id, body: { itemName: "One" } },
          { op: "update", id, body: { sellingPrice: 2 } },
          { op: "create", body: { itemCode: "SHORT", itemName: "For a moment" } },
          { op: "delete", by },
        ],
      }),
    )
    expect(lines).toEqual(["items.updated 3 itemName sellingPrice"])
  })

  test("of another kind that a write changes has one event, whatever the number of lines", async () => {
    const item = await shop.item()
    await shop.receive(item.id, 50)
    const items = Array.from({ length: 20 }, () => ({ item: item.id, quantity: 1 }))
    const order = await shop.submitted({ items })
    const events = await feed.during(() => shop.bill(order.id))
    expect(typesOf(events).filter((type) => type !== "stock-movements.created")).toEqual([
      "customers.updated",
      "invoices.created",
      "invoices.issued",
      "items.updated",
      "sales-orders.completed",
      "sales-orders.updated",
    ])
    expect(linesOf(events).filter((line) => line.startsWith("items."))).toEqual([
      "items.updated 1 currentStock reservedStock",
    ])
    expect(typesOf(events).filter((type) => type === "stock-movements.created")).toHaveLength(20)
  })
})

describe("no event", () => {
  test("is written by a refused write and by a dry run", async () => {
    const { id } = await shop.item()
    const lines = await told(async () => {
      await api.post("/items", { itemName: "No code" })
      await api.put(`/items/${id}`, { itemName: "Late" }, { "if-match": '"99"' })
      await api.post("/items?dryRun=true", { itemCode: "DRY", itemName: "Dry" })
      await api.delete(`/items/${id}?dryRun=true`)
      await importer(api).run("kind=items&dryRun=true", "itemCode,itemName\nDRY-2,Dry")
      const refused = {
        mode: "all",
        operations: [
          { op: "delete", id },
          { op: "delete", id: "itm_none" },
        ],
      }
      expect((await api.post("/items/batch", refused)).status).toBe(422)
    })
    expect(lines).toEqual([])
  })

  test("is written for users, keys, apps, settings and sessions", async () => {
    const lines = await told(async () => {
      const person = { email: "quiet@example.com", name: "Quiet", role: "viewer" }
      const user = await api.create("/users", { ...person, password: "correct horse battery" })
      await api.put(`/users/${user.id}`, { name: "Quieter" })
      const key = await api.create("/api-keys", { name: "Quiet", scopes: ["read"] })
      await api.delete(`/api-keys/${key.id}`)
      await clientOf(api)
      expect((await api.put("/settings", { companyName: "Quiet" })).status).toBe(200)
      await signIn(kontor, person.email)
    })
    expect(lines).toEqual([])
  })
})

describe("an order", () => {
  test("is submitted once, and reopening it does not submit it again", async () => {
    const order = await shop.order()
    const invoices: string[] = []
    const types = await typesIn("sales-orders", async () => {
      await shop.status("sales-orders", order.id, "submitted")
      invoices.push((await shop.bill(order.id)).body.data.id)
      await shop.status("invoices", invoices[0] ?? "", "cancelled")
    })
    expect(types).toEqual([
      "sales-orders.completed",
      "sales-orders.submitted",
      "sales-orders.updated",
      "sales-orders.updated",
      "sales-orders.updated",
    ])
    expect((await shop.get("sales-orders", order.id)).status).toBe("submitted")
  })

  test("that is created as submitted has both events, and one that is cancelled has its own", async () => {
    const types = await typesIn("sales-orders", async () => {
      const { id } = await shop.submitted()
      await shop.status("sales-orders", id, "cancelled")
    })
    expect(types).toEqual([
      "sales-orders.cancelled",
      "sales-orders.created",
      "sales-orders.submitted",
      "sales-orders.updated",
    ])
  })
})

describe("an invoice", () => {
  test("is issued, paid, no longer paid and paid again", async () => {
    const draft = await api.create("/invoices", {
      customer: (await shop.customer()).id,
      items: [{ description: "Work", quantity: 1, rate: 10 }],
    })
    expect(await typesIn("invoices", () => shop.status("invoices", draft.id, "unpaid"))).toEqual([
      "invoices.issued",
      "invoices.updated",
    ])
    const { total } = await shop.get("invoices", draft.id)
    expect(await typesIn("invoices", () => shop.pay(draft.id, total / 2))).toEqual(["invoices.updated"])
    const paid = await feed.during(() => shop.pay(draft.id, total / 2))
    expect(linesOf(paid).filter((line) => line.startsWith("inv"))).toEqual([
      "invoices.updated 4 amountPaid balance paidAt payments status",
      "invoices.paid 4",
    ])
    const [payment] = (await api.get(`/invoices/${draft.id}/payments`)).body.data
    const remove = () => api.delete(`/invoices/${draft.id}/payments/${payment.id}`)
    expect(await typesIn("invoices", remove)).toEqual(["invoices.updated"])
    expect(await typesIn("invoices", () => shop.pay(draft.id, total / 2))).toEqual([
      "invoices.paid",
      "invoices.updated",
    ])
  })

  test("is credited with each credit note, and cancelled", async () => {
    const { id } = await shop.invoice()
    const credit = (body: object) => api.create(`/invoices/${id}/credit-notes`, { reason: "Broken", ...body })
    const [line] = (await shop.get("invoices", id)).items
    const part = { items: [{ invoiceLine: line.id, quantity: 1 }] }
    const events = await feed.during(() => credit(part))
    expect(typesOf(events)).toEqual([
      "credit-notes.created",
      "credit-notes.issued",
      "customers.updated",
      "invoices.credited",
      "invoices.updated",
    ])
    expect(await typesIn("invoices", () => credit(part))).toEqual(["invoices.credited", "invoices.updated"])
    const other = await shop.invoice()
    expect(await typesIn("invoices", () => shop.status("invoices", other.id, "cancelled"))).toEqual([
      "invoices.cancelled",
      "invoices.updated",
    ])
  })

  test("that is cancelled by a credit note is cancelled and credited", async () => {
    await api.put("/settings", { correctBy: "credit-note" })
    const { id } = await shop.invoice()
    const types = await typesIn("invoices,credit-notes", () => shop.status("invoices", id, "cancelled"))
    await api.put("/settings", { correctBy: "cancel" })
    expect(types).toEqual([
      "credit-notes.created",
      "credit-notes.issued",
      "invoices.cancelled",
      "invoices.credited",
      "invoices.updated",
    ])
  })

  test("of another system is created but not issued", async () => {
    const { customerNumber } = await shop.customer()
    const dates = { invoiceDate: dateOf(-40), dueDate: dateOf(-10) }
    const row = { invoiceNumber: "OLD-1", customerNumber, ...dates, total: 80, balance: 80 }
    const events = await feed.during(async () => expect(await importOpening(api, [row])).toEqual([]))
    expect(typesOf(events)).toEqual(["customers.updated", "imports.finished", "invoices.created"])
  })

  test("that is issued after its due date is overdue at once", async () => {
    const items = [{ description: "Work", rate: 1, quantity: 1 }]
    const dates = { invoiceDate: dateOf(-9), dueDate: dateOf(-2) }
    const body = { customer: (await shop.customer()).id, items, ...dates }
    const { id } = await api.create("/invoices", body)
    expect(await typesIn("invoices", () => shop.status("invoices", id, "unpaid"))).toEqual([
      "invoices.issued",
      "invoices.overdue",
      "invoices.updated",
    ])
    expect(await typesIn("invoices", () => shop.pay(id, 0.5))).toEqual(["invoices.updated"])
  })
})

test("a payment is created, changed by its allocations and refunds, and deleted", async () => {
  const invoice = await shop.invoice()
  const receipt = { customer: invoice.customer, amount: invoice.total + 5, allocations: [] }
  const payment = await api.create("/payments", receipt)
  const path = `/payments/${payment.id}`
  const lines = await told(async () => {
    await api.create(`${path}/allocations`, { invoice: invoice.id, amount: invoice.total })
    await api.create(`${path}/refunds`, { amount: 5 })
    expect((await api.delete(path)).status).toBe(204)
  })
  expect(lines.filter((line) => line.startsWith("payments."))).toEqual([
    "payments.updated 2 allocated allocations invoice unallocated",
    "payments.updated 3 refunded refunds unallocated",
    "payments.deleted 3",
  ])
  expect(lines.filter((line) => line.startsWith("invoices.paid"))).toHaveLength(1)
})
