// Orders that are edited after they were submitted: what follows, what their invoices and deliveries hold, and that random
// orders always add up to their invoices, to the last cent of the tax.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { refusalOf, signIn, type Api, type Answer } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const change = (order: Named, body: object, headers?: Record<string, string>): Promise<Answer> =>
  api.patch(`/sales-orders/${order["id"]}`, body, headers)
const changed = async (order: Named, body: object): Promise<Named> => {
  const answer = await change(order, body)
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer.body.data
}
const now = ({ id }: Named): Promise<Named> => shop.get("sales-orders", id)
/** The lines of an order with other values in some of them. */
const withLines = ({ items }: Named, ...changes: object[]) => ({
  items: items.map(({ id, item, quantity }: Named, i: number) => ({ id, item, quantity, ...changes[i] })),
})
const billed = async (order: Named, ...quantities: number[]): Promise<Named> => {
  const items = quantities.map((quantity, i) => ({ orderLine: order["items"][i].id, quantity }))
  const { status, body } = await shop.bill(order["id"], quantities.length > 0 ? { items } : {})
  expect([status, body.error]).toEqual([201, undefined])
  return body.data
}
const delivered = async (order: Named, quantity: number): Promise<void> => {
  const items = [{ orderLine: order["items"][0].id, quantity }]
  expect((await api.post("/deliveries/from-order", { salesOrder: order["id"], items })).status).toBe(201)
}
const pdfOf = async ({ id }: Named): Promise<Uint8Array> => {
  const headers = api.credential
  return (await fetch(`${kontor.url}/api/v1/sales-orders/${id}/pdf`, { headers })).bytes()
}
const ordered = async (quantity: number, over: object = {}): Promise<Named> =>
  shop.submitted({ items: [{ item: (await shop.item()).id, quantity, rate: 10 }], ...over })

