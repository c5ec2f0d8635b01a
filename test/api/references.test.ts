import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let customer: any
let item: any
let other: any
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  customer = await shop.customer({ externalId: "c-1" })
  item = await shop.item({ itemCode: "Desk", barcode: "4006381333931", externalId: "i-1" })
  other = await shop.item({ itemCode: "Lamp", barcode: "4012345678901", externalId: "i-2" })
})
afterAll(cleanUp)

/** The ways to name an item, and a customer, besides their ids. */
const itemKeys = [{ itemCode: "desk" }, { itemBarcode: "4006381333931" }, { itemExternalId: "i-1" }]
const customerKeys = () => [{ customerNumber: customer.customerNumber }, { customerExternalId: "c-1" }]

describe("a body names a record by each of its keys", () => {
  test("the customer and the items of orders and invoices, on create, on update and in a batch", async () => {
    const items = itemKeys.map((key) => ({ ...key, quantity: 1 }))
    const named = { customer: customer.id, items: items.map(() => ({ item: item.id })) }
    for (const path of ["/sales-orders", "/invoices"])
      for (const key of customerKeys()) {
        expect(await api.post(path, { ...key, items })).toMatchObject({ status: 201, body: { data: named } })
        const { id } = await api.create(path, {
          customer: (await shop.customer()).id,
          items: [{ item: other.id, quantity: 1 }],
        })
        const operations = [
          { op: "create", body: { ...key, items } },
          { op: "update", id, body: { ...key, items } },
        ]
        for (const mode of ["each", "all"]) {
          const { results } = (await api.post(`${path}/batch`, { mode, operations })).body.data
          expect(results).toMatchObject([{ data: named }, { data: named }])
        }
      }
  })

  test("in an upsert, in a dry run, and in a change that needs an ETag", async () => {
    const path = "/sales-orders/by/externalId/named"
    const body = {
      customerNumber: customer.customerNumber,
      items: [{ itemBarcode: "4006381333931", quantity: 1 }],
    }
    const tried = await api.post("/sales-orders?dryRun=true", body)
    expect(tried).toMatchObject({ status: 201, body: { data: { customer: customer.id } } })
    expect((await api.put(path, body)).status).toBe(201)
    const again = await api.put(path, body)
    expect(again).toMatchObject({ status: 200, body: { data: { version: 1 } } })
    const change = { items: [{ itemCode: "Lamp", quantity: 1 }] }
    expect((await api.put(path, change, { "if-match": '"9"' })).status).toBe(412)
    const changed = await api.put(path, change, { "if-match": again.headers.get("etag") as string })
    expect(changed.body.data).toMatchObject({ version: 2, items: [{ item: other.id }] })
  })

  test("the order of an invoice, and the invoices of payments and credit notes", async () => {
    const orderBy = async (keyOf: (order: any) => object) => {
      const order = await shop.submitted({ customer: customer.id, externalId: `o-${++made}` })
      const answer = await api.post("/invoices/from-order", keyOf(order))
      expect(answer).toMatchObject({ status: 201, body: { data: { salesOrder: order.id } } })
      return api
        .put(`/invoices/${answer.body.data.id}`, { externalId: `v-${made}` })
        .then(({ body }) => body.data)
    }
    const invoice = await orderBy(({ orderNumber }) => ({ salesOrderNumber: orderNumber }))
    const second = await orderBy(({ externalId }) => ({ salesOrderExternalId: externalId }))
    const payment = await api.create("/payments", {
      customerNumber: customer.customerNumber,
      amount: 10,
      allocations: [
        { invoiceNumber: invoice.invoiceNumber, amount: 1 },
        { invoiceExternalId: second.externalId, amount: 2 },
      ],
    })
    expect(payment).toMatchObject({
      customer: customer.id,
      allocations: [{ invoice: invoice.id }, { invoice: second.id }],
    })
    const part = { invoiceExternalId: second.externalId, amount: 3 }
    expect(await api.create(`/payments/${payment.id}/allocations`, part)).toMatchObject({
      invoice: second.id,
    })
    const paid = await shop.invoice({ customer: customer.id })
    await shop.pay(paid.id, paid.total)
    const note = await api.create(`/invoices/${paid.id}/credit-notes`, { reason: "Returned" })
    const applied = { invoiceNumber: invoice.invoiceNumber, amount: 2 }
    expect(await api.create(`/credit-notes/${note.id}/applications`, applied)).toMatchObject({
      invoice: invoice.id,
    })
  })

  test("the item of stock movements and of counts, and the customer that is merged", async () => {
    for (const key of itemKeys) {
      const moved = await api.create("/stock-movements", { ...key, quantity: 2, reason: "receipt" })
      expect(moved.item).toBe(item.id)
    }
    const lines = [
      { itemCode: "desk", counted: 1 },
      { itemBarcode: "4012345678901", counted: 4 },
    ]
    const { movements } = (await api.post("/stock-movements/count", { lines })).body.data
    expect(movements.map((each: any) => each.item)).toEqual([item.id, other.id])
    const twice = [...lines, { itemExternalId: "i-2", counted: 4 }]
    expect(refusalOf(await api.post("/stock-movements/count", { lines: twice })).fields).toEqual([
      "lines[2].item",
    ])
    const double = await shop.customer()
    const merged = await api.post(`/customers/${customer.id}/merge`, { fromNumber: double.customerNumber })
    expect(merged.status).toBe(200)
    // From now on its number means the other one.
    const paid = await api.post("/payments", { customerNumber: double.customerNumber, amount: 1 })
    expect(paid.body).toMatchObject({
      data: { customer: customer.id },
      warnings: [{ code: "CUSTOMER_MERGED" }],
    })
    const both = { customer: customer.id, customerNumber: double.customerNumber, amount: 1 }
    expect((await api.post("/payments", both)).body).toMatchObject({
      warnings: [{ code: "CUSTOMER_MERGED" }],
    })
  })

  test("a tax code by its code, wherever its id can stand", async () => {
    const { id } = await api.create("/tax-codes", { code: "DE19", name: "19 %", category: "S", rate: 19 })
    const taxed = await shop.item({ taxCode: "de19" })
    expect(taxed).toMatchObject({ taxCode: id, taxRate: 19 })
    const untaxed = await shop.item()
    const line = { item: untaxed.id, quantity: 1, taxCode: "DE19" }
    expect((await shop.order({ items: [line] })).items[0]).toMatchObject({ taxCode: id, taxRate: 19 })
    expect((await api.put(`/items/${untaxed.id}`, { taxCode: "DE19" })).body.data).toMatchObject({
      taxCode: id,
      taxRate: 19,
    })
    const odd = await api.create("/tax-codes", { code: "tax_7", name: "7 %", category: "S", rate: 7 })
    expect((await shop.item({ taxCode: "TAX_7" })).taxCode).toBe(odd.id)
    expect((await shop.item({ taxCode: "tax_7" })).taxCode).toBe(odd.id)
    expect((await api.put("/settings", { defaultTaxCode: "DE19" })).body.data.defaultTaxCode).toBe(id)
    await api.put("/settings", { defaultTaxCode: null })
    const unknown = { status: 422, code: "VALIDATION_ERROR" }
    expect(refusalOf(await api.put(`/items/${untaxed.id}`, { taxCode: "DE7" }))).toMatchObject({
      ...unknown,
      fields: ["taxCode"],
    })
    expect(refusalOf(await api.put("/settings", { defaultTaxCode: "DE7" })).fields).toEqual([
      "defaultTaxCode",
    ])
  })
})
let made = 0

