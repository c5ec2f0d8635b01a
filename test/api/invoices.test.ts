import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const today = new Date().toISOString().slice(0, 10)
const year = today.slice(0, 4)
type Named = Record<string, unknown>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

/**
 * The warnings of a response. The dates of these tests are fixed, so some day they are unusual, and most customers have
 * no address.
 */
const warningsOf = ({ body }: Answer): Named[] =>
  (body.warnings ?? []).filter(
    ({ code }: Named) => code !== "UNUSUAL_DATE" && code !== "BUYER_ADDRESS_MISSING",
  )

describe("POST /invoices/from-order", () => {
  test("returns an issued invoice of everything, with the data of the order", async () => {
    const customer = await shop.customer({
      name: "Nordlicht",
      taxId: "DE1",
      address: { city: "Kiel", country: "DE" },
      paymentTerms: "Net 30",
    })
    const item = await shop.item({ itemName: "Desk", sellingPrice: 33.33, taxRate: 19 })
    const order = await shop.submitted({
      customer: customer.id,
      orderDate: "2026-03-01",
      items: [{ item: item.id, quantity: 3, discount: 10 }],
    })
    const answer = await shop.bill(order.id, { invoiceDate: "2026-03-05", notes: "Thanks" })
    const { data } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.headers.get("location")).toBe(`/api/v1/invoices/${data.id}`)
    expect(data).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      invoiceNumber: "INV-2026-00001",
      numberSeries: "INV-2026",
      numberCounter: 1,
      status: "unpaid",
      isOpening: false,
      isOverdue: today > "2026-04-04",
      allowedTransitions: ["cancelled"],
      salesOrder: order.id,
      orderNumber: order.orderNumber,
      customer: customer.id,
      customerName: "Nordlicht",
      billingAddress: { street: null, city: "Kiel", state: null, zipCode: null, country: "DE" },
      taxId: "DE1",
      sellerVersion: expect.stringMatching(/^slr_[0-9a-f]{26}$/),
      seller: expect.objectContaining({ legalName: null, logo: null }),
      buyer: {
        customerNumber: customer.customerNumber,
        name: "Nordlicht",
        contactName: null,
        email: null,
        phone: null,
        address: { street: null, city: "Kiel", state: null, zipCode: null, country: "DE" },
        taxId: "DE1",
      },
      language: "en",
      invoiceDate: "2026-03-05",
      supplyDate: "2026-03-05",
      dueDate: "2026-04-04",
      paymentTerms: "Net 30",
      remindersPausedUntil: null,
      recurringInvoice: null,
      recurringPeriod: null,
      periodStartDate: null,
      periodEndDate: null,
      recurringProblem: null,
      pricesIncludeTax: false,
      taxTreatment: "domestic",
      discount: 0,
      discountAmount: 0,
      isDiscountAmount: false,
      buyerReference: null,
      shippingAddress: null,
      items: [
        {
          id: expect.stringMatching(/^inl_/),
          orderLine: order.items[0].id,
          item: item.id,
          itemCode: item.itemCode,
          itemName: "Desk",
          description: null,
          uom: "Nos",
          quantity: 3,
          rate: 33.33,
          discount: 10,
          amount: 89.99,
          discountAmount: 10,
          documentDiscount: 0,
          grossAmount: null,
          taxCode: null,
          taxCategory: "S",
          taxRate: 19,
          creditedQuantity: 0,
          creditedAmount: 0,
        },
      ],
      notes: "Thanks",
      externalId: null,
      metadata: {},
      currency: "USD",
      subtotal: 89.99,
      discountTotal: 10,
      taxTotal: 17.1,
      taxes: [{ category: "S", rate: 19, base: 89.99, tax: 17.1, reason: null }],
      total: 107.09,
      amountPaid: 0,
      creditedTotal: 0,
      creditTaken: 0,
      creditApplied: 0,
      writtenOff: 0,
      invoiceType: "standard",
      depositTotal: 0,
      deductedTotal: 0,
      deposits: [],
      balance: 107.09,
      payments: [],
      applications: [],
      writeOffs: [],
      creditNotes: [],
      issuedAt: expect.any(String),
      paidAt: null,
      cancelledAt: null,
      cancelReason: null,
      lastSentAt: null,
      createdBy: expect.stringMatching(/^usr_/),
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await shop.get("sales-orders", order.id)).toMatchObject({
      status: "completed",
      invoiceStatus: "invoiced",
      invoicedTotal: 107.09,
      invoices: [data.id],
      completedAt: expect.any(String),
    })
    expect(await shop.get("customers", customer.id)).toMatchObject({
      outstandingBalance: 107.09,
      openOrdersValue: 0,
    })
    await api.put(`/customers/${customer.id}`, { name: "Renamed", address: { city: "Husum" } })
    expect(await shop.get("invoices", data.id)).toMatchObject({
      customerName: "Nordlicht",
      billingAddress: { city: "Kiel" },
    })
  })

  test("discounts of partial invoices add up to the order's discount", async () => {
    const item = await shop.item({ sellingPrice: 0.005 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 2, discount: 50 }] })
    const part = async () =>
      (await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 1 }] })).body.data
    const [one, two] = [await part(), await part()]
    const cents = (amount: number) => Math.round(amount * 100)
    expect(cents(one.discountTotal) + cents(two.discountTotal)).toBe(cents(order.discountTotal))
    expect(cents(one.total) + cents(two.total)).toBe(cents(order.total))
  })

  test("a part has the discount that its quantity makes", async () => {
    const item = await shop.item({ sellingPrice: 41.03 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 6, discount: 15 }] })
    const part = await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 1 }] })
    expect(part.body.data).toMatchObject({ subtotal: 34.88, discountTotal: 6.15 })
    expect((await shop.bill(order.id)).body.data.discountTotal).toBe(
      Math.round((order.discountTotal - 6.15) * 100) / 100,
    )
  })

  test("no part of a discount is negative", async () => {
    const item = await shop.item({ sellingPrice: 0.006 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 2, discount: 33 }] })
    const part = async () =>
      (await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 1 }] })).body.data
    expect(order).toMatchObject({ total: 0.01, discountTotal: 0 })
    expect([await part(), await part()]).toMatchObject([
      { total: 0, discountTotal: 0 },
      { total: 0.01, discountTotal: 0 },
    ])
  })

  test("invoices an order in parts, and the last one completes the order", async () => {
    const order = await shop.submitted({
      items: [
        { item: (await shop.item()).id, quantity: 10 },
        { item: (await shop.item()).id, quantity: 1 },
      ],
    })
    const [a, b] = order.items
    const first = (await shop.bill(order.id, { items: [{ orderLine: a.id, quantity: 4 }] })).body.data
    expect(first).toMatchObject({ total: 40, items: [{ quantity: 4 }] })
    let now = await shop.get("sales-orders", order.id)
    expect(now).toMatchObject({ status: "submitted", invoiceStatus: "partially_invoiced", invoicedTotal: 40 })
    expect(now.items.map(({ invoicedQuantity }: Named) => invoicedQuantity)).toEqual([4, 0])
    const over = await shop.bill(order.id, {
      items: [
        { orderLine: b.id, quantity: 1 },
        { orderLine: a.id, quantity: 6.0001 },
      ],
    })
    expect(refusalOf(over)).toEqual({ status: 422, code: "OVER_INVOICED", fields: ["items[1].quantity"] })
    expect(over.body.error.details[0].message).toBe("ordered 10, invoiced 4, remaining 6")
    const rest = (await shop.bill(order.id)).body.data
    expect(rest.items.map(({ quantity }: Named) => quantity)).toEqual([6, 1])
    now = await shop.get("sales-orders", order.id)
    expect(now).toMatchObject({
      status: "completed",
      invoiceStatus: "invoiced",
      invoicedTotal: now.total,
      invoices: [first.id, rest.id],
    })
  })

  test("a hundred partial invoices of a line of 0.50 with tax add up to the order, and none is negative", async () => {
    const item = await shop.item({ sellingPrice: 0.5, taxRate: 19 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 1 }] })
    expect(order).toMatchObject({ subtotal: 0.5, taxTotal: 0.1, total: 0.6 })
    const parts: Record<string, number>[] = []
    for (let i = 0; i < 100; i++)
      parts.push(
        (await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 0.01 }] })).body.data,
      )
    const sum = (field: string) =>
      Math.round(parts.reduce((total, part) => total + (part[field] ?? 0) * 100, 0)) / 100
    expect([sum("subtotal"), sum("taxTotal"), sum("total")]).toEqual([0.5, 0.1, 0.6])
    expect(parts.every(({ subtotal = -1, taxTotal = -1 }) => subtotal >= 0 && taxTotal >= 0)).toBeTrue()
    expect((await shop.get("sales-orders", order.id)).status).toBe("completed")
  })

  test("fifty concurrent requests for one order create exactly one invoice", async () => {
    const order = await shop.submitted()
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.bill(order.id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(refusalOf(answer).code).toBe("ORDER_ALREADY_INVOICED")
  })

  test.each([
    ["a draft", [], "ORDER_NOT_SUBMITTED"],
    ["a cancelled order", ["cancelled"], "ORDER_CANCELLED"],
    [
      "an order that was completed before it was fully invoiced",
      ["submitted", "completed"],
      "ORDER_ALREADY_INVOICED",
    ],
  ])("refuses %s", async (_, path, code) => {
    const order = await shop.order()
    for (const to of path) await shop.status("sales-orders", order.id, to)
    expect(refusalOf(await shop.bill(order.id))).toEqual({ status: 422, code, fields: ["salesOrder"] })
  })

  test.each([
    ["nothing", { salesOrder: null }, ["salesOrder"]],
    [
      "an order that does not exist, and an invalid date",
      { salesOrder: "so_none", invoiceDate: "bad" },
      ["salesOrder", "invoiceDate"],
    ],
    ["a day that does not exist", { invoiceDate: "2026-02-30" }, ["invoiceDate"]],
    ["an empty list of lines", { items: [] }, ["items"]],
    [
      "a line that does not exist",
      { items: [{ orderLine: "sol_none", quantity: 1 }] },
      ["items[0].orderLine"],
    ],
    ["a quantity of 0", { items: [{ orderLine: "real", quantity: 0 }] }, ["items[0].quantity"]],
    [
      "one line twice",
      {
        items: [
          { orderLine: "real", quantity: 1 },
          { orderLine: "real", quantity: 1 },
        ],
      },
      ["items[1].orderLine"],
    ],
    [
      "an unknown field",
      { colour: 1, items: [{ orderLine: "real", quantity: 1, rate: 5 }] },
      ["colour", "items[0].rate"],
    ],
    ["a due date before the invoice", { invoiceDate: "2026-03-02", dueDate: "2026-03-01" }, ["dueDate"]],
  ])("refuses %s", async (_, over, fields) => {
    const order = await shop.submitted()
    const real = JSON.parse(JSON.stringify(over).replaceAll("real", order.items[0].id))
    const answer = await api.post("/invoices/from-order", { salesOrder: order.id, ...real })
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
    expect((await shop.get("sales-orders", order.id)).invoices).toEqual([])
  })

  test("a date before the order's date causes a warning", async () => {
    const order = await shop.submitted({ orderDate: "2026-03-10" })
    const answer = await shop.bill(order.id, { invoiceDate: "2026-03-01" })
    expect([answer.status, warningsOf(answer)]).toEqual([
      201,
      [
        {
          code: "DATE_BEFORE_ORDER",
          field: "invoiceDate",
          message: expect.any(String),
          params: { orderDate: "2026-03-10" },
        },
      ],
    ])
  })

  test("an invoice with a total of 0 is paid immediately", async () => {
    const order = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 1, rate: 0 }] })
    expect((await shop.bill(order.id)).body.data).toMatchObject({
      status: "paid",
      total: 0,
      balance: 0,
      paidAt: expect.any(String),
    })
  })

  test.each([
    ["Net 30", "2026-01-31", "2026-03-02"],
    ["net14", "2026-02-20", "2026-03-06"],
    ["Net 30 days", "2026-01-01", "2026-01-31"],
    ["30 days", "2026-01-01", "2026-01-31"],
    ["14 Tage", "2026-02-20", "2026-03-06"],
    ["30 JOURS", "2026-01-31", "2026-03-02"],
    ["2/10 net 30", "2026-01-31", "2026-03-02"],
    ["Due on Receipt", "2026-05-05", "2026-05-05"],
    ["Net 10000", "2026-01-01", "2053-05-19"],
    ["Net 30", "9999-12-31", "9999-12-31"],
    ["eom", "2028-02-10", "2028-02-29"],
    [null, "2026-05-05", "2026-05-05"],
  ])("terms %p from %s are due on %s", async (paymentTerms, invoiceDate, dueDate) => {
    const order = await shop.submitted({ paymentTerms, orderDate: "2026-01-01" })
    const answer = await shop.bill(order.id, { invoiceDate })
    expect([answer.body.data.dueDate, warningsOf(answer)]).toEqual([dueDate, []])
  })

  test.each(["Cash on delivery", "Net 999999999", "30 days after the harvest"])(
    "terms %p are due immediately, with a warning",
    async (paymentTerms) => {
      const order = await shop.submitted({ paymentTerms, orderDate: "2026-01-01" })
      const answer = await shop.bill(order.id, { invoiceDate: "2026-05-05" })
      expect(answer.status).toBe(201)
      expect(answer.body.data.dueDate).toBe("2026-05-05")
      expect(warningsOf(answer)).toEqual([
        {
          code: "TERMS_NOT_UNDERSTOOD",
          field: "paymentTerms",
          message: expect.stringContaining(JSON.stringify(paymentTerms)),
          params: { terms: paymentTerms },
        },
      ])
    },
  )

  test("a due date in the body needs no terms that are understood", async () => {
    const order = await shop.submitted({ paymentTerms: "As agreed", orderDate: "2026-01-01" })
    const dates = { invoiceDate: "2026-05-05", dueDate: "2026-06-01" }
    expect(warningsOf(await shop.bill(order.id, dates))).toEqual([])
  })
})

