// Each error says by codes and parameters what its message says in English.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let item: string
let customer: string

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  item = (await shop.item({ itemCode: "DESK-120" })).id
  customer = (await shop.customer({ name: "Harbour Ltd" })).id
})
afterAll(cleanUp)

type Detail = { field: string; code: string; params?: object; existing?: string }

/** The details of a refusal without their messages, which may change. */
const detailsOf = ({ body }: Answer): Detail[] =>
  body.error.details.map(({ message, ...rest }: Detail & { message: string }) => {
    expect(message).toBeString()
    return rest
  })

/** The code and the parameters of a refusal. */
const errorOf = ({ body }: Answer) => ({ code: body.error.code, params: body.error.params })

const order = (line: object) =>
  api.post("/sales-orders", { customer, items: [{ item, quantity: 1, ...line }] })
const draft = (over: object) => api.post("/items", { itemCode: "NEW", itemName: "New", ...over })

describe("A detail of a body", () => {
  const rows: [string, () => Promise<Answer>, Detail][] = [
    ["a missing field", () => draft({ itemName: undefined }), { field: "itemName", code: "REQUIRED" }],
    ["null in a required field", () => draft({ itemName: null }), { field: "itemName", code: "REQUIRED" }],
    [
      "a missing field of a line",
      () => order({ quantity: null }),
      { field: "items[0].quantity", code: "REQUIRED" },
    ],
    [
      "an empty text",
      () => draft({ itemName: " " }),
      { field: "itemName", code: "TOO_SHORT", params: { min: 1 } },
    ],
    [
      "a long text",
      () => draft({ itemName: "x".repeat(201) }),
      { field: "itemName", code: "TOO_LONG", params: { max: 200 } },
    ],
    [
      "a very long text",
      () => draft({ itemName: "x".repeat(500) }),
      { field: "itemName", code: "TOO_LONG", params: { max: 200 } },
    ],
    [
      "too many entries",
      () => draft({ images: Array(21).fill("https://example.com/a") }),
      { field: "images", code: "TOO_LONG", params: { max: 20 } },
    ],
    [
      "no lines",
      () => api.post("/sales-orders", { customer, items: [] }),
      { field: "items", code: "TOO_SHORT", params: { min: 1 } },
    ],
    [
      "too many lines",
      () => api.post("/sales-orders", { customer, items: Array(501).fill({ item, quantity: 1 }) }),
      { field: "items", code: "TOO_LONG", params: { max: 500 } },
    ],
    [
      "a number instead of a text",
      () => draft({ itemName: 5 }),
      { field: "itemName", code: "TYPE", params: { type: "string" } },
    ],
    [
      "a text instead of a number",
      () => draft({ sellingPrice: "5" }),
      { field: "sellingPrice", code: "TYPE", params: { type: "number" } },
    ],
    [
      "a text instead of a boolean",
      () => draft({ isActive: "yes" }),
      { field: "isActive", code: "TYPE", params: { type: "boolean" } },
    ],
    [
      "an object instead of a list",
      () => draft({ images: {} }),
      { field: "images", code: "TYPE", params: { type: "array" } },
    ],
    [
      "a list instead of an object",
      () => api.post("/customers", { name: "A", address: [] }),
      { field: "address", code: "TYPE", params: { type: "object" } },
    ],
    [
      "a fraction instead of a whole number",
      () => api.put("/settings", { sessionIdleMinutes: 60.5 }),
      { field: "sessionIdleMinutes", code: "TYPE", params: { type: "integer" } },
    ],
    [
      "a number below the minimum",
      () => api.put("/settings", { sessionIdleMinutes: 59 }),
      { field: "sessionIdleMinutes", code: "TOO_SMALL", params: { min: 60 } },
    ],
    [
      "a percentage above the maximum",
      () => order({ discount: 100.5 }),
      { field: "items[0].discount", code: "TOO_LARGE", params: { max: 100 } },
    ],
    [
      "a number beyond the range of numbers",
      () => api.post("/items", '{"itemCode":"NEW","itemName":"New","sellingPrice":1e400}', json),
      { field: "sellingPrice", code: "TOO_LARGE", params: { max: 999_999_999.9999 } },
    ],
    [
      "a negative quantity",
      () => order({ quantity: -1 }),
      { field: "items[0].quantity", code: "TOO_SMALL", params: { above: 0 } },
    ],
    [
      "a fifth decimal",
      () => draft({ sellingPrice: 12.12345 }),
      { field: "sellingPrice", code: "FORMAT", params: { decimals: 4 } },
    ],
    [
      "a word that cannot be chosen",
      () => draft({ itemType: "Thing" }),
      { field: "itemType", code: "FORMAT", params: { allowed: ["Product", "Service", "Consumable"] } },
    ],
    [
      "another word than an email address",
      () => api.post("/customers", { name: "A", email: "nobody" }),
      { field: "email", code: "FORMAT", params: { format: "email" } },
    ],
    [
      "an unknown country",
      () => api.post("/customers", { name: "A", address: { country: "XX" } }),
      { field: "address.country", code: "FORMAT", params: { format: "country" } },
    ],
    [
      "a day that does not exist",
      () => api.post("/sales-orders", { customer, orderDate: "2026-02-30", items: [{ item, quantity: 1 }] }),
      { field: "orderDate", code: "FORMAT", params: { format: "date" } },
    ],
    [
      "nine combining marks",
      () => draft({ itemName: `x${"\u0316".repeat(9)}` }),
      { field: "itemName", code: "FORMAT", params: { format: "few-combining-marks", max: 8 } },
    ],
    ["an unknown field", () => draft({ colour: "red" }), { field: "colour", code: "UNKNOWN_FIELD" }],
    [
      "an unknown field of a line",
      () => order({ colour: "red" }),
      { field: "items[0].colour", code: "UNKNOWN_FIELD" },
    ],
    [
      "a field that only the server sets",
      () => draft({ currentStock: 5 }),
      { field: "currentStock", code: "READ_ONLY" },
    ],
    [
      "an item that does not exist",
      () => order({ item: "itm_none" }),
      { field: "items[0].item", code: "NOT_FOUND", params: { value: "itm_none" } },
    ],
    [
      "a customer that does not exist",
      () => api.post("/sales-orders", { customer: "cus_none", items: [{ item, quantity: 1 }] }),
      { field: "customer", code: "NOT_FOUND", params: { value: "cus_none" } },
    ],
    [
      "a date before another",
      () =>
        api.post("/sales-orders", {
          customer,
          orderDate: "2026-03-02",
          deliveryDate: "2026-03-01",
          items: [{ item, quantity: 1 }],
        }),
      { field: "deliveryDate", code: "RULE", params: { rule: "DATE_ORDER", other: "orderDate" } },
    ],
    [
      "a movement of nothing",
      () => api.post("/stock-movements", { item, quantity: 0, reason: "adjustment" }),
      { field: "quantity", code: "RULE", params: { rule: "NOT_ZERO" } },
    ],
  ]
  const json = { "content-type": "application/json" }

  test.each(rows)("has a code and parameters: %s", async (_, request, detail) => {
    const answer = await request()
    expect(answer.status).toBe(422)
    expect(detailsOf(answer)).toEqual([detail])
  })

  test("names the record that already has the value", async () => {
    const taken = { field: "itemCode", code: "DUPLICATE", params: { value: "desk-120" }, existing: item }
    expect(detailsOf(await draft({ itemCode: "desk-120" }))).toEqual([taken])
    const other = await shop.item()
    expect(detailsOf(await api.put(`/items/${other.id}`, { itemCode: "desk-120" }))).toEqual([taken])
    expect(detailsOf(await draft({ itemCode: "desk-120", sellingPrice: -1 }))).toEqual([
      { field: "sellingPrice", code: "TOO_SMALL", params: { min: 0 } },
      taken,
    ])
    const [admin] = (await api.get("/users")).body.data
    const user = { email: admin.email, name: "Twice", role: "sales", password: "a long password" }
    expect(detailsOf(await api.post("/users", user))).toEqual([
      { field: "email", code: "DUPLICATE", params: { value: admin.email }, existing: admin.id },
    ])
  })

  test("says that a quantity must be greater than 0, whether it is 0 or negative", async () => {
    for (const quantity of [0, -1, -0.5])
      expect((await order({ quantity })).body.error.details).toMatchObject([
        { field: "items[0].quantity", message: "must be greater than 0" },
      ])
  })

  test("says which fields of a document cannot be updated, and in which status", async () => {
    const { id, orderNumber } = await shop.submitted()
    await shop.status("sales-orders", id, "completed")
    const locked = await api.put(`/sales-orders/${id}`, { customer })
    expect(errorOf(locked)).toEqual({
      code: "DOCUMENT_LOCKED",
      params: { number: orderNumber, status: "completed" },
    })
    expect(detailsOf(locked)[0]).toEqual({
      field: "customer",
      code: "READ_ONLY",
      params: { status: "completed" },
    })
  })

  test("of a line that belongs to another document", async () => {
    const { id } = await shop.order()
    const answer = await api.put(`/sales-orders/${id}`, { items: [{ id: "sol_none", item, quantity: 1 }] })
    expect(detailsOf(answer)).toEqual([
      { field: "items[0].id", code: "NOT_FOUND", params: { value: "sol_none" } },
    ])
    const strange = await api.put(`/sales-orders/${id}`, {
      items: [{ id: { toString: 1 }, item, quantity: 1 }],
    })
    expect(detailsOf(strange)).toEqual([{ field: "items[0].id", code: "TYPE", params: { type: "string" } }])
  })
})

