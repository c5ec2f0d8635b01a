import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

// A credential with the scope write, and without read.
let blind: Api
let shop: Trade
let api: Api
let kontor: Kontor
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  const { key } = await api.create("/api-keys", { name: "Till", scopes: ["write", "delete"] })
  blind = apiWith(kontor, { "x-api-key": key })
})
afterAll(cleanUp)

const namesOf = ({ body }: Answer) => Object.keys(body.data).toSorted()
const shared = ["id", "updatedAt", "version"]

describe("the answer to a write of a credential that may not read", () => {
  test("has the ID, the version and the time of an item, by ID and by key", async () => {
    const { id, itemCode } = await shop.item()
    for (const answer of [
      await blind.put(`/items/${id}`, {}),
      await blind.patch(`/items/${id}`, {}),
      await blind.put(`/items/by/itemCode/${itemCode}`, {}),
      await blind.put(`/items/by/itemCode/${itemCode}`, { itemName: "Renamed" }),
      await blind.post("/items", { itemCode: "Blind", itemName: "Blind" }),
    ]) {
      expect(answer.status).toBeLessThan(300)
      expect(namesOf(answer)).toEqual(shared)
    }
    expect((await shop.get("items", id)).itemName).toBe("Renamed")
    expect((await blind.get(`/items/${id}`)).status).toBe(403)
  })

  test("has the numbers of customers and documents, and warnings", async () => {
    const item = await shop.item()
    const customer = await blind.post("/customers", { name: "Blind customer" })
    expect(namesOf(customer)).toEqual(["customerNumber", ...shared])
    const lines = [{ item: item.id, quantity: 3 }]
    const order = await blind.post("/sales-orders", {
      customer: customer.body.data.id,
      items: lines,
      status: "submitted",
    })
    expect(namesOf(order)).toEqual(["id", "orderNumber", "updatedAt", "version"])
    const invoice = await blind.post("/invoices/from-order", { salesOrder: order.body.data.id })
    expect(namesOf(invoice)).toEqual(["id", "invoiceNumber", "updatedAt", "version"])
    expect(invoice.body.data.invoiceNumber).toMatch(/^INV-/)
    expect(namesOf(await blind.post(`/invoices/${invoice.body.data.id}/payments`, { amount: 1 }))).toEqual([
      "id",
    ])
    expect(
      namesOf(await blind.post(`/invoices/${invoice.body.data.id}/credit-notes`, { reason: "x" })),
    ).toContain("creditNoteNumber")
    const short = await blind.post("/sales-orders", {
      customer: customer.body.data.id,
      items: [{ item: (await stocked()).id, quantity: 9 }],
      status: "submitted",
    })
    expect(short.body.warnings).toEqual([
      {
        code: "INSUFFICIENT_STOCK",
        field: "items[0].quantity",
        message: expect.stringContaining("Stored records do not fit this"),
        params: {},
      },
    ])
    // It tells of the request alone, so it is the same for every barcode that is stored.
    const mistyped = await blind.put(`/items/${item.id}`, { barcode: "4006381333930" })
    expect(mistyped.body.warnings).toMatchObject([{ params: { barcode: "4006381333930", expected: 1 } }])
    expect((await blind.put(`/items/${item.id}`, { barcode: "4006381333930" })).body.warnings).toEqual(
      mistyped.body.warnings,
    )
    const changed = await blind.put(`/items/${item.id}`, { currentStock: 5 })
    expect(changed.body.warnings).toBeUndefined()
  })

  test("has the same for each operation of a batch, also when it is repeated", async () => {
    const { id } = await shop.item()
    for (const mode of ["each", "all"]) {
      const write = () =>
        blind.post(
          "/items/batch",
          { mode, operations: [{ op: "update", id, body: {} }] },
          { "idempotency-key": mode },
        )
      const [first, again] = [await write(), await write()]
      expect(first.status).toBe(200)
      expect(Object.keys(first.body.data.results[0].data).toSorted()).toEqual(shared)
      expect(again.body).toEqual(first.body)
    }
  })

  test("tells nothing of a stock count", async () => {
    const { itemCode, id } = await stocked()
    const answer = await blind.post("/stock-movements/count", { lines: [{ item: id, counted: 1 }] })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(itemCode)
    expect(answer.body.data).toEqual({})
  })
})

/** An item with one piece in stock. */
async function stocked() {
  const item = await shop.item()
  await shop.receive(item.id, 1)
  return item
}

