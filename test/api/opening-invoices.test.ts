import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { importOpening } from "../support/opening"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let made = 0
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const byNumber = async (number: string) =>
  (await api.get(`/invoices/by/invoiceNumber/${encodeURIComponent(number)}`)).body?.data
const summary = async () => (await api.get("/reports/summary")).body.data
const settings = async () => (await api.get("/settings")).body.data

/** Imports one opening invoice of 119 and returns it with its customer. */
async function opening(over: object = {}) {
  const customer = await shop.customer()
  const row = {
    invoiceNumber: `RE/${++made}`,
    customer: customer.id,
    invoiceDate: "2025-03-01",
    balance: 119,
  }
  expect(await importOpening(api, [{ ...row, ...over }])).toEqual([])
  const { invoiceNumber } = { ...row, ...over }
  return { ...(await byNumber(invoiceNumber)), buyer: customer }
}

/** The faults of one row. */
async function faultsOf(over: object) {
  const customer = (await shop.customer()).id
  const row = { invoiceNumber: `RE/${++made}`, customer, invoiceDate: "2025-03-01", balance: 119, ...over }
  const faults = await importOpening(api, [row])
  return faults.map(({ field }) => field)
}

describe("An opening invoice", () => {
  test("is an unpaid invoice with the number of the other system, one line and no tax", async () => {
    const customer = await shop.customer({ paymentTerms: "Net 30", externalId: "shop-7", taxId: "DE1" })
    const invoiceNumber = "Rg. 2025/17"
    const rows = [
      {
        invoiceNumber,
        customerNumber: customer.customerNumber,
        invoiceDate: "2025-03-01",
        balance: 1190.5,
        notes: "From the old system",
        externalId: "old-17",
      },
    ]
    expect(await importOpening(api, rows)).toEqual([])
    expect(await byNumber(invoiceNumber)).toMatchObject({
      isOpening: true,
      invoiceNumber,
      numberSeries: null,
      numberCounter: null,
      status: "unpaid",
      isOverdue: true,
      allowedTransitions: ["cancelled"],
      customer: customer.id,
      customerName: customer.name,
      taxId: "DE1",
      seller: null,
      buyer: null,
      salesOrder: null,
      invoiceDate: "2025-03-01",
      supplyDate: "2025-03-01",
      dueDate: "2025-03-31",
      subtotal: 1190.5,
      taxTotal: 0,
      taxes: [],
      total: 1190.5,
      amountPaid: 0,
      balance: 1190.5,
      notes: "From the old system",
      externalId: "old-17",
      items: [
        { item: null, description: `Open balance of invoice ${invoiceNumber}`, quantity: 1, rate: 1190.5 },
      ],
    })
    expect((await shop.get("customers", customer.id)).outstandingBalance).toBe(1190.5)
    const { id } = await byNumber(invoiceNumber)
    const history = (await api.get(`/invoices/${id}/history`)).body.data
    expect(history).toHaveLength(1)
    expect(history[0]).toMatchObject({
      action: "invoices.create",
      actorName: "admin",
      changes: { invoiceNumber: { from: null, to: invoiceNumber }, isOpening: { from: null, to: true } },
    })
  })

  test("names its customer by number, by external id or by id, and they must agree", async () => {
    const customer = await shop.customer({ externalId: "by-external-id" })
    const other = await shop.customer()
    const common = { invoiceDate: "2025-03-01", balance: 1 }
    const named = [
      { customerNumber: customer.customerNumber.toLowerCase() },
      { customerExternalId: "by-external-id" },
      { customer: customer.id },
      { customer: customer.id, customerNumber: customer.customerNumber },
    ]
    const rows = named.map((names, i) => ({ invoiceNumber: `Named ${i}`, ...common, ...names }))
    expect(await importOpening(api, rows)).toEqual([])
    expect((await shop.get("customers", customer.id)).outstandingBalance).toBe(4)
    const both = { customer: other.id, customerNumber: customer.customerNumber }
    expect(await faultsOf(both)).toEqual(["customer"])
    expect(await faultsOf({ customer: null })).toEqual(["customerNumber"])
    expect(await faultsOf({ customer: null, customerNumber: "CUST-99999" })).toEqual(["customerNumber"])
    expect(await faultsOf({ customer: null, customerExternalId: "nobody" })).toEqual(["customerExternalId"])
  })

  test("has the last day and month that are typed without a year", async () => {
    const [, month, date] = day(1).split("-")
    const { invoiceDate, dueDate } = await opening({
      invoiceDate: `${date}.${month}.`,
      dueDate: `${date}.${month}`,
    })
    expect([invoiceDate < day(-300), dueDate]).toEqual([true, day(1)])
  })

  test("may be that of an inactive customer, in a closed period", async () => {
    const customer = await shop.customer()
    await api.put(`/customers/${customer.id}`, { isActive: false })
    await api.put("/settings", { lockedUntil: day(-1) })
    const invoice = await opening({ customer: customer.id, invoiceDate: "2024-01-31" })
    expect(invoice).toMatchObject({ status: "unpaid", customer: customer.id })
    await api.put("/settings", { lockedUntil: null })
  })

  test("is refused with all its errors together", async () => {
    const empty = { invoiceNumber: "", customerNumber: "" }
    const row = { ...empty, invoiceDate: "2025-02-31", dueDate: "soon", balance: 0, notes: "\u0007" }
    const faults = await importOpening(api, [row])
    expect(faults.map(({ field }) => field).toSorted()).toEqual([
      "balance",
      "customerNumber",
      "dueDate",
      "invoiceDate",
      "invoiceNumber",
      "notes",
    ])
    expect(await faultsOf({ balance: 1.005 })).toEqual(["balance"])
    expect(await faultsOf({ balance: -1 })).toEqual(["balance"])
    expect(await faultsOf({ balance: 1e12 })).toEqual(["balance"])
    expect(await faultsOf({ invoiceDate: "2025-03-02", dueDate: "2025-03-01" })).toEqual(["dueDate"])
  })

  test("has a number and an external id that no other invoice has", async () => {
    await opening({ invoiceNumber: "Twice-1", externalId: "twice" })
    const { invoiceNumber } = await shop.invoice()
    expect(await faultsOf({ invoiceNumber: "TWICE-1", externalId: "twice" })).toEqual([
      "invoiceNumber",
      "externalId",
    ])
    expect(await faultsOf({ invoiceNumber })).toEqual(["invoiceNumber"])
    const customer = (await shop.customer()).id
    const row = { invoiceNumber: "Twice-2", customer, invoiceDate: "2025-03-01", balance: 1 }
    expect((await importOpening(api, [row, row])).map((fault) => [fault.row, fault.field])).toEqual([
      [2, "invoiceNumber"],
      [3, "invoiceNumber"],
    ])
    expect(await byNumber("Twice-2")).toBeUndefined()
  })

  test("has a number that differs from others in more than its case, in every alphabet", async () => {
    await opening({ invoiceNumber: "RÉ-1" })
    await opening({ invoiceNumber: "ΣΑΣ-1" })
    for (const invoiceNumber of ["ré-1", "Ré-1", "σας-1", "RE\u0301-1"])
      expect([invoiceNumber, await faultsOf({ invoiceNumber })]).toEqual([invoiceNumber, ["invoiceNumber"]])
    expect(await faultsOf({ invoiceNumber: "RE-1" })).toEqual([])
  })

  test("can be filtered by, and is found in the list and in the search", async () => {
    const { id, buyer } = await opening({ invoiceNumber: "Faktura 2024/4711" })
    const list = async (query: string) =>
      (await api.get(`/invoices?${query}`)).body.data.map((invoice: { id: string }) => invoice.id)
    expect(await list(`customer=${buyer.id}&isOpening=true`)).toEqual([id])
    expect(await list(`customer=${buyer.id}&isOpening=false`)).toEqual([])
    expect(await list("search=2024/4711")).toEqual([id])
    expect(await list("invoiceNumber=Faktura 2024/4711")).toEqual([id])
    for (const typed of ["Faktura 2024/4711", "faktura 2024/4711", "4711"]) {
      const { invoices } = (await api.get(`/search?q=${typed}`)).body.data
      expect([typed, invoices[0]?.id]).toEqual([typed, id])
    }
  })

  test("cannot be created by other requests", async () => {
    const body = { customer: (await shop.customer()).id, items: [{ description: "A", quantity: 1, rate: 1 }] }
    expect(refusalOf(await api.post("/invoices", { ...body, isOpening: true })).fields).toEqual(["isOpening"])
    expect(refusalOf(await api.post("/invoices", { ...body, invoiceNumber: "X-1" })).fields).toEqual([
      "invoiceNumber",
    ])
  })

  test("can get another due date and other notes, and nothing else", async () => {
    const { id } = await opening()
    const answer = await api.put(`/invoices/${id}`, { dueDate: "2025-06-30", notes: "Agreed by phone" })
    expect(answer.body.data).toMatchObject({ dueDate: "2025-06-30", notes: "Agreed by phone", balance: 119 })
    const lines = [{ description: "B", quantity: 1, rate: 200 }]
    expect(refusalOf(await api.put(`/invoices/${id}`, { items: lines })).code).toBe("DOCUMENT_LOCKED")
    expect((await api.put(`/invoices/${id}`, { isOpening: false })).body.data.isOpening).toBeTrue()
  })
})