describe("stock", () => {
  test("decreases with the invoice and increases when it is cancelled, each with a stock movement", async () => {
    const item = await shop.item()
    await shop.receive(item.id, 10)
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 4 }] })
    const invoice = (await shop.bill(order.id)).body.data
    expect(await shop.get("items", item.id)).toMatchObject({ currentStock: 6, reservedStock: 0 })
    await shop.status("invoices", invoice.id, "cancelled")
    expect(await shop.get("items", item.id)).toMatchObject({ currentStock: 10, reservedStock: 4 })
    const { data } = (await api.get(`/stock-movements?item=${item.id}&order=asc`)).body
    expect(
      data.map(({ quantity, reason, balanceAfter, sourceId }: Named) => [
        quantity,
        reason,
        balanceAfter,
        sourceId,
      ]),
    ).toEqual([
      [10, "receipt", 10, null],
      [-4, "invoice", 6, invoice.id],
      [4, "cancellation", 10, invoice.id],
    ])
  })

  test("cannot become negative when the settings forbid it", async () => {
    const item = await shop.item()
    await shop.receive(item.id, 5)
    const order = await shop.submitted({
      items: [
        { item: item.id, quantity: 3 },
        { item: item.id, quantity: 3 },
      ],
    })
    await api.put("/settings", { allowNegativeStock: false })
    const refused = await shop.bill(order.id)
    expect(refusalOf(refused)).toEqual({
      status: 422,
      code: "INSUFFICIENT_STOCK",
      fields: ["items[1].quantity"],
    })
    expect(await shop.get("items", item.id)).toMatchObject({ currentStock: 5, reservedStock: 6 })
    expect(
      (await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 3 }] })).status,
    ).toBe(201)
    await api.put("/settings", { allowNegativeStock: true })
    expect((await shop.bill(order.id)).status).toBe(201)
    expect((await shop.get("items", item.id)).currentStock).toBe(-1)
  })
})

