import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { feedOf, linesOf, typesOf } from "../support/events"
import { inFile } from "../support/file"
import { importer } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { dateOf } from "../support/shop-story"
import { trade, type Trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>

beforeAll(async () => {
  kontor = await serve()
  await connect()
})
afterAll(cleanUp)

async function connect(): Promise<void> {
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
}

/** The events of items in an operation. */
const itemEvents = async (run: () => Promise<unknown>) => linesOf(await feed.during(run, "kinds=items"))

describe("items.low-stock", () => {
  const low = (version = 1) => `items.low-stock ${version}`
  const stocked = async (stock: number, over: object = {}) => {
    const { id } = await shop.item({ reorderLevel: 5, ...over })
    if (stock > 0) await shop.receive(id, stock)
    return id
  }

  test("is written when a movement leaves little stock, once, and again after stock has come", async () => {
    const item = await stocked(10)
    const move = (quantity: number) => () =>
      api.create("/stock-movements", { item, quantity, reason: "adjustment" })
    expect(await itemEvents(move(-4))).toEqual(["items.updated 1 currentStock"])
    expect(await itemEvents(move(-1))).toEqual(["items.updated 1 currentStock", low()])
    expect(await itemEvents(move(-1))).toEqual(["items.updated 1 currentStock"])
    expect(await itemEvents(move(10))).toEqual(["items.updated 1 currentStock"])
    expect(await itemEvents(move(-10))).toEqual(["items.updated 1 currentStock", low()])
  })

  test("is written when an order reserves stock, and not again when its invoice takes it", async () => {
    const item = await stocked(10)
    const order = await shop.order({ items: [{ item, quantity: 6 }] })
    expect(await itemEvents(() => shop.status("sales-orders", order.id, "submitted"))).toEqual([
      "items.updated 1 reservedStock",
      low(),
    ])
    expect(await itemEvents(() => shop.bill(order.id))).toEqual([
      "items.updated 1 currentStock reservedStock",
    ])
  })

  test("is not written by an invoice that takes what its order has reserved", async () => {
    const item = await stocked(20)
    const order = await shop.submitted({ items: [{ item, quantity: 10 }] })
    const updated = ["items.updated 1 currentStock reservedStock"]
    expect(await itemEvents(() => shop.bill(order.id))).toEqual(updated)
    const [invoice] = (await shop.get("sales-orders", order.id)).invoices
    expect(await itemEvents(() => shop.status("invoices", invoice, "cancelled"))).toEqual(updated)
  })

  test("is written when a sale or a count leaves little stock", async () => {
    const [sold, counted] = [await stocked(8), await stocked(8)]
    const items = [{ item: sold, quantity: 4, rate: 1 }]
    const sale = { customer: (await shop.customer()).id, items, status: "unpaid" }
    expect(await itemEvents(() => api.create("/invoices", sale))).toContain(low())
    const lines = [{ item: counted, counted: 2 }]
    expect(await itemEvents(() => api.post("/stock-movements/count", { lines }))).toContain(low())
  })

  test("is never written when an item is created or edited", async () => {
    expect(await itemEvents(() => shop.item({ reorderLevel: 3 }))).toEqual(["items.created 1"])
    const item = await stocked(10)
    expect(await itemEvents(() => api.put(`/items/${item}`, { reorderLevel: 20 }))).toEqual([
      "items.updated 2 reorderLevel",
    ])
    expect((await shop.get("items", item)).isLowStock).toBeTrue()
  })

  test("is never written for a service, which has no stock", async () => {
    const item = (await shop.item({ itemType: "Service", reorderLevel: 5 })).id
    expect(await itemEvents(() => shop.submitted({ items: [{ item, quantity: 9 }] }))).toEqual([])
  })
})

describe("imports.finished", () => {
  test("comes after the events of the rows, with the id of the import", async () => {
    const file = "itemCode,itemName\nEV-1,First\nEV-2,Second"
    let id = ""
    const events = await feed.during(async () => ({ id } = await importer(api).run("kind=items", file)))
    expect(events.map(({ type }) => type)).toEqual(["items.created", "items.created", "imports.finished"])
    expect(events.at(-1)).toMatchObject({ recordId: id, kind: "imports", version: null, changed: [] })
  })

  test("is not written by an import that fails", async () => {
    const types = await feed.during(() =>
      importer(api).run("kind=items&mode=create", "itemCode,itemName\nEV-1,"),
    )
    expect(typesOf(types)).toEqual([])
  })
})

test("an invoice whose due date has passed is overdue once, also if the server was off that day", async () => {
  const [late, paid] = [await shop.invoice(), await shop.invoice()]
  await shop.pay(paid.id, paid.balance)
  const position = await feed.latest()
  // The first look at overdue invoices marks none, and on PostgreSQL the server first has to become the leader.
  const looked = "SELECT 1 FROM positions WHERE name = 'overdue-invoices'"
  await until(() => inFile(kontor, (db) => db.query(looked).get() !== null))
  await kontor.stop()
  // As if the server had been off since the day before the due date.
  inFile(kontor, (db) => {
    db.run("UPDATE positions SET position = ?", [dateOf(-4)])
    const dates = [dateOf(-3), dateOf(-20)]
    db.run("UPDATE invoices SET due_date = ?, invoice_date = ? WHERE id IN (?, ?)", [
      ...dates,
      late.id,
      paid.id,
    ])
  })
  kontor = await serve({ cwd: kontor.cwd, env: {} })
  await connect()
  const path = `/events?after=${position}&wait=20&kinds=invoices`
  // On PostgreSQL the server first has to become the leader.
  await until(async () => (await api.get(path)).body.data.length > 0)
  const { body } = await api.get(path)
  expect(linesOf(body.data)).toEqual(["invoices.updated 1 isOverdue", "invoices.overdue 1"])
  expect(body.data[1].recordId).toBe(late.id)
  const after = body.meta.next
  await kontor.stop()
  kontor = await serve({ cwd: kontor.cwd, env: {} })
  await connect()
  await Bun.sleep(400)
  expect((await feed.readAll(after)).events).toEqual([])
})