describe("The number of an opening invoice", () => {
  test("must not be one that the present format can produce", async () => {
    for (const invoiceNumber of ["INV-2024-00017", "inv-2031-123456"])
      expect(await faultsOf({ invoiceNumber })).toEqual(["invoiceNumber"])
    // A counter of 0, one with too few digits or with zeros in front, and other text are not numbers of the format.
    for (const invoiceNumber of [
      "INV-2024-00000",
      "INV-2024-0017",
      "INV-2024-012345",
      "INV-2024-00017A",
      "INV-24-00017",
    ])
      expect(await faultsOf({ invoiceNumber })).toEqual([])
  })

  test("must not be one that a past format could produce, if that gave a number", async () => {
    const { numberFormats } = await settings()
    const use = (invoices: string) => api.put("/settings", { numberFormats: { ...numberFormats, invoices } })
    expect((await use("OLD{YY}{MM}-{##}")).status).toBe(200)
    await shop.invoice()
    expect((await use(numberFormats.invoices)).status).toBe(200)
    expect(await faultsOf({ invoiceNumber: "OLD2412-07" })).toEqual(["invoiceNumber"])
    expect(await faultsOf({ invoiceNumber: "OLD2413-07" })).toEqual([])
  })

  test("may look like a number of a format that gave none", async () => {
    const own = await serve()
    const admin = await signIn(own)
    const { numberFormats } = (await admin.get("/settings")).body.data
    const customer = (await admin.create("/customers", { name: "A" })).id
    const row = { invoiceNumber: "INV-2024-00017", customer, invoiceDate: "2024-03-01", balance: 1 }
    expect(await importOpening(admin, [row])).toMatchObject([{ row: 2, field: "invoiceNumber" }])
    await admin.put("/settings", { numberFormats: { ...numberFormats, invoices: "K-{YYYY}-{####}" } })
    expect(await importOpening(admin, [row])).toEqual([])
    const back = await admin.put("/settings", { numberFormats })
    expect(back.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [
        {
          field: "numberFormats.invoices",
          code: "RULE",
          params: { rule: "NUMBER_TAKEN", value: "INV-2024-00017" },
        },
      ],
    })
    await own.stop()
  })

  test("forbids the formats that can produce it, and no others", async () => {
    await opening({ invoiceNumber: "Rech 2412/0815" })
    const { numberFormats } = await settings()
    const refused = { status: 422, code: "VALIDATION_ERROR", fields: ["numberFormats.invoices"] }
    for (const format of [
      "RECH {YY}{MM}/{####}",
      "RECH {YYYY}/{####}",
      "RECH 2412/{####}",
      "RECH {####}/0815",
    ]) {
      const answer = await api.put("/settings", { numberFormats: { ...numberFormats, invoices: format } })
      expect({ format, ...refusalOf(answer) }).toEqual({ format, ...refused })
    }
    for (const format of ["RECH {MM}{YY}/{####}", "RECH {YYYY}/{###}", "RECH {YYYY}/A{###}"]) {
      const answer = await api.put("/settings", { numberFormats: { ...numberFormats, invoices: format } })
      expect([format, answer.status]).toEqual([format, 200])
    }
    expect((await api.put("/settings", { numberFormats })).status).toBe(200)
  })

  test("may be that of another kind of document", async () => {
    const { orderNumber } = await shop.order()
    await opening({ invoiceNumber: orderNumber })
  })
})