describe("numbers", () => {
  test("have no gaps in each year, even if requests are refused in between", async () => {
    const numberOf = async (over: object) =>
      (await shop.bill((await shop.submitted({ orderDate: "2011-01-01" })).id, over)).body.data.invoiceNumber
    expect(await numberOf({ invoiceDate: "2011-01-01" })).toBe("INV-2011-00001")
    await shop.bill("so_none", { invoiceDate: "2011-01-01" })
    const full = await shop.submitted()
    await shop.bill(full.id, {
      invoiceDate: "2011-01-01",
      items: [{ orderLine: full.items[0].id, quantity: 99 }],
    })
    await api.put("/settings", { allowNegativeStock: false })
    expect((await shop.bill(full.id, { invoiceDate: "2011-01-01" })).status).toBe(422)
    await api.put("/settings", { allowNegativeStock: true })
    expect(await numberOf({ invoiceDate: "2011-12-31" })).toBe("INV-2011-00002")
    expect(await numberOf({ invoiceDate: "2012-01-01" })).toBe("INV-2012-00001")
  })

  test("fifty concurrent requests, half of them refused, get the numbers 1 to 25", async () => {
    const orders = await Promise.all(Array.from({ length: 25 }, () => shop.submitted()))
    await Promise.all(
      orders.flatMap(({ id }) => [
        shop.bill(id, { invoiceDate: "2013-06-01" }),
        shop.bill(id, { invoiceDate: "2013-06-01" }),
      ]),
    )
    const { data } = (
      await api.get("/invoices?invoiceDate=2013-06-01&perPage=100&sort=invoiceNumber&order=asc")
    ).body
    expect(data.map(({ invoiceNumber }: Named) => invoiceNumber)).toEqual(
      Array.from({ length: 25 }, (_, i) => `INV-2013-${String(i + 1).padStart(5, "0")}`),
    )
  })

  test("a cancelled invoice keeps its number, and no other invoice gets it", async () => {
    const first = await shop.invoice()
    await shop.status("invoices", first.id, "cancelled")
    const second = await shop.invoice()
    expect(Number(second.invoiceNumber.slice(-5))).toBe(Number(first.invoiceNumber.slice(-5)) + 1)
    expect((await shop.get("invoices", first.id)).invoiceNumber).toBe(first.invoiceNumber)
  })
})