async function endOf(id: string) {
  for (;;) {
    const { body } = await blind.get(`/imports/${id}`)
    if (["finished", "failed"].includes(body.data.status)) return body.data
    await Bun.sleep(20)
  }
}

describe("an error of such a credential", () => {
  test("does not tell a price, a status or a balance", async () => {
    const item = await shop.item({ sellingPrice: 77.31 })
    const customer = await shop.customer()
    const line = { item: item.id, quantity: 1, discountAmount: 500 }
    const discount = await blind.post("/invoices", { customer: customer.id, items: [line] })
    expect(discount.status).toBe(422)
    expect(discount.text).not.toContain("77.31")
    expect(discount.body.error.details[0]).toEqual({
      field: "items[0].discountAmount",
      code: "TOO_LARGE",
      message: "is too large",
    })

    const invoice = await shop.invoice({ items: [{ description: "Work", quantity: 1, rate: 66.6 }] })
    const payment = await blind.post(`/invoices/${invoice.id}/payments`, { amount: 100 })
    expect(payment.body.error.code).toBe("OVERPAYMENT")
    expect(payment.text).not.toContain("66.6")

    const locked = await blind.put(`/invoices/${invoice.id}`, { customer: customer.id })
    const refused = await blind.put(`/invoices/${invoice.id}/status`, { status: "draft" })
    for (const { text, status } of [locked, refused]) {
      expect(status).toBe(422)
      expect(text).not.toContain(invoice.status)
      expect(text).not.toContain("INV-")
    }
  })

  test("still names the field and the ID of the record that has a value, and the operation of a batch", async () => {
    const { id, itemCode } = await shop.item()
    const taken = await blind.post("/items", { itemCode, itemName: "x" })
    expect(taken.body.error.details).toEqual([
      { field: "itemCode", code: "DUPLICATE", message: "is already used by another record", existing: id },
    ])
    const wrong = await blind.put(`/items/${id}`, { itemName: 5 })
    expect(wrong.body.error.details[0]).toMatchObject({ field: "itemName", code: "TYPE" })
    const operations = [
      { op: "update", id, body: {} },
      { op: "create", body: { itemCode, itemName: "x" } },
    ]
    const batch = await blind.post("/items/batch", { mode: "all", operations })
    expect(batch.body.error).toMatchObject({
      message: "Operation 1: The request has invalid values.",
      params: { operation: 1 },
    })
  })

  test("does not come by a dry run, which needs the scope read", async () => {
    const { id } = await shop.item()
    const update = { mode: "each", operations: [{ op: "update", id, body: {} }] }
    for (const answer of [
      await blind.put(`/items/${id}?dryRun=true`, { itemName: "Dry" }),
      await blind.post("/items?dryRun=true", { itemCode: "Dry", itemName: "Dry" }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    const { status, body } = await blind.post("/items/batch?dryRun=true", update)
    expect([status, body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
  })

  test("tells the fields of a row that an import refuses, and the key sees its own import", async () => {
    await shop.item({ itemCode: "Stored code" })
    const csv = "itemCode,itemName\nSTORED CODE,Other\n"
    const begun = await send(`${kontor.url}/api/v1/imports?kind=items&mode=create`, {
      method: "POST",
      headers: { ...blind.credential, "content-type": "text/csv" },
      body: csv,
    })
    expect(begun.status).toBe(202)
    const { key } = await api.create("/api-keys", { name: "Other till", scopes: ["write"] })
    const other = apiWith(kontor, { "x-api-key": key })
    expect((await other.get(`/imports/${begun.body.data.id}`)).status).toBe(404)
    expect((await other.get("/imports")).body.data).toEqual([])
    const { faults } = await endOf(begun.body.data.id)
    expect(faults).toEqual([
      {
        row: 2,
        column: "itemCode",
        field: "itemCode",
        code: "DUPLICATE",
        message: "itemCode is already used by another record.",
      },
    ])
  })

  test("does not tell prices in a dry run of new prices, which needs the scope read", async () => {
    const body = { filter: { isActive: true }, change: { percent: 10 } }
    for (const path of ["/items/reprice", "/items/reprice?dryRun=true"]) {
      const { status, body: answer } = await blind.post(path, body)
      expect(status).toBe(403)
      expect(answer.error).toMatchObject({ code: "INSUFFICIENT_SCOPE", params: { scope: "read" } })
    }
  })
})