describe("In the figures, an opening invoice", () => {
  test("is a receivable, by its age, and no sale", async () => {
    const before = await summary()
    await opening({ invoiceDate: day(-45), dueDate: day(-40), balance: 500 })
    const after = await summary()
    expect(after.salesByMonth).toEqual(before.salesByMonth)
    expect(after.receivables.total).toBeCloseTo(before.receivables.total + 500, 2)
    expect(after.receivables.overdue).toBeCloseTo(before.receivables.overdue + 500, 2)
    expect(after.receivables.buckets[2].count).toBe(before.receivables.buckets[2].count + 1)
    expect(after.counts.openInvoices).toBe(before.counts.openInvoices + 1)
  })

  test("counts on past days from its own date on", async () => {
    const at = async (date: string) =>
      (await api.get(`/reports/summary?at=${date}`)).body.data.receivables.total
    const before = [await at(day(-20)), await at(day(-10))] as const
    await opening({ invoiceDate: day(-15), balance: 70 })
    expect(await at(day(-20))).toBeCloseTo(before[0], 2)
    expect(await at(day(-10))).toBeCloseTo(before[1] + 70, 2)
  })

  test("uses the credit limit of its customer", async () => {
    const { buyer } = await opening({ balance: 900 })
    await api.put(`/customers/${buyer.id}`, { creditLimit: 1000 })
    await api.put("/settings", { creditPolicy: "block" })
    const order = { customer: buyer.id, items: [{ description: "A", quantity: 1, rate: 200 }] }
    const answer = await api.post("/sales-orders", { ...order, status: "submitted" })
    await api.put("/settings", { creditPolicy: "warn" })
    const isOver = refusalOf(answer).code === "CREDIT_LIMIT_EXCEEDED"
    expect(isOver || answer.body.warnings.length > 0).toBeTrue()
  })
})