describe("payments", () => {
  test("change an invoice from unpaid to partially paid to paid, and back when they are deleted", async () => {
    const invoice = await shop.invoice()
    expect(invoice.total).toBe(20)
    const first = await shop.pay(invoice.id, 7.5, {
      method: "Cash",
      reference: "R-1",
      paymentDate: "2026-03-01",
    })
    expect(first.status).toBe(201)
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^pay_/),
      invoice: invoice.id,
      amount: 7.5,
      paymentDate: "2026-03-01",
      method: "Cash",
      reference: "R-1",
      notes: null,
      externalId: null,
      metadata: {},
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
    })
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "partially_paid",
      amountPaid: 7.5,
      balance: 12.5,
      version: 2,
      payments: [first.body.data],
      allowedTransitions: [],
    })
    const second = await shop.pay(invoice.id, 12.5)
    expect(second.body.data.paymentDate).toBe(today)
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "paid",
      balance: 0,
      paidAt: expect.any(String),
    })
    expect((await shop.get("customers", invoice.customer)).outstandingBalance).toBe(0)
    const listed = (await api.get(`/invoices/${invoice.id}/payments?order=asc`)).body
    expect(listed.data).toEqual([first.body.data, second.body.data])
    expect(listed.meta.total).toBe(2)
    expect((await api.delete(`/invoices/${invoice.id}/payments/${first.body.data.id}`)).status).toBe(204)
    expect((await api.delete(`/invoices/${invoice.id}/payments/${first.body.data.id}`)).status).toBe(404)
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "partially_paid",
      amountPaid: 12.5,
      balance: 7.5,
      paidAt: null,
    })
    await api.delete(`/invoices/${invoice.id}/payments/${second.body.data.id}`)
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "unpaid",
      amountPaid: 0,
      balance: 20,
    })
    expect((await shop.get("customers", invoice.customer)).outstandingBalance).toBe(20)
  })

  test.each([
    ["nothing", {}, ["amount"]],
    ["an amount of 0", { amount: 0 }, ["amount"]],
    ["a negative amount", { amount: -5 }, ["amount"]],
    ["a fraction of a cent", { amount: 1.005 }, ["amount"]],
    ["an amount as text", { amount: "5" }, ["amount"]],
    ["a day that does not exist", { amount: 1, paymentDate: "2026-13-01" }, ["paymentDate"]],
    ["an unknown field", { amount: 1, tip: 1 }, ["tip"]],
    ["fields that only the server sets", { amount: 1, invoice: "inv_x" }, ["invoice"]],
  ])("refuses %s", async (_, body, fields) => {
    const { id } = await shop.invoice()
    const answer = await api.post(`/invoices/${id}/payments`, body)
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields })
  })

  test("cannot exceed the balance, even when many are recorded at the same time", async () => {
    const { id } = await shop.invoice()
    expect(refusalOf(await shop.pay(id, 20.01))).toEqual({
      status: 422,
      code: "OVERPAYMENT",
      fields: ["amount"],
    })
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.pay(id, 5)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(await shop.get("invoices", id)).toMatchObject({ status: "paid", amountPaid: 20 })
  })

  test("a payment of another invoice is 404, and so is one of an invoice that does not exist", async () => {
    const [one, two] = [await shop.invoice(), await shop.invoice()]
    const { id } = (await shop.pay(one.id, 1)).body.data
    expect((await api.delete(`/invoices/${two.id}/payments/${id}`)).status).toBe(404)
    expect((await api.get(`/invoices/${two.id}/payments/${id}`)).status).toBe(404)
    expect((await api.get(`/invoices/${one.id}/payments/${id}`)).body.data).toMatchObject({ id, amount: 1 })
    expect((await api.delete(`/invoices/${one.id}/payments/${id}`, { "if-match": '"1"' })).status).toBe(412)
    expect((await api.delete(`/invoices/${one.id}/payments/${id}`, { "if-match": '"2"' })).status).toBe(204)
    expect((await shop.pay("inv_none", 1)).status).toBe(404)
    expect((await api.get("/invoices/inv_none/payments")).status).toBe(404)
  })
})