describe("keys that find nothing, or different records", () => {
  test("are refused on the field that was written, together with the other errors", async () => {
    const errors = async (path: string, body: object) =>
      (await api.post(path, body)).body.error.details.map(({ field, code }: any) => `${field} ${code}`)
    expect(
      await errors("/sales-orders", {
        customerNumber: "none",
        buyerReference: 1,
        items: [
          { itemBarcode: "00000000", quantity: 0 },
          { itemCode: 5, quantity: 1 },
        ],
      }),
    ).toEqual([
      "customerNumber NOT_FOUND",
      "items[0].itemBarcode NOT_FOUND",
      "items[0].quantity TOO_SMALL",
      "items[1].itemCode TYPE",
      "buyerReference TYPE",
    ])
    expect(await errors("/invoices/from-order", { salesOrderNumber: "SO-1" })).toEqual([
      "salesOrderNumber NOT_FOUND",
    ])
    expect(await errors("/payments", { customerExternalId: "none", amount: 1 })).toEqual([
      "customerExternalId NOT_FOUND",
    ])
    const payment = { customer: customer.id, amount: 1 }
    expect(
      await errors("/payments", { ...payment, allocations: [{ invoiceNumber: "none", amount: 1 }] }),
    ).toEqual(["allocations[0].invoiceNumber NOT_FOUND"])
    expect(
      await errors("/payments", { customer: 1, customerNumber: "none", customerExternalId: {}, amount: 1 }),
    ).toEqual(["customer TYPE", "customerNumber NOT_FOUND", "customerExternalId TYPE"])
    expect(await errors("/payments", { amount: 1 })).toEqual(["customer REQUIRED"])
    expect(await errors("/stock-movements", { itemCode: "none", quantity: 1, reason: "receipt" })).toEqual([
      "itemCode NOT_FOUND",
    ])
    expect(
      await errors("/sales-orders", { salesOrderNumber: "x", customer: customer.id, items: [] }),
    ).toContain("salesOrderNumber UNKNOWN_FIELD")
  })

  test("are refused as values that no id and no key can have, on each database", async () => {
    for (const bad of ["\u0000", "\ud800", "cus_\u0000", "x".repeat(10_000)]) {
      const items = [
        { item: bad, itemCode: "Desk", quantity: 1 },
        { item: item.id, quantity: 1, taxCode: bad },
      ]
      const answer = await api.post("/sales-orders", { customer: bad, items })
      const wrong = answer.body.error.details.map(({ field }: { field: string }) => field)
      expect([answer.status, wrong]).toEqual([422, ["customer", "items[0].itemCode", "items[1].taxCode"]])
    }
  })

  test("name no stored values to a credential that may not read", async () => {
    const { key } = await api.create("/api-keys", { name: "Till", scopes: ["write"] })
    const blind = apiWith(kontor, { "x-api-key": key })
    const items = [{ itemCode: "Desk", itemExternalId: "i-2", quantity: 1 }]
    const answer = await blind.post("/sales-orders", { customerNumber: "none", items })
    expect(answer.body.error.details).toEqual([
      { field: "customerNumber", code: "NOT_FOUND", message: "does not exist" },
      {
        field: "items[0].itemExternalId",
        code: "RULE",
        message: "is not allowed by the stored records",
        params: { rule: "MISMATCH" },
      },
    ])
  })
})