describe("Money for an opening invoice", () => {
  test("is paid like that for any other, on its own dates", async () => {
    const { id, buyer } = await opening({ balance: 100 })
    await api.put("/settings", { lockedUntil: day(-5) })
    const late = await shop.pay(id, 40, { paymentDate: day(-6) })
    expect(refusalOf(late)).toMatchObject({ code: "PERIOD_LOCKED" })
    const paid = (await shop.pay(id, 40)).body.data
    expect(await shop.get("invoices", id)).toMatchObject({ status: "partially_paid", balance: 60 })
    expect(refusalOf(await shop.pay(id, 61)).code).toBe("OVERPAYMENT")
    expect(refusalOf(await shop.status("invoices", id, "cancelled")).code).toBe("INVOICE_HAS_PAYMENTS")
    await shop.pay(id, 60)
    expect(await shop.get("invoices", id)).toMatchObject({ status: "paid", balance: 0 })
    expect((await shop.get("customers", buyer.id)).outstandingBalance).toBe(0)
    expect((await api.delete(`/invoices/${id}/payments/${paid.id}`)).status).toBe(204)
    expect(await shop.get("invoices", id)).toMatchObject({ status: "partially_paid", balance: 40 })
    await api.put("/settings", { lockedUntil: null })
  })

  test("comes from payments of the customer, oldest first, and from credit notes", async () => {
    const { id, buyer } = await opening({ balance: 100 })
    const item = await shop.item({ sellingPrice: 50 })
    const newer = await shop.invoice({ customer: buyer.id, items: [{ item: item.id, quantity: 1 }] })
    await shop.pay(newer.id, 50)
    const note = await api.create(`/invoices/${newer.id}/credit-notes`, { reason: "Broken" })
    const applied = await api.post(`/credit-notes/${note.id}/applications`, { invoice: id, amount: 50 })
    expect(applied.status).toBe(201)
    const payment = await api.create("/payments", { customer: buyer.id, amount: 60 })
    expect(payment).toMatchObject({ unallocated: 10, allocations: [{ invoice: id, amount: 50 }] })
    expect(await shop.get("invoices", id)).toMatchObject({ status: "paid", balance: 0 })
  })

  test("is written off by cancelling it, whatever the period and the way of correcting", async () => {
    const { id, buyer } = await opening({ balance: 100 })
    await api.put("/settings", { lockedUntil: day(-1), correctBy: "credit-note" })
    const answer = await shop.status("invoices", id, "cancelled", { reason: "Insolvent" })
    await api.put("/settings", { lockedUntil: null, correctBy: "cancel" })
    expect(answer.body.data).toMatchObject({
      status: "cancelled",
      balance: 0,
      cancelReason: "Insolvent",
      creditedTotal: 0,
      creditNotes: [],
    })
    expect((await shop.get("customers", buyer.id)).outstandingBalance).toBe(0)
    expect((await api.get(`/stock-movements?sourceId=${id}`)).body.data).toEqual([])
  })
})