describe("cancelling", () => {
  test("returns the quantities to the order and reopens it", async () => {
    const order = await shop.submitted()
    const invoice = (await shop.bill(order.id)).body.data
    const answer = await shop.status("invoices", invoice.id, "cancelled", { reason: "Wrong address" })
    expect(answer.body.data).toMatchObject({
      status: "cancelled",
      balance: 0,
      cancelReason: "Wrong address",
      allowedTransitions: [],
      version: 2,
    })
    expect(await shop.get("sales-orders", order.id)).toMatchObject({
      status: "submitted",
      invoiceStatus: "not_invoiced",
      invoicedTotal: 0,
      completedAt: null,
    })
    expect(await shop.get("customers", order.customer)).toMatchObject({
      outstandingBalance: 0,
      openOrdersValue: order.total,
    })
    expect((await shop.bill(order.id)).status).toBe(201)
  })

  test("reopens an order that was completed before it was fully invoiced", async () => {
    const order = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 10 }] })
    const part = (await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 4 }] })).body
      .data
    await shop.status("sales-orders", order.id, "completed")
    await shop.status("invoices", part.id, "cancelled")
    expect((await shop.get("sales-orders", order.id)).status).toBe("submitted")
    expect((await shop.get("items", order.items[0].item)).reservedStock).toBe(10)
  })

  test("is refused while there are payments, and is final", async () => {
    const invoice = await shop.invoice()
    const { id } = (await shop.pay(invoice.id, 5)).body.data
    expect(refusalOf(await shop.status("invoices", invoice.id, "cancelled"))).toEqual({
      status: 422,
      code: "INVOICE_HAS_PAYMENTS",
      fields: ["status"],
    })
    await api.delete(`/invoices/${invoice.id}/payments/${id}`)
    expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(200)
    expect(refusalOf(await shop.status("invoices", invoice.id, "unpaid"))).toMatchObject({
      code: "INVALID_STATUS_TRANSITION",
    })
    expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(200)
    expect(refusalOf(await shop.pay(invoice.id, 1))).toMatchObject({ code: "OVERPAYMENT" })
  })

  test.each(["paid", "partially_paid", "draft"])(
    "an unpaid invoice cannot be changed to %s",
    async (status) => {
      expect(refusalOf(await shop.status("invoices", (await shop.invoice()).id, status))).toMatchObject({
        status: 422,
        code: "INVALID_STATUS_TRANSITION",
      })
    },
  )

  test("an order with issued invoices cannot be cancelled", async () => {
    const order = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 2 }] })
    await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 1 }] })
    expect(refusalOf(await shop.status("sales-orders", order.id, "cancelled"))).toEqual({
      status: 422,
      code: "ORDER_HAS_INVOICES",
      fields: ["status"],
    })
  })
})

