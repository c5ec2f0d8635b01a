import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
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

/** The version, the time of the last change and the ETag of a record. */
async function stateOf(path: string) {
  const { body, headers } = await api.get(path)
  const { version, updatedAt } = body.data
  return { version, updatedAt, etag: headers.get("etag") ?? "" }
}

type State = Awaited<ReturnType<typeof stateOf>>

/** Runs `change` and returns the state of a record before and after it. */
async function across(path: string, change: () => Promise<unknown>): Promise<[before: State, after: State]> {
  const before = await stateOf(path)
  await Bun.sleep(2)
  await change()
  return [before, await stateOf(path)]
}

function expectMoved([before, after]: [State, State], versions: number) {
  expect(after.version - before.version).toBe(versions)
  expect(after.updatedAt > before.updatedAt).toBeTrue()
  expect(after.etag).not.toBe(before.etag)
  expect(after.etag).toMatch(new RegExp(`^"${after.version}\\.\\d+"$`))
}

describe("every stored change that GET shows moves updatedAt and the ETag", () => {
  test("of an item: a receipt, a reservation and a sale; its version counts only edits", async () => {
    const { id } = await shop.item()
    const path = `/items/${id}`
    expectMoved(await across(path, () => shop.receive(id, 10)), 0)
    let order = ""
    expectMoved(
      await across(path, async () => {
        order = (await shop.submitted({ items: [{ item: id, quantity: 2 }] })).id
      }),
      0,
    )
    expectMoved(await across(path, () => shop.bill(order)), 0)
    expectMoved(await across(path, () => api.put(path, { itemName: "Other" })), 1)
  })

  test("of a customer: an open order, an invoice and a payment", async () => {
    const { id } = await shop.customer()
    const path = `/customers/${id}`
    let order = ""
    let invoice = ""
    expectMoved(await across(path, async () => (order = (await shop.submitted({ customer: id })).id)), 0)
    expectMoved(await across(path, async () => (invoice = (await shop.bill(order)).body.data.id)), 0)
    expectMoved(await across(path, () => shop.pay(invoice, 5)), 0)
  })

  test("of an invoice: every payment counts as a version, also the second and a removed one", async () => {
    const { id } = await shop.invoice()
    const path = `/invoices/${id}`
    expectMoved(await across(path, () => shop.pay(id, 1)), 1)
    expectMoved(await across(path, () => shop.pay(id, 1)), 1)
    const [payment] = (await shop.get("invoices", id)).payments
    expectMoved(await across(path, () => api.delete(`${path}/payments/${payment.id}`)), 1)
  })

  test("of an order: every part invoice and every cancelled one counts as a version", async () => {
    const order = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 10 }] })
    const path = `/sales-orders/${order.id}`
    const part = { items: [{ orderLine: order.items[0].id, quantity: 3 }] }
    expectMoved(await across(path, () => shop.bill(order.id, part)), 1)
    let invoice = ""
    expectMoved(await across(path, async () => (invoice = (await shop.bill(order.id, part)).body.data.id)), 1)
    expectMoved(await across(path, () => shop.status("invoices", invoice, "cancelled")), 1)
  })
})

describe("what GET does not show differently leaves the ETag alone", () => {
  test("an edit of an order's notes changes neither its items nor its customer", async () => {
    const { id } = await shop.item()
    const customer = await shop.customer()
    const order = await shop.submitted({ customer: customer.id, items: [{ item: id, quantity: 2 }] })
    const paths = [`/items/${id}`, `/customers/${customer.id}`]
    const before = await Promise.all(paths.map(stateOf))
    await api.put(`/sales-orders/${order.id}`, { notes: "At the back door." })
    expect(await Promise.all(paths.map(stateOf))).toEqual(before)
  })

  test("the same value again", async () => {
    const { id, itemName } = await shop.item()
    const before = await stateOf(`/items/${id}`)
    await api.put(`/items/${id}`, { itemName })
    expect(await stateOf(`/items/${id}`)).toEqual(before)
  })
})

