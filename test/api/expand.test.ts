import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
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

/** The records as GET returns them, by id. */
const asRead = async (kind: string, ids: string[]) =>
  Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await shop.get(kind, id)])))

describe("expand", () => {
  test("adds the customer and the items of a document, each once, as GET returns them", async () => {
    const [a, b] = [await shop.item(), await shop.item()]
    const lines = [a, b, a].map(({ id }) => ({ item: id, quantity: 1 }))
    const order = await shop.submitted({ items: lines })
    const invoice = (await shop.bill(order.id)).body.data
    for (const path of [`/sales-orders/${order.id}`, `/invoices/${invoice.id}`]) {
      const plain = await api.get(path)
      const { body, headers } = await api.get(`${path}?expand=customer,items.item`)
      expect(body.data).toEqual(plain.body.data)
      expect(body.expanded).toEqual({
        customer: await asRead("customers", [order.customer]),
        "items.item": await asRead("items", [a.id, b.id]),
      })
      expect(headers.get("etag")).toBe(plain.headers.get("etag") as string)
      expect(headers.get("cache-control")).toBe("no-store")
    }
  })

  test("adds the order of a quotation, and the quotation of an order", async () => {
    const draft = {
      customer: (await shop.customer()).id,
      items: [{ item: (await shop.item()).id, quantity: 1 }],
    }
    const quotation = await api.create("/quotations", { ...draft, status: "sent" })
    const order = await api.create(`/quotations/${quotation.id}/order`, {})
    const [of, made] = [
      await api.get(`/quotations/${quotation.id}?expand=salesOrder`),
      await api.get("/sales-orders?expand=quotation"),
    ]
    expect(of.body.expanded).toEqual({ salesOrder: await asRead("sales-orders", [order.id]) })
    expect(made.body.expanded).toEqual({ quotation: await asRead("quotations", [quotation.id]) })
  })

  test("adds the tax code of an item, and the order that another one amends", async () => {
    const taxCode = await api.create("/tax-codes", {
      code: "EXP",
      name: "Expanded",
      rate: 7,
      category: "S",
    })
    const { id } = await shop.item({ taxCode: taxCode.id })
    const item = await api.get(`/items/${id}?expand=taxCode`)
    expect(item.body.expanded).toEqual({ taxCode: await asRead("tax-codes", [taxCode.id]) })
    const before = await shop.submitted()
    const after = await api.create(`/sales-orders/${before.id}/amend`, {})
    const order = await api.get(`/sales-orders/${after.id}?expand=amendedFrom`)
    expect(order.body.expanded).toEqual({ amendedFrom: await asRead("sales-orders", [before.id]) })
  })

  test("adds the related records of a list, also with fields and by cursor", async () => {
    const { id } = await shop.customer()
    for (let i = 0; i < 3; i++) await shop.order({ customer: id })
    const first = await api.get(`/sales-orders?customer=${id}&perPage=2&fields=id&expand=customer`)
    expect(Object.keys(first.body.data[0])).toEqual(["id"])
    expect(Object.keys(first.body.expanded.customer)).toEqual([id])
    const { nextCursor } = first.body.meta
    const second = await api.get(
      `/sales-orders?customer=${id}&perPage=2&fields=id&expand=customer,items.item&cursor=${nextCursor}`,
    )
    expect(second.body.data).toHaveLength(1)
    expect(Object.keys(second.body.expanded["items.item"])).toHaveLength(1)
    expect(first.headers.get("link")).toContain("expand=customer")
  })

  test("adds the item of stock movements, and works by another key", async () => {
    const { id } = await shop.item()
    await shop.receive(id, 4)
    const list = await api.get(`/stock-movements?item=${id}&expand=item`)
    expect(list.body.expanded.item[id]).toMatchObject({ id, currentStock: 4 })
    const order = await shop.order()
    const byNumber = await api.get(`/sales-orders/by/orderNumber/${order.orderNumber}?expand=customer`)
    expect(Object.keys(byNumber.body.expanded.customer)).toEqual([order.customer])
  })

  test("adds what payments, credit notes and invoices refer to", async () => {
    const order = await shop.submitted()
    const invoice = (await shop.bill(order.id)).body.data
    await shop.pay(invoice.id, 2)
    const note = await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Returned" })
    const customer = await asRead("customers", [order.customer])
    const invoices = await asRead("invoices", [invoice.id])
    const [payments, notes, billed] = await Promise.all([
      api.get(`/payments?customer=${order.customer}&expand=customer,allocations.invoice`),
      api.get(`/credit-notes/${note.id}?expand=customer,invoice,items.item`),
      api.get(`/invoices?customer=${order.customer}&expand=salesOrder`),
    ])
    expect(payments.body.expanded).toEqual({ customer, "allocations.invoice": invoices })
    const items = await asRead("items", [order.items[0].item])
    expect(notes.body.expanded).toEqual({ customer, invoice: invoices, "items.item": items })
    expect(billed.body.expanded).toEqual({ salesOrder: await asRead("sales-orders", [order.id]) })
  })

  test("adds at most 100 records of each name", async () => {
    const made = await Promise.all(Array.from({ length: 105 }, () => shop.item()))
    const order = await shop.order({ items: made.map(({ id }) => ({ item: id, quantity: 1 })) })
    const { expanded } = (await api.get(`/sales-orders/${order.id}?expand=items.item`)).body
    expect(Object.keys(expanded["items.item"])).toEqual(made.slice(0, 100).map(({ id }) => id))
  })

  test("adds an empty list nothing, and an empty name is refused", async () => {
    const none = await api.get("/invoices?customer=cus_none&expand=customer")
    expect(none.body).toMatchObject({ data: [], expanded: { customer: {} } })
    for (const query of [
      "expand=",
      "expand=items",
      "expand=createdBy",
      "expand=customer,,",
      "expand=__proto__",
    ])
      expect(refusalOf(await api.get(`/sales-orders?${query}`))).toMatchObject({
        status: 400,
        code: "INVALID_QUERY",
        fields: ["expand"],
      })
    expect((await api.get("/items?expand=customer")).status).toBe(400)
    expect((await api.get(`/items/${(await shop.item()).id}?expand=item`)).status).toBe(400)
  })

  test("shows only what the caller may read", async () => {
    const order = await shop.order()
    const path = `/sales-orders/${order.id}?expand=customer,items.item`
    await api.create("/users", {
      email: "reader@example.com",
      name: "Reader",
      role: "viewer",
      password: adminPassword,
    })
    const viewer = await signIn(kontor, "reader@example.com")
    expect(Object.keys((await viewer.get(path)).body.expanded.customer)).toEqual([order.customer])
    const key = await api.create("/api-keys", { name: "Writer", scopes: ["write"] })
    expect((await apiWith(kontor, { "x-api-key": key.key }).get(path)).status).toBe(403)
    expect((await send(`${kontor.url}/api/v1${path}`)).status).toBe(401)
  })
})