describe("an invoice without an order", () => {
  const direct = async (over: object = {}) => ({
    customer: (await shop.customer({ paymentTerms: "Net 10" })).id,
    items: [{ item: (await shop.item()).id, quantity: 2 }],
    ...over,
  })

  test("is a draft without number, balance and stock movements until it is issued", async () => {
    const draft = await api.create("/invoices", await direct({ invoiceDate: "2026-03-01", notes: "Hello" }))
    expect(draft).toMatchObject({
      invoiceNumber: null,
      status: "draft",
      salesOrder: null,
      orderNumber: null,
      total: 20,
      dueDate: "2026-03-11",
      paymentTerms: "Net 10",
      allowedTransitions: ["unpaid", "cancelled"],
      issuedAt: null,
    })
    expect((await shop.get("items", draft.items[0].item)).currentStock).toBe(0)
    expect((await shop.get("customers", draft.customer)).outstandingBalance).toBe(0)
    expect(refusalOf(await shop.pay(draft.id, 1))).toMatchObject({ status: 422, code: "DOCUMENT_LOCKED" })
    const issued = (await shop.status("invoices", draft.id, "unpaid")).body.data
    expect(issued).toMatchObject({
      status: "unpaid",
      invoiceNumber: expect.stringMatching(/^INV-2026-/),
      version: 2,
    })
    expect((await shop.get("items", draft.items[0].item)).currentStock).toBe(-2)
    expect((await shop.get("customers", draft.customer)).outstandingBalance).toBe(20)
    await shop.status("invoices", draft.id, "cancelled")
    expect((await shop.get("items", draft.items[0].item)).currentStock).toBe(0)
  })

  test("may be issued immediately", async () => {
    expect(await api.create("/invoices", await direct({ status: "unpaid" }))).toMatchObject({
      status: "unpaid",
      invoiceNumber: expect.stringContaining(`INV-${year}-`),
    })
  })

  test("all fields of a draft can be updated; its due date follows its payment terms", async () => {
    const draft = await api.create("/invoices", await direct({ invoiceDate: "2026-03-01" }))
    const { data } = (
      await api.put(`/invoices/${draft.id}`, {
        paymentTerms: "Net 3",
        items: [{ ...draft.items[0], quantity: 5 }],
      })
    ).body
    expect(data).toMatchObject({
      dueDate: "2026-03-04",
      total: 50,
      balance: 50,
      items: [{ id: draft.items[0].id, quantity: 5 }],
    })
    expect((await api.put(`/invoices/${draft.id}`, { dueDate: "2026-05-01" })).body.data.dueDate).toBe(
      "2026-05-01",
    )
    expect((await api.delete(`/invoices/${draft.id}`)).status).toBe(204)
  })

  test("warns when its payment terms are not understood, whenever they set its due date", async () => {
    const codes = (answer: Answer) => {
      const found = warningsOf(answer).map(({ code }) => code)
      return found.length > 0 ? found : undefined
    }
    const warned = ["TERMS_NOT_UNDERSTOOD"]
    const customer = (await shop.customer({ paymentTerms: "As agreed" })).id
    const made = await api.post("/invoices", await direct({ customer, invoiceDate: "2026-03-01" }))
    expect([made.status, made.body.data.dueDate, codes(made)]).toEqual([201, "2026-03-01", warned])
    const given = await api.post("/invoices", await direct({ customer, dueDate: "2999-01-01" }))
    expect([given.status, codes(given)]).toEqual([201, undefined])
    const own = await api.post("/invoices", await direct({ customer, paymentTerms: "14 Tage" }))
    expect([own.status, codes(own)]).toEqual([201, undefined])

    const change = (body: object) => api.put(`/invoices/${made.body.data.id}`, body)
    expect(codes(await change({ notes: "Hello" }))).toBeUndefined()
    expect(codes(await change({ invoiceDate: "2026-03-02" }))).toEqual(warned)
    expect(codes(await change({ dueDate: null }))).toEqual(warned)
    expect(refusalOf(await change({ paymentTerms: "" }))).toMatchObject({ fields: ["paymentTerms"] })
    expect(codes(await change({ paymentTerms: "30 days" }))).toBeUndefined()
    expect(codes(await change({ paymentTerms: "Some day", dueDate: "2026-04-01" }))).toBeUndefined()
    const issued = await shop.status("invoices", made.body.data.id, "unpaid")
    expect([issued.body.data.dueDate, codes(issued)]).toEqual(["2026-04-01", undefined])
  })

  test("is issued with the customer's current data, and records who moved the stock", async () => {
    const draft = await api.create("/invoices", await direct())
    await api.put(`/customers/${draft.customer}`, {
      name: "New name",
      taxId: "T-9",
      address: { city: "Bonn" },
    })
    await api.create("/users", {
      email: "books@example.com",
      name: "Books",
      role: "accountant",
      password: "a fine password",
    })
    const books = await signIn(kontor, "books@example.com", "a fine password")
    const issued = (await books.put(`/invoices/${draft.id}/status`, { status: "unpaid" })).body.data
    expect(issued).toMatchObject({ customerName: "New name", taxId: "T-9", billingAddress: { city: "Bonn" } })
    const [movement] = (await api.get(`/stock-movements?sourceId=${draft.id}`)).body.data
    expect(movement.createdBy).toBe((await books.get("/auth/me")).body.data.id)
  })

  test("another customer brings its payment terms, and they change the due date", async () => {
    const draft = await api.create("/invoices", await direct({ invoiceDate: "2026-03-01" }))
    const other = await shop.customer({ paymentTerms: "Net 7" })
    expect((await api.put(`/invoices/${draft.id}`, { customer: other.id })).body.data).toMatchObject({
      customerName: other.name,
      paymentTerms: "Net 7",
      dueDate: "2026-03-08",
    })
  })

  test("a cancelled draft moves no stock", async () => {
    const draft = await api.create("/invoices", await direct())
    expect((await shop.status("invoices", draft.id, "cancelled")).body.data).toMatchObject({
      status: "cancelled",
      invoiceNumber: null,
    })
    expect((await api.get(`/stock-movements?item=${draft.items[0].item}`)).body.data).toEqual([])
  })

  test("issuing checks that customer and items are still active", async () => {
    const draft = await api.create("/invoices", await direct())
    await api.put(`/items/${draft.items[0].item}`, { isActive: false })
    expect(refusalOf(await shop.status("invoices", draft.id, "unpaid"))).toMatchObject({
      status: 422,
      fields: ["items[0].item"],
    })
  })

  test.each([
    ["nothing", { customer: null, items: null }, ["customer", "items"]],
    ["a customer that does not exist", { customer: "cus_none" }, ["customer"]],
    ["an item that does not exist", { items: [{ item: "itm_none", quantity: 1 }] }, ["items[0].item"]],
    ["a status that is not allowed on create", { status: "paid" }, ["status"]],
    ["a number", { invoiceNumber: "INV-1", total: 3 }, ["invoiceNumber", "total"]],
  ])("refuses %s", async (_, over, fields) => {
    const answer = await api.post("/invoices", await direct(over))
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })
})

