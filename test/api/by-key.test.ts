import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
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

describe("GET /{kind}/by/{field}/{value}", () => {
  test("finds a record by its external id and by every unique field, like GET by id", async () => {
    const item = await shop.item({ itemCode: "By/Code ä", externalId: "item 1/2" })
    const customer = await shop.customer({ externalId: "cus-1" })
    const order = await shop.submitted({ externalId: "ord-1" })
    const invoice = (await shop.bill(order.id, { externalId: "inv-1" })).body.data
    for (const [kind, field, value, { id }] of [
      ["items", "itemCode", "by/code Ä", item],
      ["items", "externalId", "item 1/2", item],
      ["customers", "externalId", "cus-1", customer],
      ["customers", "customerNumber", customer.customerNumber, customer],
      ["sales-orders", "externalId", "ord-1", order],
      ["sales-orders", "orderNumber", order.orderNumber, order],
      ["invoices", "externalId", "inv-1", invoice],
      ["invoices", "invoiceNumber", invoice.invoiceNumber, invoice],
    ] as const) {
      const byId = await api.get(`/${kind}/${id}`)
      const byKey = await api.get(`/${kind}/by/${field}/${encodeURIComponent(value)}`)
      expect([kind, field, byKey.status, byKey.text]).toEqual([kind, field, 200, byId.text])
      expect(byKey.headers.get("etag")).toBe(byId.headers.get("etag") as string)
    }
    const some = await api.get("/items/by/externalId/item%201%2F2?fields=id")
    expect(some.body.data).toEqual({ id: item.id })
  })

  test("compares external ids exactly; a value that no record has is 404, another field has no endpoint", async () => {
    await shop.customer({ externalId: "Exact" })
    for (const value of ["exact", "nothing", "%00", "x".repeat(5_000)])
      expect(refusalOf(await api.get(`/customers/by/externalId/${value}`))).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
      })
    expect(refusalOf(await api.get("/customers/by/name/Exact"))).toMatchObject({ code: "ENDPOINT_NOT_FOUND" })
  })
})