describe("The document of an opening invoice is that of another system:", () => {
  test("there is no paper and no e-invoice", async () => {
    const { id, invoiceNumber } = await opening()
    for (const path of ["print", "pdf", "pdf?language=de", "xml", "e-invoice"]) {
      const answer = await api.get(`/invoices/${id}/${path}`)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "OPENING_INVOICE", fields: ["isOpening"] })
      expect(answer.body.error.message).toContain(`Invoice ${invoiceNumber} was issued by another system`)
    }
  })

  test("it can neither be credited nor copied", async () => {
    const { id } = await opening()
    const answer = await api.post(`/invoices/${id}/credit-notes`, { reason: "Broken" })
    expect(refusalOf(answer)).toEqual({ status: 422, code: "OPENING_INVOICE", fields: ["isOpening"] })
    const copied = await api.post(`/invoices/${id}/duplicate`)
    expect(refusalOf(copied)).toEqual({ status: 422, code: "OPENING_INVOICE", fields: ["isOpening"] })
  })

  test("it can be deleted and imported again, as long as it was never paid", async () => {
    const { id, buyer, invoiceNumber } = await opening({ balance: 100 })
    expect((await api.delete(`/invoices/${id}`)).status).toBe(204)
    expect((await shop.get("customers", buyer.id)).outstandingBalance).toBe(0)
    const again = await opening({ invoiceNumber, customer: buyer.id, balance: 80 })
    expect((await shop.get("customers", buyer.id)).outstandingBalance).toBe(80)
    const payment = (await shop.pay(again.id, 30)).body.data
    const refused = { status: 422, code: "DOCUMENT_LOCKED", fields: ["status"] }
    expect(refusalOf(await api.delete(`/invoices/${again.id}`))).toEqual(refused)
    await api.delete(`/payments/${payment.id}`)
    // The voided payment still names the invoice.
    expect(refusalOf(await api.delete(`/invoices/${again.id}`))).toEqual(refused)
    const written = await opening({ customer: buyer.id, balance: 5 })
    await shop.status("invoices", written.id, "cancelled")
    expect((await api.delete(`/invoices/${written.id}`)).status).toBe(204)
    expect((await shop.get("customers", buyer.id)).outstandingBalance).toBe(80)
  })
})

test("With opening invoices in every status, our numbers have no gaps and the file is sound", async () => {
  const first = (await shop.invoice()).numberCounter
  const [paid, part, cancelled] = [await opening(), await opening(), await opening(), await opening()]
  await shop.pay(paid.id, 119)
  await shop.pay(part?.id, 19)
  await shop.status("invoices", cancelled?.id, "cancelled")
  expect((await shop.invoice()).numberCounter).toBe(first + 1)
  const checked = await run(["check"], { cwd: kontor.cwd })
  expect(checked).toMatchObject({ code: 0, stderr: "" })
})