describe("A detail of a query", () => {
  test.each([
    ["colour=red", 400, { field: "colour", code: "UNKNOWN_FIELD" }],
    ["page=0", 422, { field: "page", code: "TOO_SMALL", params: { min: 1 } }],
    ["page=x", 422, { field: "page", code: "TYPE", params: { type: "integer", min: 1 } }],
    ["order=up", 422, { field: "order", code: "FORMAT", params: { allowed: ["asc", "desc"] } }],
    ["sort=", 422, { field: "sort", code: "TOO_SHORT", params: { min: 1 } }],
    ["itemCode=", 422, { field: "itemCode", code: "TOO_SHORT", params: { min: 1 } }],
    ["sellingPrice[gt]=x", 422, { field: "sellingPrice[gt]", code: "TYPE", params: { type: "number" } }],
    ["isActive=1", 422, { field: "isActive", code: "TYPE", params: { type: "boolean" } }],
    ["createdAt=x", 422, { field: "createdAt", code: "FORMAT", params: { format: "date-time" } }],
    [`search=${"x".repeat(201)}`, 422, { field: "search", code: "TOO_LONG", params: { max: 200 } }],
    ["page=1&page=2", 400, { field: "page", code: "RULE", params: { rule: "REPEATED" } }],
    ["cursor=a&page=2", 400, { field: "page", code: "RULE", params: { rule: "EXCLUSIVE", other: "cursor" } }],
    ["cursor=a", 400, { field: "cursor", code: "FORMAT", params: { format: "cursor" } }],
    ["fields=colour", 400, { field: "fields", code: "UNKNOWN_FIELD", params: { value: "colour" } }],
    ["itemCode=%ff", 400, { field: "itemCode", code: "FORMAT", params: { format: "percent-encoding" } }],
  ] as const)("has a code and parameters: %s", async (query, status, detail) => {
    const answer = await api.get(`/items?${query}`)
    expect([answer.status, ...detailsOf(answer)]).toEqual([status, detail])
  })

  test("lists what is allowed", async () => {
    const sort = detailsOf(await api.get("/items?sort=colour"))[0]
    expect(sort).toMatchObject({ code: "FORMAT", params: { allowed: expect.arrayContaining(["itemCode"]) } })
    const operator = detailsOf(await api.get("/items?itemCode[is]=1"))[0]
    expect(operator).toMatchObject({ code: "UNKNOWN_FIELD", params: { operators: expect.any(Array) } })
  })
})