describe("PUT /{kind}/by/{field}/{value}", () => {
  test("creates a record, then merges into it", async () => {
    const path = "/items/by/externalId/put-1"
    const body = { itemCode: "PUT-1", itemName: "First", sellingPrice: 5 }
    const first = await api.put(path, body)
    expect(first).toMatchObject({ status: 201, body: { data: { ...body, externalId: "put-1" } } })
    expect(first.headers.get("location")).toBe(`/api/v1/items/${first.body.data.id}`)
    const second = await api.put(path, { itemName: "Second" })
    expect(second).toMatchObject({ status: 200, body: { data: { ...body, itemName: "Second", version: 2 } } })
    const same = await api.put(path, second.body.data)
    expect(same).toMatchObject({ status: 200, body: { data: { version: 2 } } })
  })

  test("creates by the code that a client chooses, in any case of it", async () => {
    expect((await api.put("/items/by/itemCode/chosen", { itemName: "A" })).status).toBe(201)
    const again = await api.put("/items/by/itemCode/CHOSEN", { itemName: "B", itemCode: "Chosen" })
    expect(again).toMatchObject({ status: 200, body: { data: { itemName: "B", itemCode: "Chosen" } } })
  })

  test("does not create by a number that the service gives", async () => {
    const { id, customerNumber } = await shop.customer()
    const put = (number: string) => api.put(`/customers/by/customerNumber/${number}`, { name: "Renamed" })
    expect(await put(customerNumber)).toMatchObject({ status: 200, body: { data: { id, name: "Renamed" } } })
    expect(refusalOf(await put("CUST-99999"))).toMatchObject({ status: 404, code: "NOT_FOUND" })
  })

  test("refuses another key in the body", async () => {
    const put = (body: object) => api.put("/customers/by/externalId/this", { name: "A", ...body })
    for (const externalId of ["other", null, 5])
      expect(refusalOf(await put({ externalId }))).toMatchObject({ status: 422, fields: ["externalId"] })
    expect((await put({ externalId: "this" })).status).toBe(201)
  })

  test("with If-None-Match: * only creates, with If-Match only updates", async () => {
    const put = (headers: Record<string, string>) =>
      api.put("/customers/by/externalId/once", { name: "Once" }, headers)
    expect((await put({ "if-match": '"1"' })).status).toBe(412)
    expect((await put({ "if-match": "*" })).status).toBe(412)
    expect((await put({ "if-none-match": "*" })).status).toBe(201)
    expect((await put({ "if-none-match": "*" })).status).toBe(412)
    expect((await put({ "if-match": '"1"' })).status).toBe(200)
    expect((await put({ "if-match": '"9"' })).status).toBe(412)
    expect((await put({ "if-none-match": '"1"' })).status).toBe(400)
  })

  test("normalizes the key as the field does", async () => {
    const put = (value: string) => api.put(`/customers/by/externalId/${value}`, { name: "Spaces" })
    const first = await put("%20spaced%20key")
    expect(first).toMatchObject({ status: 201, body: { data: { externalId: "spaced key" } } })
    expect(await put("spaced%20key%20")).toMatchObject({ status: 200, body: { data: { version: 1 } } })
    expect(refusalOf(await put("x".repeat(5_000)))).toMatchObject({ status: 422, fields: ["externalId"] })
  })

  test("of the same document again changes nothing, even after it is submitted", async () => {
    const [a, b] = [await shop.item(), await shop.item()]
    const body = {
      customer: (await shop.customer()).id,
      items: [
        { item: a.id, quantity: 1 },
        { item: b.id, quantity: 2, rate: 7, discount: 5 },
      ],
    }
    const put = () => api.put("/sales-orders/by/externalId/twice", body)
    const first = await put()
    expect(first.status).toBe(201)
    const second = await put()
    expect(second.body.data).toEqual(first.body.data)
    await shop.status("sales-orders", first.body.data.id, "submitted")
    expect(await put()).toMatchObject({ status: 200, body: { data: { status: "submitted", version: 2 } } })
  })

  test("creates documents as drafts", async () => {
    const { customer, items } = await shop.order()
    const body = { customer, items: [{ item: items[0].item, quantity: 1 }] }
    const order = await api.put("/sales-orders/by/externalId/draft-1", body)
    expect(order).toMatchObject({ status: 201, body: { data: { status: "draft", externalId: "draft-1" } } })
  })

  test("creates a document with a status as POST does, and changes the status of a draft", async () => {
    const { customer, items } = await shop.order()
    const body = { customer, items: [{ item: items[0].item, quantity: 1 }] }
    const put = (id: string, more: object = {}) =>
      api.put(`/sales-orders/by/externalId/${id}`, { ...body, ...more })
    const submitted = { status: "submitted" }
    expect(await put("state-1", submitted)).toMatchObject({ status: 201, body: { data: submitted } })
    await put("state-2")
    const moved = await put("state-2", { ...submitted, notes: "Now" })
    expect(moved).toMatchObject({ status: 200, body: { data: { ...submitted, notes: "Now" } } })
    const { version } = moved.body.data
    const again = await put("state-2", { ...submitted, notes: "Now" })
    expect(again).toMatchObject({ status: 200, body: { data: { version } } })
    for (const status of ["draft", "completed", "shipped", 5])
      expect(refusalOf(await put("state-2", { status, notes: "Lost" }))).toMatchObject({
        status: 422,
        fields: ["status"],
      })
    await put("state-3")
    expect(refusalOf(await put("state-3", { status: "completed" }))).toMatchObject({ status: 422 })
    expect((await api.get("/sales-orders/by/externalId/state-2")).body.data).toMatchObject({ notes: "Now" })
  })

  test("does not change a status that nobody gives to a new record", async () => {
    const template = {
      customer: (await shop.customer()).id,
      items: [{ description: "Hosting", quantity: 1, rate: 10 }],
      startsOn: "2030-01-01",
      every: { unit: "month" },
    }
    const path = "/recurring-invoices/by/externalId/hosting"
    const { status } = (await api.put(path, template)).body.data
    expect(await api.put(path, { status })).toMatchObject({ status: 200 })
    expect(await api.put(path, { status: "ended" })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: "status", params: { rule: "TRANSITION", allowed: [status] } }] } },
    })
  })

  test("issues a draft invoice by its key, in a batch too", async () => {
    const { customer } = await shop.order()
    const draft = { customer, items: [{ description: "Work", quantity: 1, rate: 10 }] }
    await api.put("/invoices/by/externalId/bill-1", draft)
    const issued = await api.put("/invoices/by/externalId/bill-1", { status: "unpaid" })
    expect(issued).toMatchObject({ status: 200, body: { data: { status: "unpaid" } } })
    expect(issued.body.data.invoiceNumber).toMatch(/^INV-/)
    const by = { field: "externalId", value: "bill-2" }
    const operations = [{ op: "upsert", by, body: { ...draft, status: "unpaid" } }]
    const { results } = (await api.post("/invoices/batch", { mode: "each", operations })).body.data
    expect(results).toMatchObject([{ status: 201, data: { status: "unpaid" } }])
  })

  test("needs the right to write, and says what is wrong with a new record", async () => {
    const key = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
    const path = "/customers/by/externalId/new"
    const refused = await apiWith(kontor, { "x-api-key": key.key }).put(path, { name: "A" })
    expect(refusalOf(refused)).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
    expect(refusalOf(await api.put(path, { phone: 5 }))).toMatchObject({
      status: 422,
      fields: ["name", "phone"],
    })
    expect((await api.get(path)).status).toBe(404)
  })

  test("creates one record when many clients put at the same time", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.put("/customers/by/externalId/race", { name: `Racer ${i}` })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  })
})