describe("If-Match", () => {
  test("with the version accepts an edit while goods are sold, with the whole ETag it does not", async () => {
    const { id } = await shop.item()
    const { version, etag } = await stateOf(`/items/${id}`)
    await shop.receive(id, 3)
    const late = await api.put(`/items/${id}`, { itemName: "Late" }, { "if-match": etag })
    expect(refusalOf(late)).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" })
    expect(late.headers.get("etag")).toBe((await stateOf(`/items/${id}`)).etag)
    const edit = await api.put(`/items/${id}`, { itemName: "Edit" }, { "if-match": `"${version}"` })
    expect(edit).toMatchObject({ status: 200, body: { data: { itemName: "Edit", currentStock: 3 } } })
    const again = await api.put(
      `/items/${id}`,
      { itemName: "Again" },
      { "if-match": edit.headers.get("etag") ?? "" },
    )
    expect(again.status).toBe(200)
  })

  test("matches one of several tags, and no tag in another format", async () => {
    const { id } = await shop.item()
    const { etag } = await stateOf(`/items/${id}`)
    const put = (tag: string) => api.put(`/items/${id}`, { itemName: "Same" }, { "if-match": tag })
    expect((await put(`"99", ${etag}`)).status).toBe(200)
    for (const tag of ['"1.0.0"', '"01"', '"1."', '".0"', 'W/"2"', '""'])
      expect((await put(tag)).status).toBe(412)
    expect(refusalOf(await put("1.0"))).toMatchObject({ status: 400 })
  })
})

test("records can be found by updatedAt, in its order, after a sale changed an item", async () => {
  const items = await Promise.all(Array.from({ length: 3 }, () => shop.item({ category: "Sync" })))
  await Bun.sleep(2)
  const since = new Date().toISOString()
  await shop.receive(items[1].id, 1)
  const { body } = await api.get(`/items?updatedAt[gte]=${since}&sort=updatedAt&order=asc`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([items[1].id])
})

describe("an invoice that becomes overdue", () => {
  const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  /** Waits until the server has looked for overdue invoices today. Of several servers, only the leader does. */
  async function looked(): Promise<void> {
    const position = () =>
      inFile(
        kontor,
        (db) =>
          db
            .query<{ position: string }, []>("SELECT position FROM positions WHERE name = 'overdue-invoices'")
            .get()?.position,
      )
    while (position() !== dayAt(0)) await Bun.sleep(10)
  }

  async function restart(): Promise<void> {
    kontor = await serve({ cwd: kontor.cwd, env: {} })
    api = await signIn(kontor)
    await looked()
  }

  test("gets a new ETag at the next start, once, and others do not", async () => {
    const overdue = await shop.invoice()
    const paid = await shop.invoice()
    const later = await shop.invoice()
    await shop.pay(paid.id, paid.balance)
    const paths = [overdue, paid, later].map(({ id }) => `/invoices/${id}`)
    const before = await Promise.all(paths.map(stateOf))
    // The first look marks nothing.
    await looked()
    await kontor.stop()
    // As if the server had been off since the day before the due date.
    inFile(kontor, (db) => {
      db.query("UPDATE positions SET position = ? WHERE name = 'overdue-invoices'").run(dayAt(-4))
      db.query("UPDATE invoices SET due_date = ?, invoice_date = ? WHERE id IN (?, ?)").run(
        dayAt(-3),
        dayAt(-20),
        overdue.id,
        paid.id,
      )
    })
    await restart()
    const after = await Promise.all(paths.map(stateOf))
    expectMoved([before[0] as State, after[0] as State], 0)
    expect(after.slice(1)).toEqual(before.slice(1))
    await kontor.stop()
    await restart()
    await Bun.sleep(200)
    expect(await Promise.all(paths.map(stateOf))).toEqual(after)
  })
})