describe("An edit of a submitted order", () => {
  test("keeps the number, raises the revision, reserves anew and counts what is open", async () => {
    const [desk, lamp] = [await shop.item(), await shop.item()]
    for (const { id } of [desk, lamp]) await shop.receive(id, 10)
    const order: Named = await shop.submitted({ items: [{ item: desk.id, quantity: 2, rate: 10 }] })
    const more = await changed(order, {
      ...withLines(order, { quantity: 3 }),
      paymentTerms: "Net 7",
    })
    expect(more).toMatchObject({
      orderNumber: order["orderNumber"],
      revision: 2,
      status: "submitted",
      total: 30,
    })
    const after = await changed(more, { items: [{ item: lamp.id, quantity: 4, rate: 5 }] })
    expect([after["revision"], after["total"]]).toEqual([3, 20])
    const reserved = async (id: string) => (await shop.get("items", id)).reservedStock
    expect([await reserved(desk.id), await reserved(lamp.id)]).toEqual([0, 4])
    expect((await shop.get("customers", order["customer"])).openOrdersValue).toBe(20)
  })

  test("of notes, delivery date, external ID or metadata raises no revision, and neither does sending it back", async () => {
    const order = await ordered(2)
    const externalId = `rev-${order["orderNumber"]}`
    await changed(order, { notes: "Ring.", deliveryDate: "2999-01-01", externalId, metadata: { a: "b" } })
    expect((await now(order))["revision"]).toBe(1)
    const before = await now(order)
    expect((await api.put(`/sales-orders/${order["id"]}`, before)).body.data).toEqual(before)
  })

  test("keeps the tax until the customer is another one", async () => {
    const customer = await shop.customer()
    const item = await shop.item({ taxRate: 19 })
    const order: Named = await shop.submitted({
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
    })
    await api.put(`/customers/${customer.id}`, { taxTreatment: "export" })
    const { body } = await change(order, withLines(order, { quantity: 2 }))
    expect(body.data).toMatchObject({ taxTreatment: "domestic", subtotal: 20, taxTotal: 3.8 })
    expect(body.warnings).toMatchObject([{ code: "INSUFFICIENT_STOCK" }, { code: "TAX_TREATMENT_CHANGED" }])
    const other = await shop.customer({ taxTreatment: "export" })
    expect(await changed(order, { customer: other.id })).toMatchObject({
      taxTreatment: "export",
      taxTotal: 0,
    })
  })

  test("warns of goods that are missing for what is left, beyond what it has reserved itself", async () => {
    const item = await shop.item()
    await shop.receive(item.id, 5)
    const order: Named = await shop.submitted({ items: [{ item: item.id, quantity: 4 }] })
    expect((await change(order, withLines(order, { quantity: 5 }))).body.warnings).toBeUndefined()
    await billed(order, 2)
    expect((await change(order, withLines(order, { quantity: 6 }))).body.warnings).toMatchObject([
      { code: "INSUFFICIENT_STOCK", params: { ordered: 4, available: 3 } },
    ])
  })

  test("works by external ID with its status, in a batch, as a dry run, and with the version that it was made from", async () => {
    const order = await ordered(1, { externalId: "shop-4711" })
    const lines = (quantity: number) => withLines(order, { quantity })
    const tried = await api.put(`/sales-orders/${order["id"]}?dryRun=true`, lines(9))
    expect([tried.status, tried.body.data.revision, (await now(order))["revision"]]).toEqual([200, 2, 1])
    const path = "/sales-orders/by/externalId/shop-4711"
    const put = await api.put(path, { ...lines(2), status: "submitted", override: true })
    expect([put.status, put.body.data.revision]).toEqual([200, 2])
    const { version } = await now(order)
    expect((await change(order, lines(3), { "if-match": `"${version - 1}"` })).status).toBe(412)
    const operation = {
      op: "update",
      id: order["id"],
      ifMatch: String(version),
      body: { ...lines(3), override: false },
    }
    const { body } = await api.post("/sales-orders/batch", { mode: "all", operations: [operation] })
    expect(body.data.results).toMatchObject([{ status: 200, data: { revision: 3, total: 30 } }])
    await billed(order, 1)
    // All that is left is taken away, which completes the order.
    const done = await api.put(path, { ...lines(1), status: "submitted" })
    expect([done.status, done.body.data.status]).toEqual([200, "completed"])
    const history = (await api.get(`/sales-orders/${order["id"]}/history?perPage=2`)).body.data
    expect(history.map(({ action }: Named) => action)).toEqual(["sales-orders.status", "sales-orders.update"])
    expect(refusalOf(await change(order, { override: "yes" }))).toMatchObject({ fields: ["override"] })
  })

  test("is on the paper", async () => {
    const order = await ordered(2, { customer: (await shop.customer({ language: "de" })).id })
    const textOf = async () => (await readPdf(await pdfOf(order))).text
    expect(await textOf()).not.toContain("Fassung")
    await changed(order, withLines(order, { quantity: 3 }))
    expect(await textOf()).toMatch(/Fassung\s+2/)
  })
})