describe("An error has the values of its message as parameters", () => {
  test("of a record that does not exist", async () => {
    expect(errorOf(await api.get("/items/itm_none"))).toEqual({
      code: "NOT_FOUND",
      params: { kind: "items", id: "itm_none" },
    })
  })

  test("of a path and of a method", async () => {
    const { id } = await shop.item()
    expect(errorOf(await api.get("/nothing")).params).toEqual({ path: "/api/v1/nothing" })
    expect(errorOf(await api.post(`/items/${id}`, {})).params).toMatchObject({
      method: "POST",
      allowed: expect.arrayContaining(["GET", "PUT"]),
    })
  })

  test("of another version", async () => {
    const { id } = await shop.item()
    expect(errorOf(await api.put(`/items/${id}`, { uom: "kg" }, { "if-match": '"7"' }))).toEqual({
      code: "PRECONDITION_FAILED",
      params: { version: 1 },
    })
  })

  test("of a status", async () => {
    const { id, orderNumber: number } = await shop.submitted()
    const answer = await shop.status("sales-orders", id, "draft")
    const allowed = ["completed", "cancelled"]
    expect(errorOf(answer)).toEqual({
      code: "INVALID_STATUS_TRANSITION",
      params: { number, status: "submitted", to: "draft", allowed },
    })
    expect(detailsOf(answer)).toEqual([
      { field: "status", code: "RULE", params: { rule: "TRANSITION", status: "submitted", allowed } },
    ])
  })

  test("of an overpayment: what is left to pay", async () => {
    const { id, invoiceNumber: number } = await shop.invoice({ items: [{ item, quantity: 2, rate: 10.25 }] })
    await shop.pay(id, 0.5)
    const answer = await shop.pay(id, 100)
    expect(errorOf(answer)).toEqual({ code: "OVERPAYMENT", params: { number, balance: 20, currency: "USD" } })
    expect(detailsOf(answer)).toEqual([
      { field: "amount", code: "TOO_LARGE", params: { max: 20, currency: "USD" } },
    ])
  })

  test("of a credit limit: the limit, what is used and the total", async () => {
    const buyer = (await shop.customer({ name: "Tight Ltd", creditLimit: 100 })).id
    await shop.submitted({ customer: buyer, items: [{ item, quantity: 4, rate: 20.25 }] })
    const answer = await api.post("/sales-orders", {
      customer: buyer,
      status: "submitted",
      items: [{ item, quantity: 1, rate: 30 }],
    })
    expect(errorOf(answer)).toEqual({
      code: "CREDIT_LIMIT_EXCEEDED",
      params: { customerName: "Tight Ltd", limit: 100, used: 81, total: 30, currency: "USD" },
    })
    expect(detailsOf(answer)).toEqual([{ field: "customer", code: "RULE", params: { rule: "CREDIT_LIMIT" } }])
  })

  test("of a quantity that was not ordered", async () => {
    const { id, items } = await shop.submitted({ items: [{ item, quantity: 5 }] })
    await shop.bill(id, { items: [{ orderLine: items[0].id, quantity: 2 }] })
    const over = await shop.bill(id, { items: [{ orderLine: items[0].id, quantity: 4 }] })
    expect(detailsOf(over)).toEqual([
      { field: "items[0].quantity", code: "TOO_LARGE", params: { max: 3, ordered: 5, invoiced: 2 } },
    ])
  })

  test("of a body that is too large, and of too many errors", async () => {
    const large = await api.post("/items", { itemName: "x".repeat(2 ** 20) })
    expect(errorOf(large)).toEqual({ code: "PAYLOAD_TOO_LARGE", params: { max: 2 ** 20 } })
    const fields = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`x${i}`, 1]))
    const many = detailsOf(await draft(fields))
    expect(many).toHaveLength(101)
    expect(many[100]).toEqual({ field: "", code: "RULE", params: { rule: "OMITTED", omitted: 30 } })
  })

  test("of a scope and of a role", async () => {
    const { key } = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
    const refused = await apiWith(kontor, { "x-api-key": key }).post("/items", {})
    expect(errorOf(refused)).toEqual({ code: "INSUFFICIENT_SCOPE", params: { scope: "write" } })
    await api.create("/users", {
      email: "v@example.com",
      name: "V",
      role: "viewer",
      password: "a long password",
    })
    const viewer = await signIn(kontor, "v@example.com", "a long password")
    expect(errorOf(await viewer.post("/items", {}))).toEqual({
      code: "FORBIDDEN",
      params: { role: "viewer" },
    })
  })

  test("long values of the request are shortened in parameters as in messages", async () => {
    const [detail] = detailsOf(await order({ item: "x".repeat(100_000) }))
    expect(detail?.params).toEqual({ value: `${"x".repeat(200)}…` })
  })
})