describe("a document names", () => {
  test("its customer and its items by the ids of another system, or items by their codes", async () => {
    const customer = await shop.customer({ externalId: "buyer" })
    const [first, second] = [
      await shop.item({ externalId: "thing" }),
      await shop.item({ itemCode: "Thing-2" }),
    ]
    const items = [
      { itemExternalId: "thing", quantity: 1 },
      { itemCode: "thing-2", quantity: 2 },
    ]
    for (const path of ["/sales-orders", "/invoices"]) {
      const made = await api.create(path, { customerExternalId: "buyer", items })
      expect(made.customer).toBe(customer.id)
      expect(made.items.map(({ item }: { item: string }) => item)).toEqual([first.id, second.id])
      const other = await shop.customer({ externalId: `other ${path}` })
      const moved = await api.put(`${path}/${made.id}`, { customerExternalId: `other ${path}` })
      expect(moved).toMatchObject({ status: 200, body: { data: { customer: other.id } } })
      expect(moved.body.data).not.toHaveProperty("customerExternalId")
      expect(moved.body.data.items[0]).not.toHaveProperty("itemExternalId")
    }
  })

  test("nothing that does not exist, and no two different records", async () => {
    const { customer, items } = await shop.order()
    const [{ item }] = items
    await shop.customer({ externalId: "second" })
    const other = await shop.item({ externalId: "other-item" })
    const post = async (body: object) => refusalOf(await api.post("/sales-orders", { customer, ...body }))
    const line = { quantity: 1 }
    for (const [body, field] of [
      [{ customerExternalId: "second", items: [{ item, ...line }] }, "customerExternalId"],
      [{ customer: null, customerExternalId: "nobody", items: [{ item, ...line }] }, "customerExternalId"],
      [{ items: [line] }, "items[0].item"],
      [{ items: [{ itemCode: "nothing", ...line }] }, "items[0].itemCode"],
      [{ items: [{ itemExternalId: "nothing", ...line }] }, "items[0].itemExternalId"],
      [{ items: [{ item, itemExternalId: "other-item", ...line }] }, "items[0].itemExternalId"],
      [{ items: [{ item, itemCode: other.itemCode, ...line }] }, "items[0].itemCode"],
    ] as const)
      expect(await post(body)).toMatchObject({ status: 422, fields: [field] })
    expect(await post({ customer: null, items: [{ item, ...line }] })).toMatchObject({ fields: ["customer"] })
  })

  test("an item by both id and code; a document can be sent back after the item got another code", async () => {
    const item = await shop.item({ itemCode: "Before" })
    const order = await shop.order({ items: [{ item: item.id, itemCode: "before", quantity: 1 }] })
    await api.put(`/items/${item.id}`, { itemCode: "After" })
    const back = await api.put(`/sales-orders/${order.id}`, { ...order, notes: "Sent back" })
    expect(back).toMatchObject({ status: 200, body: { data: { notes: "Sent back" } } })
    expect(back.body.data.items[0].itemCode).toBe("Before")
  })
})