describe("an issued invoice", () => {
  test("accepts what GET returned; only notes and due date can be updated; it cannot be deleted", async () => {
    const invoice = await shop.invoice()
    const echoed = await api.put(`/invoices/${invoice.id}`, invoice)
    expect([echoed.status, echoed.body.data, echoed.body.warnings]).toEqual([200, invoice, undefined])
    expect(
      (await api.put(`/invoices/${invoice.id}`, { notes: "New", dueDate: "2999-01-01" })).body.data,
    ).toMatchObject({ notes: "New", dueDate: "2999-01-01", isOverdue: false })
    const locked = await api.put(`/invoices/${invoice.id}`, {
      invoiceDate: "2020-01-01",
      paymentTerms: "X",
      items: [{ ...invoice.items[0], quantity: 9 }],
    })
    expect(refusalOf(locked)).toMatchObject({ status: 422, code: "DOCUMENT_LOCKED" })
    expect(refusalOf(locked).fields.toSorted()).toEqual(["invoiceDate", "items", "paymentTerms"])
    expect(refusalOf(await api.delete(`/invoices/${invoice.id}`))).toMatchObject({
      status: 422,
      code: "DOCUMENT_LOCKED",
    })
    await shop.status("invoices", invoice.id, "cancelled")
    const cancelled = await shop.get("invoices", invoice.id)
    expect((await api.put(`/invoices/${invoice.id}`, cancelled)).body.data).toEqual(cancelled)
  })
})

describe("a copy of an invoice", () => {
  test("is a new draft of today with the same lines and terms, without its order", async () => {
    const customer = await shop.customer({ paymentTerms: "Net 30" })
    const order = await shop.submitted({ customer: customer.id, orderDate: "2026-03-01", notes: "Again" })
    const { body } = await shop.bill(order.id, { invoiceDate: "2026-03-05", buyerReference: "PO 7" })
    const { id, total, items } = body.data
    await shop.status("invoices", id, "cancelled")
    const answer = await api.post(`/invoices/${id}/duplicate`)
    expect([answer.status, answer.headers.get("location")]).toEqual([
      201,
      `/api/v1/invoices/${answer.body.data.id}`,
    ])
    expect(answer.body.data).toMatchObject({
      status: "draft",
      invoiceNumber: null,
      invoiceDate: today,
      supplyDate: today,
      salesOrder: null,
      orderNumber: null,
      buyerReference: "PO 7",
      paymentTerms: "Net 30",
      balance: total,
      total,
    })
    const [line] = answer.body.data.items
    expect(line).toMatchObject({ item: items[0].item, quantity: items[0].quantity, rate: items[0].rate })
    expect([line.id === items[0].id, line.orderLine, line.creditedQuantity]).toEqual([false, null, 0])
    expect((await shop.status("invoices", answer.body.data.id, "unpaid")).status).toBe(200)
    expect((await api.post("/invoices/inv_01kb2qk3dvb6r8h5m9x4w7z2nc/duplicate")).status).toBe(404)
  })
})