describe("A number with the error of a binary fraction", () => {
  const prices = [
    [12.599999999999998, 12.6],
    [0.1 + 0.2, 0.3],
    [1.1 * 3, 3.3],
    [4.35 * 100, 435],
    [-1e-17, 0],
    [999_999_999.9998999, 999_999_999.9999],
  ] as const
  test.each(prices)("as a price: %p is stored as %p", async (given, stored) => {
    const created = await shop.item({ sellingPrice: given })
    expect(created.sellingPrice).toBe(stored)
    const again = await api.put(`/items/${created.id}`, { sellingPrice: given })
    expect(again.body.data).toMatchObject({ sellingPrice: stored, version: 1 })
  })

  test("in the lines of a document, in a movement and in a payment", async () => {
    const line = { item, quantity: 0.1 + 0.2, rate: 12.599999999999998, discount: 100.00000000000001 }
    expect((await order(line)).body.data.items[0]).toMatchObject({ quantity: 0.3, rate: 12.6, discount: 100 })
    expect(await shop.receive(item, 0.7 + 0.1)).toMatchObject({ quantity: 0.8 })
    const { id } = await shop.invoice({ items: [{ item, quantity: 3, rate: 1.1 }] })
    expect((await shop.pay(id, 1.1 * 3)).body.data).toMatchObject({ amount: 3.3 })
    expect(await shop.get("invoices", id)).toMatchObject({ status: "paid", balance: 0 })
  })

  test("in a filter", async () => {
    const { id } = await shop.item({ sellingPrice: 77.3 })
    const found = await api.get("/items?sellingPrice=77.30000000000001&fields=id")
    expect(found.body.data).toEqual([{ id }])
  })

  test("does not make real decimals valid", async () => {
    for (const sellingPrice of [12.12345, 12.60001, 12.6000001, 1e-9])
      expect(detailsOf(await draft({ sellingPrice }))).toEqual([
        { field: "sellingPrice", code: "FORMAT", params: { decimals: 4 } },
      ])
    const { id } = await shop.invoice()
    expect(detailsOf(await shop.pay(id, 1.005))).toEqual([
      { field: "amount", code: "FORMAT", params: { decimals: 2, currency: "USD" } },
    ])
    expect(detailsOf(await shop.pay(id, 1e-17))).toEqual([
      { field: "amount", code: "TOO_SMALL", params: { above: 0 } },
    ])
  })
})

test("The API document requires a known code in every detail.", async () => {
  const { body } = await send(`${kontor.url}/openapi.json`)
  const { properties } = body.components.schemas.Error.properties.error
  expect(properties.details.items.required.toSorted()).toEqual(["code", "field", "message"])
  const codes =
    "REQUIRED TYPE TOO_LONG TOO_SHORT TOO_LARGE TOO_SMALL FORMAT UNKNOWN_FIELD READ_ONLY NOT_FOUND DUPLICATE RULE"
  expect(properties.details.items.properties.code.enum).toEqual(codes.split(" "))
})