describe("of the id and the keys in an update", () => {
  test("those count that differ from what is stored, and they must agree", async () => {
    const order = await shop.order({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
    const path = `/sales-orders/${order.id}`
    const second = await shop.customer({ externalId: `s-${order.id}` })
    const [line] = order.items
    expect(line.itemCode).toBe("Desk")
    // What is sent back changes nothing; an id or a key that differs does.
    const steps: [object, object][] = [
      [{ ...order, customerExternalId: "c-1" }, { version: 1 }],
      [
        { customer: customer.id, customerNumber: second.customerNumber },
        { version: 2, customer: second.id },
      ],
      [
        { customer: customer.id, customerNumber: second.customerNumber },
        { version: 3, customer: customer.id },
      ],
      [{ items: [{ ...line, itemCode: "Lamp" }] }, { version: 4, items: [{ id: line.id, item: other.id }] }],
      [{ items: [{ ...line, itemCode: "Lamp" }] }, { version: 5, items: [{ id: line.id, item: item.id }] }],
      [
        { items: [{ ...line, item: null, description: "By hand", uom: undefined }] },
        { version: 6, items: [{ id: line.id, item: null, description: "By hand" }] },
      ],
    ]
    for (const [body, data] of steps)
      expect(await api.put(path, body)).toMatchObject({ status: 200, body: { data } })
    const third = await shop.customer()
    const refused = await api.put(path, { customer: third.id, customerExternalId: second.externalId })
    expect(refusalOf(refused)).toMatchObject({ status: 422, fields: ["customerExternalId"] })
    const keys = { customerNumber: third.customerNumber, customerExternalId: second.externalId }
    expect(refusalOf(await api.put(path, keys)).fields).toEqual(["customerExternalId"])
    expect((await api.put(path, { ...keys, customerNumber: null })).body.data.customer).toBe(second.id)
  })
})

test("the API document has the keys of every reference, and requires a reference only where nothing else names it", async () => {
  const { paths, components } = (await send(`${kontor.url}/openapi.json`)).body
  const of = (name: string) => components.schemas[name]
  const keysIn = ({ properties }: { properties: object }, name: string) =>
    Object.keys(properties).filter(
      (each) => each.startsWith(name) && /(Number|Code|ExternalId|Barcode)$/.test(each),
    )
  const itemNames = ["itemCode", "itemBarcode", "itemExternalId"]
  for (const name of ["SalesOrderDraft", "SalesOrderChange", "SalesOrderUpsert", "InvoiceDraft"])
    expect(keysIn(of(name), "customer")).toEqual(["customerNumber", "customerExternalId"])
  for (const name of ["SalesOrderLineDraft", "InvoiceLineChange", "StockMovementDraft", "CountLineDraft"])
    expect(keysIn(of(name), "item")).toEqual(itemNames)
  const billing = paths["/api/v1/invoices/from-order"].post.requestBody.content["application/json"].schema
  expect(keysIn(billing, "salesOrder")).toEqual(["salesOrderNumber", "salesOrderExternalId"])
  expect(billing.required).toBeUndefined()
  expect(of("StockMovementDraft").required).toEqual(["quantity", "reason"])
  expect(of("ItemDraft").properties.taxCode).not.toHaveProperty("pattern")
  expect(of("Item").properties.taxCode.pattern).toStartWith("^tax_")
})