describe("GET /invoices", () => {
  test("shows and filters overdue invoices", async () => {
    const order = await shop.submitted({ orderDate: "2020-01-01" })
    const late = (await shop.bill(order.id, { invoiceDate: "2020-01-01" })).body.data
    expect(late.isOverdue).toBeTrue()
    const found = async (query: string) =>
      (await api.get(`/invoices?customer=${late.customer}&${query}`)).body.data.map(({ id }: Named) => id)
    expect(await found("status=overdue")).toEqual([late.id])
    expect(await found("status=unpaid")).toEqual([late.id])
    expect(await found("status[in]=paid,overdue")).toEqual([late.id])
    expect(await found("status[ne]=overdue")).toEqual([])
    expect(await found("status[like]=overd%25")).toEqual([late.id])
    expect(await found("status[like]=unp%25")).toEqual([late.id])
    expect(await found("status[lt]=overdue")).toEqual([])
    expect(await found("status[gt]=overdue")).toEqual([late.id])
    expect(refusalOf(await api.get("/invoices?status=constructor"))).toMatchObject({
      status: 422,
      fields: ["status"],
    })
    expect(await found("isOverdue=true")).toEqual([late.id])
    expect(await found("balance[gt]=0")).toEqual([late.id])
    await shop.pay(late.id, 20)
    expect(await found("status=overdue")).toEqual([])
    expect(await found("status=paid")).toEqual([late.id])
    expect(await found("status[ne]=overdue")).toEqual([late.id])
    expect(await found("status=submitted")).toEqual([])
  })

  test("contains lines and payments, and can be searched by number and customer", async () => {
    const invoice = await shop.invoice()
    await shop.pay(invoice.id, 5)
    const now = await shop.get("invoices", invoice.id)
    expect((await api.get(`/invoices?search=${invoice.invoiceNumber}`)).body.data).toEqual([now])
    expect((await api.get(`/invoices?salesOrder=${invoice.salesOrder}`)).body.data).toEqual([now])
  })

  test("an invoice's history contains its payments", async () => {
    const invoice = await shop.invoice()
    await shop.pay(invoice.id, 20)
    const actions = (await api.get(`/invoices/${invoice.id}/history`)).body.data.map(
      ({ action }: Named) => action,
    )
    expect(actions.toSorted()).toEqual(["invoices.create", "invoices.payment", "invoices.status"])
  })
})

test("a POST returns exactly what GET returns afterwards", async () => {
  const { id: item } = await shop.item()
  const invoice = await shop.invoice()
  for (const [path, body] of [
    ["/items", { itemCode: "LETTER", itemName: "Letter" }],
    ["/customers", { name: "Letter" }],
    ["/stock-movements", { item, quantity: 1, reason: "receipt" }],
    ["/sales-orders", { customer: invoice.customer, items: [{ item, quantity: 1 }] }],
    ["/invoices", { customer: invoice.customer, items: [{ item, quantity: 1 }] }],
    [`/invoices/${invoice.id}/payments`, { amount: 1 }],
  ] as const) {
    const made = await api.post(path, body)
    expect((await api.get(`${path}/${made.body.data.id}`)).text).toBe(made.text)
  }
})

test("currencies with no decimals and with three use their own minor unit", async () => {
  for (const [currency, rate, total, tooFine] of [
    ["JPY", 10.5, 11, 0.5],
    ["KWD", 1.2345, 1.235, 0.0005],
  ] as const) {
    const other = await serve()
    const money = await signIn(other)
    await money.put("/settings", { currency })
    const place = trade(money)
    const item = await place.item({ sellingPrice: rate })
    const invoice = await place.invoice({ items: [{ item: item.id, quantity: 1 }] })
    expect(invoice).toMatchObject({ currency, total, balance: total })
    expect(refusalOf(await place.pay(invoice.id, tooFine))).toMatchObject({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["amount"],
    })
    expect((await place.pay(invoice.id, total)).status).toBe(201)
    expect((await place.get("customers", invoice.customer)).outstandingBalance).toBe(0)
    await other.stop()
  }
})

test("an order with very many invoices accepts no more partial ones, but the rest can be invoiced", async () => {
  const { id: item } = await shop.item()
  const items = Array.from({ length: 500 }, () => ({ item, quantity: 100, rate: 1 }))
  const order = await shop.submitted({ items })
  const [first] = order.items as { id: string }[]
  const part = () => shop.bill(order.id, { items: [{ orderLine: first?.id, quantity: 1 }] })
  for (let i = 0; i < 50; i++) expect((await part()).status).toBe(201)
  expect(refusalOf(await part())).toMatchObject({ status: 422, code: "VALIDATION_ERROR", fields: ["items"] })
  const rest = await shop.bill(order.id)
  expect(rest.status).toBe(201)
  expect(await shop.get("sales-orders", order.id)).toMatchObject({
    status: "completed",
    invoicedTotal: 50_000,
  })
})