describe("What an invoice or a delivery names", () => {
  test("stays with its price, discount and tax, and so do the customer and the sense of the prices", async () => {
    const code = await api.create("/tax-codes", { code: "REV7", name: "7 %", category: "S", rate: 7 })
    const order = await ordered(5)
    await billed(order, 2)
    const { id } = order["items"][0]
    const answer = await change(order, {
      customer: (await shop.customer()).id,
      pricesIncludeTax: true,
      items: [{ id, quantity: 1, rate: 11, discount: 5, taxCode: code.id }],
    })
    expect(refusalOf(answer)).toEqual({
      status: 422,
      code: "ORDER_IN_PROGRESS",
      fields: [
        "customer",
        "pricesIncludeTax",
        "items[0].quantity",
        "items[0].rate",
        "items[0].discount",
        "items[0].taxCode",
      ],
    })
    expect(answer.body.error.details[2]).toMatchObject({ code: "TOO_SMALL", params: { min: 2, invoiced: 2 } })
    expect(await now(order)).toMatchObject({ revision: 1, total: 50 })
  })

  test("cannot be left out, also after the invoice was cancelled; then its quantity is free", async () => {
    const order = await ordered(5)
    const [invoice, other] = [await billed(order, 2), (await shop.item()).id]
    await shop.status("invoices", invoice["id"], "cancelled")
    const answer = await change(order, { items: [{ item: other, quantity: 1 }] })
    expect([refusalOf(answer).code, answer.body.error.details]).toMatchObject([
      "ORDER_IN_PROGRESS",
      [{ field: "items", code: "RULE", params: { rule: "LINE_IN_USE", name: order["items"][0].itemCode } }],
    ])
    expect(answer.body.error.message).toContain(order["orderNumber"])
    const { items } = await changed(order, {
      items: [
        { item: other, quantity: 1 },
        { id: order["items"][0].id, quantity: 1 },
      ],
    })
    expect(items.map(({ quantity }: Named) => quantity)).toEqual([1, 1])
  })

  test("goes down to what is invoiced and delivered, and the order completes when nothing is left", async () => {
    const order = await ordered(5)
    await delivered(order, 3)
    await billed(order, 2)
    expect(refusalOf(await change(order, withLines(order, { quantity: 2 }))).fields).toEqual([
      "items[0].quantity",
    ])
    const less = await changed(order, withLines(order, { quantity: 3 }))
    expect(less).toMatchObject({
      status: "submitted",
      invoiceStatus: "partially_invoiced",
      deliveryStatus: "delivered",
    })
    await billed(order)
    expect(await now(order)).toMatchObject({ status: "completed", total: 30, invoicedTotal: 30 })
    expect(refusalOf(await change(order, withLines(order, { quantity: 4 }))).code).toBe("DOCUMENT_LOCKED")
  })

  test("can be raised when all is invoiced but not delivered, and is partially invoiced again", async () => {
    const order = await ordered(5)
    await delivered(order, 1)
    await billed(order)
    expect(await now(order)).toMatchObject({ status: "submitted", invoiceStatus: "invoiced" })
    const more = await changed(order, withLines(order, { quantity: 6 }))
    expect(more).toMatchObject({ status: "submitted", invoiceStatus: "partially_invoiced", total: 60 })
    const less = await changed(order, withLines(order, { quantity: 5 }))
    expect(less).toMatchObject({ status: "submitted", invoiceStatus: "invoiced", revision: 3 })
  })

  test("keeps its share of the discount, which goes with the quantity; the other lines carry the rest", async () => {
    const items = [await shop.item(), await shop.item()].map(({ id: item }) => ({
      item,
      quantity: 10,
      rate: 10,
    }))
    const order: Named = await shop.submitted({ items, discountAmount: 20 })
    await billed(order, 4)
    const shares = ({ items: lines, discountAmount }: Named) => [
      ...lines.map(({ documentDiscount }: Named) => documentDiscount),
      discountAmount,
    ]
    expect(shares(await changed(order, withLines(order, { quantity: 5 })))).toEqual([5, 15, 20])
    expect(shares(await changed(order, { discountAmount: 65 }))).toEqual([5, 60, 65])
    const answer = await change(order, { discountAmount: 106 })
    expect(answer.body.error.details).toMatchObject([
      { field: "discountAmount", code: "RULE", params: { rule: "DISCOUNT_KEPT", min: 5, max: 105 } },
    ])
    const percent = await change(order, { discount: 1 })
    expect(refusalOf(percent).fields).toEqual(["discount"])
    expect(percent.body.error.details[0]).toMatchObject({
      message: expect.stringContaining("from 3.34 to 70 percent, which is 5.00 USD to 105.00 USD"),
      params: { min: 5, max: 105, minPercent: 3.34, maxPercent: 70, currency: "USD" },
    })
    // Without another line, an amount falls with the share.
    const [line] = (await now(order))["items"]
    expect(shares(await changed(order, { items: [{ id: line.id, quantity: 4 }] }))).toEqual([4, 4])
    expect(await now(order)).toMatchObject({ status: "completed", total: 36, invoicedTotal: 36 })
  })
})

const quantity = fc.integer({ min: 1, max: 24 }).map((quarters) => quarters / 4)
const line = fc.record({
  item: fc.nat({ max: 2 }),
  quantity,
  rate: fc.oneof(
    fc.integer({ min: 0, max: 300 }).map((cents) => cents / 100),
    fc.integer({ min: 0, max: 90_000 }).map((units) => units / 10_000),
  ),
  discount: fc.constantFrom({}, {}, { discount: 15 }, { part: 0.3 }),
})
const discount = fc.constantFrom({}, { discount: 10 }, { discount: 33.3 }, { part: 0.1 }, { part: 0.5 })
const picked = fc.array(fc.tuple(fc.nat({ max: 5 }), quantity), { minLength: 1, maxLength: 3 })
const step = fc.oneof(
  fc.record({ do: fc.constant("bill" as const), picked }),
  fc.record({ do: fc.constant("bill" as const), picked }),
  fc.record({ do: fc.constant("cancel" as const), at: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constant("deliver" as const), picked }),
  fc.record({ do: fc.constant("resize" as const), at: fc.nat({ max: 5 }), to: fc.option(quantity) }),
  fc.record({ do: fc.constant("resize" as const), at: fc.nat({ max: 5 }), to: fc.option(quantity) }),
  fc.record({ do: fc.constant("add" as const), line }),
  fc.record({ do: fc.constant("drop" as const), at: fc.nat({ max: 5 }) }),
  fc.record({ do: fc.constant("discount" as const), discount }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never

const lineBody = (
  { item, discount: { part, ...rest }, ...line }: Line & { discount: { part?: number } },
  items: Named[],
) => ({
  ...line,
  ...rest,
  item: items[item]?.["id"],
  ...(part ? { discountAmount: Math.floor(line.quantity * line.rate * part * 100) / 100 } : {}),
})

const sum = (numbers: number[]) => Math.round(numbers.reduce((all, each) => all + each, 0) * 100) / 100
const ofWhole = ({ items }: Named, { part, ...given }: { part?: number; discount?: number }) => {
  const full = sum(
    items.map((each: Named) => (each["grossAmount"] ?? each["amount"]) + each["documentDiscount"]),
  )
  return part ? { discountAmount: Math.floor(full * part * 100) / 100 } : { discount: 0, ...given }
}

/** What is taken of the lines of an order: at most what is left of each. */
function partsOf(order: Named, of: "invoicedQuantity" | "deliveredQuantity", wanted: [number, number][]) {
  const chosen = new Map(wanted.map(([at, most]) => [order["items"][at % order["items"].length], most]))
  return [...chosen].flatMap(([each, most]) => {
    const left = Math.min(most, each.quantity - each[of])
    return left > 0 ? [{ orderLine: each.id, quantity: left }] : []
  })
}

/** Updates an order. What it refuses changes nothing, and says why. */
async function revise(order: Named, change: object): Promise<void> {
  const { status, body } = await api.put(`/sales-orders/${order["id"]}`, change)
  if (status !== 200) {
    expect([status, ["ORDER_IN_PROGRESS", "VALIDATION_ERROR"].includes(body.error.code)]).toEqual([422, true])
    expect(await shop.get("sales-orders", order["id"])).toEqual(order)
    return
  }
  const { data } = body
  expect(data.revision - order["revision"]).toBe(data.version === order["version"] ? 0 : 1)
  // What is not touched of a line that is invoiced costs what it did.
  for (const before of order["items"] as Named[]) {
    const after = data.items.find(({ id }: Named) => id === before["id"])
    if (
      before["invoicedQuantity"] + before["deliveredQuantity"] === 0 ||
      after.quantity !== before["quantity"]
    )
      continue
    const costs = ({ amount, grossAmount, documentDiscount }: Named) => [
      grossAmount ?? amount,
      documentDiscount,
    ]
    expect(costs(after)).toEqual(costs(before))
  }
}

async function take(id: string, next: Step, items: Named[]): Promise<void> {
  const order: Named = await shop.get("sales-orders", id)
  if (next.do === "cancel") {
    const invoice = order["invoices"][next.at % (order["invoices"].length || 1)]
    if (invoice) expect((await shop.status("invoices", invoice, "cancelled")).status).toBe(200)
  } else if (order["status"] !== "submitted") return
  else if (next.do === "bill" || next.do === "deliver") {
    const isBill = next.do === "bill"
    const parts = partsOf(order, isBill ? "invoicedQuantity" : "deliveredQuantity", next.picked)
    const path = isBill ? "/invoices/from-order" : "/deliveries/from-order"
    if (parts.length > 0) expect((await api.post(path, { salesOrder: id, items: parts })).status).toBe(201)
  } else if (next.do === "resize") {
    const at = next.at % order["items"].length
    const { invoicedQuantity, quantity: now } = order["items"][at]
    const to = next.to ?? (invoicedQuantity || now)
    await revise(order, {
      items: order["items"].map((each: Named, i: number) => (i === at ? { ...each, quantity: to } : each)),
    })
  } else if (next.do === "add")
    await revise(order, { items: [...order["items"], lineBody(next.line, items)] })
  else if (next.do === "drop" && order["items"].length > 1)
    await revise(order, {
      items: order["items"].filter((_: Named, i: number) => i !== next.at % order["items"].length),
    })
  else if (next.do === "discount") await revise(order, ofWhole(order, next.discount))
}

/** The live invoices of an order are parts of it, and the whole of it when all is invoiced. */
async function compare(id: string): Promise<Named> {
  const order: Named = await shop.get("sales-orders", id)
  const all = await Promise.all(
    (order["invoices"] as string[]).map((invoice) => shop.get("invoices", invoice)),
  )
  const live = all.filter(({ status }) => status !== "cancelled")
  const [total, tax] = [sum(live.map((each) => each.total)), sum(live.map((each) => each.taxTotal))]
  expect(order["invoicedTotal"]).toBe(total)
  expect(total).toBeLessThanOrEqual(order["total"])
  if (order["invoiceStatus"] === "invoiced") expect([total, tax]).toEqual([order["total"], order["taxTotal"]])
  return order
}

test("invoices are parts of an order, whatever is invoiced, cancelled, delivered and revised", async () => {
  const items = [
    await shop.item({ itemType: "Service", taxRate: 19 }),
    await shop.item({ taxRate: 19 }),
    await shop.item({ taxRate: 7 }),
  ]
  const customer = (await shop.customer()).id
  let revised = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      discount,
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (lines, pricesIncludeTax, off, steps) => {
        const drafted = { customer, pricesIncludeTax, items: lines.map((each) => lineBody(each, items)) }
        const order: Named = await shop.order(drafted)
        expect((await api.put(`/sales-orders/${order["id"]}`, ofWhole(order, off))).status).toBe(200)
        expect((await shop.status("sales-orders", order["id"], "submitted")).status).toBe(200)
        for (const next of steps) {
          await take(order["id"], next, items)
          await compare(order["id"])
        }
        const before = await compare(order["id"])
        revised += before["revision"] - 1
        if (before["invoiceStatus"] === "invoiced" || before["status"] !== "submitted") return
        expect((await shop.bill(order["id"])).status).toBe(201)
        expect((await compare(order["id"]))["invoiceStatus"]).toBe("invoiced")
      },
    ),
    { numRuns: Number(process.env.KONTOR_STORIES ?? (isLong ? 400 : 40)) },
  )
  expect(revised).toBeGreaterThan(0)
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})
