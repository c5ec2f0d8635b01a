import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { inFile, withoutReferences } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const today = day(0)
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

const settings = async (values: object) => expect((await api.put("/settings", values)).status).toBe(200)
const newCustomer = async (over: object = {}): Promise<string> => (await shop.customer(over)).id

async function issued(customer: string, rate = 100, over: object = {}): Promise<Named> {
  const items = [{ description: "Work", quantity: 1, rate }]
  return api.create("/invoices", { customer, items, status: "unpaid", ...over })
}

const pay = (customer: string, amount: unknown, over: object = {}) =>
  api.post("/payments", { customer, amount, ...over })
const paid = (customer: string, amount: number, over: object = {}): Promise<Named> =>
  api.create("/payments", { customer, amount, ...over })
const allocate = (payment: string, invoice: string, amount: unknown) =>
  api.post(`/payments/${payment}/allocations`, { invoice, amount })
const refund = (payment: string, amount: unknown, over: object = {}) =>
  api.post(`/payments/${payment}/refunds`, { amount, ...over })
const done = (answer: Answer): Named => {
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.data
}
const paymentOf = (id: string): Promise<Named> => shop.get("payments", id)
const invoiceOf = (id: string): Promise<Named> => shop.get("invoices", id)
const figuresOf = async (customer: string) => {
  const { outstandingBalance, creditBalance } = await shop.get("customers", customer)
  return { outstandingBalance, creditBalance }
}
const partsOf = ({ allocations }: Named) => allocations.map(({ invoice, amount }: Named) => [invoice, amount])
const rowOf = (table: "payments" | "settlements", id: string) =>
  inFile(
    kontor,
    (db) => db.query(`SELECT * FROM ${table} WHERE id = ?`).get(id) as Record<string, unknown> | null,
  )
const details = ({ body }: Answer) =>
  body.error.details.map(({ field, code, params }: Named) => [field, code, params?.rule ?? null])

async function memberOf(role: string): Promise<Api> {
  const [email, password] = [`${role}.payments@example.com`, "a fine password"]
  await api.create("/users", { email, name: role, role, password })
  return signIn(kontor, email, password)
}

describe("POST /payments", () => {
  test("records a payment of a customer, and pays an invoice", async () => {
    const customer = await newCustomer({ name: "Nordlicht" })
    const invoice = await issued(customer)
    const answer = await pay(customer, 130, {
      paymentDate: day(-1),
      method: "Bank transfer",
      reference: "RF18",
      notes: "Two lines,\nas typed",
      externalId: "psp-1",
      metadata: { psp: "1" },
    })
    const payment = done(answer)
    expect(answer.headers.get("location")).toBe(`/api/v1/payments/${payment.id}`)
    expect(payment).toEqual({
      id: expect.stringMatching(/^pay_[0-9a-z]{26}$/),
      customer,
      customerName: "Nordlicht",
      invoice: invoice.id,
      amount: 130,
      paymentDate: day(-1),
      method: "Bank transfer",
      reference: "RF18",
      notes: "Two lines,\nas typed",
      externalId: "psp-1",
      metadata: { psp: "1" },
      allocated: 100,
      refunded: 0,
      unallocated: 30,
      allocations: [
        {
          id: expect.stringMatching(/^alc_[0-9a-z]{26}$/),
          invoice: invoice.id,
          invoiceNumber: invoice.invoiceNumber,
          amount: 100,
          allocationDate: day(-1),
          createdBy: expect.stringMatching(/^usr_/),
          createdAt: payment.createdAt,
        },
      ],
      refunds: [],
      createdBy: expect.stringMatching(/^usr_/),
      version: 1,
      createdAt: expect.any(String),
      updatedAt: payment.createdAt,
    })
    expect(await paymentOf(payment.id)).toEqual(payment)
    expect(await invoiceOf(invoice.id)).toMatchObject({
      status: "paid",
      amountPaid: 100,
      balance: 0,
      payments: [
        {
          id: payment.id,
          invoice: invoice.id,
          amount: 100,
          paymentDate: day(-1),
          method: "Bank transfer",
          reference: "RF18",
          notes: "Two lines,\nas typed",
          externalId: "psp-1",
        },
      ],
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 30 })
  })

  test("without allocations pays what is due first, then the lower number, and leaves the rest", async () => {
    const customer = await newCustomer()
    const dates = { invoiceDate: day(-30) }
    const late = await issued(customer, 10, { ...dates, dueDate: day(30) })
    const second = await issued(customer, 20, { ...dates, dueDate: day(-5) })
    const third = await issued(customer, 30, { ...dates, dueDate: day(-5) })
    const first = await issued(customer, 40, { ...dates, dueDate: day(-10) })
    await issued(customer, 50, { status: "draft", ...dates, dueDate: day(-20) })
    const cancelled = await issued(customer, 60, { ...dates, dueDate: day(-20) })
    await shop.status("invoices", cancelled.id, "cancelled")
    await issued(await newCustomer(), 70, { ...dates, dueDate: day(-20) })
    const payment = await paid(customer, 65)
    expect(partsOf(payment)).toEqual([
      [first.id, 40],
      [second.id, 20],
      [third.id, 5],
    ])
    expect(payment).toMatchObject({ invoice: null, allocated: 65, unallocated: 0 })
    const rest = await paid(customer, 100)
    expect(partsOf(rest)).toEqual([
      [third.id, 25],
      [late.id, 10],
    ])
    expect(rest).toMatchObject({ invoice: null, allocated: 35, unallocated: 65 })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 65 })
    const nothing = await paid(customer, 5)
    expect(nothing).toMatchObject({ invoice: null, allocations: [], unallocated: 5 })
  })

  test("compares numbers by their counter, not letter by letter", async () => {
    const [{ body }, customer] = [await api.get("/settings"), await newCustomer()]
    const { numberFormats } = body.data
    await settings({ numberFormats: { invoices: "P-{#}" } })
    const invoices: Named[] = []
    for (let i = 0; i < 11; i++) invoices.push(await issued(customer, 1))
    await settings({ numberFormats: { invoices: numberFormats.invoices } })
    expect(invoices.map(({ invoiceNumber }) => invoiceNumber).at(-1)).toBe("P-11")
    expect(partsOf(await paid(customer, 11))).toEqual(invoices.map(({ id }) => [id, 1]))
  })

  test("with allocations pays exactly these", async () => {
    const customer = await newCustomer()
    const [a, b, c] = [await issued(customer), await issued(customer), await issued(customer)]
    const payment = await paid(customer, 250, {
      allocations: [
        { invoice: c.id, amount: 100 },
        { invoice: a.id, amount: 33.33 },
      ],
    })
    expect(partsOf(payment).toSorted()).toEqual(
      [
        [c.id, 100],
        [a.id, 33.33],
      ].toSorted(),
    )
    expect(payment).toMatchObject({ invoice: null, allocated: 133.33, unallocated: 116.67 })
    expect(await invoiceOf(a.id)).toMatchObject({ status: "partially_paid", balance: 66.67 })
    expect(await invoiceOf(b.id)).toMatchObject({ status: "unpaid", payments: [] })
    expect(await invoiceOf(c.id)).toMatchObject({ status: "paid" })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 166.67, creditBalance: 116.67 })
  })

  test("with allocations: [] pays nothing yet", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const payment = await paid(customer, 100, { allocations: [] })
    expect(payment).toMatchObject({ invoice: null, allocations: [], allocated: 0, unallocated: 100 })
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "unpaid", balance: 100 })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 100 })
  })

  test("is refused with invalid allocations, and stores nothing", async () => {
    const customer = await newCustomer()
    const [own, draft] = [await issued(customer), await issued(customer, 10, { status: "draft" })]
    const foreign = await issued(await newCustomer())
    const missing = "inv_01kb2qk3dvb6r8h5m9x4w7z2nc"
    const to = (invoice: unknown, amount: unknown) => ({ invoice, amount })
    const cases: [Named[], string, unknown[][]][] = [
      [
        [to(own.id, 60), to(own.id, 10)],
        "VALIDATION_ERROR",
        [["allocations[1].invoice", "RULE", "REPEATED"]],
      ],
      [[to(own.id, 90), to(foreign.id, 20)], "VALIDATION_ERROR", [["allocations", "TOO_LARGE", null]]],
      [[to(missing, 1)], "VALIDATION_ERROR", [["allocations[0].invoice", "NOT_FOUND", null]]],
      [
        [to(own.id, 1), to(foreign.id, 2)],
        "VALIDATION_ERROR",
        [["allocations[1].invoice", "RULE", "OTHER_CUSTOMER"]],
      ],
      [[to(draft.id, 1)], "DOCUMENT_LOCKED", [["status", "RULE", "STATUS"]]],
      [[to(own.id, 1.005)], "VALIDATION_ERROR", [["allocations[0].amount", "FORMAT", null]]],
      [[to(own.id, 0)], "VALIDATION_ERROR", [["allocations[0].amount", "TOO_SMALL", null]]],
      [[{ amount: 1 }], "VALIDATION_ERROR", [["allocations[0].invoice", "REQUIRED", null]]],
      [[{ invoice: own.id }], "VALIDATION_ERROR", [["allocations[0].amount", "REQUIRED", null]]],
    ]
    const before = (await api.get(`/payments?customer=${customer}`)).body.meta.total
    for (const [allocations, code, expected] of cases) {
      const answer = await pay(customer, 100, { allocations })
      expect([allocations, answer.status, answer.body.error?.code, details(answer)]).toEqual([
        allocations,
        422,
        code,
        expected,
      ])
    }
    const over = await pay(customer, 200, { allocations: [to(own.id, 100.01)] })
    expect(refusalOf(over)).toEqual({ status: 422, code: "OVERPAYMENT", fields: ["allocations[0].amount"] })
    expect(over.body.error.details[0].params).toEqual({ max: 100, currency: "USD" })
    expect((await api.get(`/payments?customer=${customer}`)).body.meta.total).toBe(before)
    expect(await invoiceOf(own.id)).toMatchObject({ amountPaid: 0, version: 1 })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 0 })
  })

  test("is refused without a customer or a valid amount", async () => {
    const customer = await newCustomer()
    expect(details(await api.post("/payments", {})).map(([field]: string[]) => field)).toEqual([
      "customer",
      "amount",
    ])
    expect(details(await pay("cus_01kb2qk3dvb6r8h5m9x4w7z2nc", 5))).toEqual([["customer", "NOT_FOUND", null]])
    for (const amount of [0, -1, 0.001, "5", null])
      expect([amount, refusalOf(await pay(customer, amount))]).toMatchObject([
        amount,
        { status: 422, fields: ["amount"] },
      ])
    expect(refusalOf(await pay(customer, 5, { paymentDate: "2026-02-30" }))).toMatchObject({
      fields: ["paymentDate"],
    })
    expect(refusalOf(await pay(customer, 5, { invoice: "inv_1" }))).toMatchObject({ fields: ["invoice"] })
  })

  test("can be recorded for an inactive customer, who still owes", async () => {
    const customer = await newCustomer()
    await issued(customer)
    await api.put(`/customers/${customer}`, { isActive: false })
    expect(await paid(customer, 100)).toMatchObject({ allocated: 100 })
  })

  test("makes the customer undeletable, also after it was voided", async () => {
    const customer = await newCustomer()
    const { id } = await paid(customer, 5)
    for (let i = 0; i < 2; i++) {
      expect(refusalOf(await api.delete(`/customers/${customer}`))).toMatchObject({
        status: 422,
        code: "RECORD_IN_USE",
      })
      await api.delete(`/payments/${id}`)
    }
  })
})

describe("reading payments", () => {
  test("lists all, by customer, invoice and date, also those of one invoice", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const single = (await shop.pay(a.id, 10, { paymentDate: day(-3) })).body.data
    const both = await paid(customer, 150, { paymentDate: day(-2), reference: "Both", method: "Card" })
    const ids = async (query: string) =>
      (await api.get(`/payments?customer=${customer}&${query}`)).body.data.map(({ id }: Named) => id)
    expect(await ids("sort=paymentDate&order=asc")).toEqual([single.id, both.id])
    expect(await ids(`invoice=${a.id}`)).toEqual([single.id])
    expect(await ids("invoice[null]=true")).toEqual([both.id])
    expect(await ids("search=both")).toEqual([both.id])
    expect(await ids("amount[gt]=100")).toEqual([both.id])
    expect(await ids(`paymentDate[lte]=${day(-3)}`)).toEqual([single.id])
    // The invoice shows the part, with the id of the payment.
    expect(await paymentOf(both.id)).toMatchObject({ amount: 150, invoice: null })
    const list = (await api.get(`/invoices/${b.id}/payments`)).body
    expect(list.meta.total).toBe(1)
    expect(list.data).toEqual((await invoiceOf(b.id)).payments)
    expect(list.data[0]).toEqual({
      id: both.id,
      invoice: b.id,
      amount: 60,
      paymentDate: day(-2),
      method: "Card",
      reference: "Both",
      notes: null,
      externalId: null,
      metadata: {},
      createdBy: both.createdBy,
      createdAt: both.createdAt,
    })
    expect((await api.get(`/invoices/${b.id}/payments/${both.id}`)).body.data).toEqual(list.data[0])
    expect((await api.get(`/invoices/${b.id}/payments/${single.id}`)).status).toBe(404)
    expect((await api.get("/payments/pay_none")).status).toBe(404)
  })

  test("a payment recorded on an invoice is a payment of its customer", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const { id } = (await shop.pay(invoice.id, 40, { externalId: "on-invoice" })).body.data
    expect(await paymentOf(id)).toMatchObject({
      customer,
      invoice: invoice.id,
      amount: 40,
      allocated: 40,
      unallocated: 0,
      allocations: [{ invoice: invoice.id, amount: 40 }],
    })
    expect(refusalOf(await shop.pay(invoice.id, 60.01))).toMatchObject({ code: "OVERPAYMENT" })
  })

  test("finds one by its external id", async () => {
    const payment = await paid(await newCustomer(), 5, { externalId: "ext 1/2" })
    const path = `/payments/by/externalId/${encodeURIComponent("ext 1/2")}`
    expect((await api.get(path)).body.data.id).toBe(payment.id)
    expect((await api.get("/payments/by/externalId/none")).status).toBe(404)
  })

  test("has an ETag: 304 when it is known, and another one after each change", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 100)
    const path = `/payments/${payment.id}`
    const tag = async () => (await api.get(path)).headers.get("etag") ?? ""
    const tags = [await tag()]
    expect((await api.get(path, { "if-none-match": tags[0] ?? "" })).status).toBe(304)
    const invoice = await issued(customer)
    const { id } = done(await allocate(payment.id, invoice.id, 10))
    tags.push(await tag())
    await api.delete(`${path}/allocations/${id}`)
    tags.push(await tag())
    expect(new Set(tags).size).toBe(3)
    expect((await api.get(path, { "if-none-match": tags[0] ?? "" })).status).toBe(200)
    expect((await api.delete(path, { "if-match": tags[0] ?? "" })).status).toBe(412)
    expect((await api.delete(path, { "if-match": tags[2] ?? "" })).status).toBe(204)
  })

  test("has a history", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const { id } = await paid(customer, 150)
    const { id: refunded } = done(await refund(id, 50))
    await api.delete(`/payments/${id}/refunds/${refunded}`)
    await api.delete(`/invoices/${invoice.id}/payments/${id}`)
    const actionsOf = async (path: string): Promise<string[]> =>
      (await api.get(`/${path}/history?sort=createdAt&order=asc`)).body.data.map(
        ({ action }: Named) => action,
      )
    const actions = await actionsOf(`payments/${id}`)
    expect(actions.slice(0, 3)).toEqual(["payments.create", "payments.refund", "payments.refund-removed"])
    const own = await actionsOf(`invoices/${invoice.id}`)
    expect(own.filter((action) => action.startsWith("invoices.payment"))).toEqual([
      "invoices.payment",
      "invoices.payment-removed",
    ])
  })
})

describe("an allocation", () => {
  test("pays an invoice with what is left of a payment", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 100, { paymentDate: day(-3) })
    const invoice = await issued(customer, 80)
    const answer = await allocate(payment.id, invoice.id, 30)
    const allocation = done(answer)
    expect(answer.headers.get("location")).toBe(`/api/v1/payments/${payment.id}/allocations/${allocation.id}`)
    expect(allocation).toMatchObject({
      invoice: invoice.id,
      invoiceNumber: invoice.invoiceNumber,
      amount: 30,
      allocationDate: today,
    })
    expect(await paymentOf(payment.id)).toMatchObject({
      invoice: invoice.id,
      allocated: 30,
      unallocated: 70,
      allocations: [allocation],
    })
    expect(await invoiceOf(invoice.id)).toMatchObject({
      status: "partially_paid",
      amountPaid: 30,
      balance: 50,
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 50, creditBalance: 70 })
  })

  test("to the same invoice again is an allocation of its own, and the invoice shows the payment once", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 100)
    const invoice = await issued(customer, 80)
    const first = done(await allocate(payment.id, invoice.id, 30))
    const second = done(await allocate(payment.id, invoice.id, 50))
    expect([first.amount, second.amount]).toEqual([30, 50])
    expect(await paymentOf(payment.id)).toMatchObject({ invoice: invoice.id, allocations: [first, second] })
    const shown = { id: payment.id, amount: 80 }
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "paid", amountPaid: 80, payments: [shown] })
    const { body } = await api.get(`/invoices/${invoice.id}/payments`)
    expect(body).toMatchObject({ data: [shown], meta: { total: 1 } })
    expect((await api.delete(`/payments/${payment.id}/allocations/${first.id}`)).status).toBe(204)
    expect(await invoiceOf(invoice.id)).toMatchObject({ amountPaid: 50, payments: [{ amount: 50 }] })
    done(await allocate(payment.id, invoice.id, 10))
    expect((await api.delete(`/invoices/${invoice.id}/payments/${payment.id}`)).status).toBe(204)
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "unpaid", amountPaid: 0, payments: [] })
    expect(await paymentOf(payment.id)).toMatchObject({ unallocated: 100, allocations: [] })
  })

  test("is refused above what is left, above the balance, and to other invoices", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 50)
    const [own, small] = [await issued(customer), await issued(customer, 10)]
    const foreign = await issued(await newCustomer())
    const draft = await issued(customer, 10, { status: "draft" })
    expect(refusalOf(await allocate(payment.id, own.id, 50.01))).toEqual({
      status: 422,
      code: "INSUFFICIENT_CREDIT",
      fields: ["amount"],
    })
    expect(refusalOf(await allocate(payment.id, small.id, 10.01))).toMatchObject({ code: "OVERPAYMENT" })
    expect(details(await allocate(payment.id, foreign.id, 1))).toEqual([
      ["invoice", "RULE", "OTHER_CUSTOMER"],
    ])
    expect(refusalOf(await allocate(payment.id, draft.id, 1))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    expect(details(await allocate(payment.id, "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", 1))).toEqual([
      ["invoice", "NOT_FOUND", null],
    ])
    for (const amount of [0, -1, 1.234, "1"])
      expect(refusalOf(await allocate(payment.id, own.id, amount))).toMatchObject({ fields: ["amount"] })
    expect((await allocate("pay_none", own.id, 1)).status).toBe(404)
    expect(await paymentOf(payment.id)).toMatchObject({ allocated: 0, version: 1 })
  })

  test("is voided: its amount is unallocated again, and the row stays in the file", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const payment = await paid(customer, 150)
    const [first, second] = payment.allocations
    const path = `/payments/${payment.id}/allocations/${second.id}`
    expect((await api.delete(path, { "if-match": '"9"' })).status).toBe(412)
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.delete(path)).status).toBe(404)
    expect(await paymentOf(payment.id)).toMatchObject({
      invoice: a.id,
      allocated: 100,
      unallocated: 50,
      allocations: [first],
    })
    expect(await invoiceOf(b.id)).toMatchObject({
      status: "unpaid",
      amountPaid: 0,
      payments: [],
      balance: 100,
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 50 })
    expect(rowOf("settlements", second.id)).toMatchObject({
      kind: "allocation",
      amount: 5000,
      voided_at: expect.any(String),
      voided_by: payment.createdBy,
    })
    for (const other of [
      `/payments/${payment.id}/refunds/${first.id}`,
      `/payments/${(await paid(customer, 1)).id}/allocations/${first.id}`,
    ])
      expect((await api.delete(other)).status).toBe(404)
  })
})

describe("a refund of a payment", () => {
  test("gives back what is left, and is voided again", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 100)
    const answer = await refund(payment.id, 60, { refundDate: day(-1), method: "Card", reference: "X" })
    const refunded = done(answer)
    expect(answer.headers.get("location")).toBe(`/api/v1/payments/${payment.id}/refunds/${refunded.id}`)
    expect(refunded).toMatchObject({ amount: 60, refundDate: day(-1), method: "Card", reference: "X" })
    expect(await paymentOf(payment.id)).toMatchObject({
      amount: 100,
      refunded: 60,
      unallocated: 40,
      refunds: [refunded],
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 40 })
    expect(refusalOf(await refund(payment.id, 40.01))).toMatchObject({ code: "INSUFFICIENT_CREDIT" })
    const path = `/payments/${payment.id}/refunds/${refunded.id}`
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.delete(path)).status).toBe(404)
    expect(await paymentOf(payment.id)).toMatchObject({ refunded: 0, unallocated: 100, refunds: [] })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 100 })
    expect(rowOf("settlements", refunded.id)).toMatchObject({ kind: "refund", voided_at: expect.any(String) })
  })

  test("of what is allocated is refused", async () => {
    const customer = await newCustomer()
    await issued(customer)
    const payment = await paid(customer, 100)
    expect(refusalOf(await refund(payment.id, 1))).toMatchObject({ code: "INSUFFICIENT_CREDIT" })
    for (const amount of [0, -1, 1.234, "1"])
      expect(refusalOf(await refund(payment.id, amount))).toMatchObject({ status: 422, fields: ["amount"] })
    expect((await refund("pay_none", 1)).status).toBe(404)
  })
})

describe("DELETE through the invoice", () => {
  const remove = (invoice: Named, payment: Named, headers: Record<string, string> = {}) =>
    api.delete(`/invoices/${invoice.id}/payments/${payment.id}`, headers)

  test("voids a payment that pays only this invoice", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    for (const isOnInvoice of [true, false]) {
      const over = { externalId: "gone" }
      const payment = isOnInvoice
        ? (await shop.pay(invoice.id, 40, over)).body.data
        : await paid(customer, 40, over)
      expect((await remove(invoice, payment, { "if-match": '"99"' })).status).toBe(412)
      expect((await remove(invoice, payment)).status).toBe(204)
      expect((await remove(invoice, payment)).status).toBe(404)
      expect((await api.get(`/payments/${payment.id}`)).status).toBe(404)
      expect(rowOf("payments", payment.id)).toMatchObject({ amount: 4000, voided_at: expect.any(String) })
    }
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "unpaid", balance: 100, payments: [] })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 0 })
  })

  test("voids only the part of a payment that pays others too", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const payment = await paid(customer, 200)
    expect((await remove(a, payment)).status).toBe(204)
    expect(await paymentOf(payment.id)).toMatchObject({
      invoice: b.id,
      allocated: 100,
      unallocated: 100,
      allocations: [{ invoice: b.id }],
    })
    expect(await invoiceOf(a.id)).toMatchObject({ status: "unpaid", payments: [] })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 100 })
    // Now it has only one allocation, but something is unallocated.
    expect((await remove(b, payment)).status).toBe(204)
    expect(await paymentOf(payment.id)).toMatchObject({ invoice: null, allocated: 0, unallocated: 200 })
  })

  test("voids only the part if something of the payment is unallocated or refunded", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const left = await paid(customer, 120, { allocations: [{ invoice: a.id, amount: 100 }] })
    const refunded = await paid(customer, 120, { allocations: [{ invoice: b.id, amount: 100 }] })
    done(await refund(refunded.id, 20))
    for (const [invoice, payment, unallocated] of [
      [a, left, 120],
      [b, refunded, 100],
    ] as const) {
      expect((await remove(invoice, payment)).status).toBe(204)
      expect(await paymentOf(payment.id)).toMatchObject({ allocated: 0, unallocated, invoice: null })
      expect(await invoiceOf(invoice.id)).toMatchObject({ status: "unpaid", payments: [] })
    }
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 200, creditBalance: 220 })
  })

  test("is 404 for a payment of another invoice", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const payment = (await shop.pay(a.id, 40)).body.data
    expect((await remove(b, payment)).status).toBe(404)
    expect((await remove({ id: "inv_none" }, payment)).status).toBe(404)
  })
})

describe("DELETE /payments/{id}", () => {
  test("voids the whole with its allocations and refunds, and frees its external id", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const externalId = "void-me"
    const payment = await paid(customer, 300, { externalId })
    const refunded = done(await refund(payment.id, 60))
    expect((await api.delete(`/payments/${payment.id}`, { "if-match": '"1"' })).status).toBe(412)
    expect((await api.delete(`/payments/${payment.id}`)).status).toBe(204)
    for (const path of [
      `/payments/${payment.id}`,
      `/payments/by/externalId/${externalId}`,
      `/invoices/${a.id}/payments/${payment.id}`,
    ])
      expect([path, (await api.get(path)).status]).toEqual([path, 404])
    expect((await api.delete(`/payments/${payment.id}`)).status).toBe(404)
    expect((await refund(payment.id, 1)).status).toBe(404)
    expect((await allocate(payment.id, a.id, 1)).status).toBe(404)
    expect((await api.get(`/payments?customer=${customer}`)).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
    for (const { id } of [a, b])
      expect(await invoiceOf(id)).toMatchObject({ status: "unpaid", balance: 100, payments: [] })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 200, creditBalance: 0 })
    expect(rowOf("payments", payment.id)).toMatchObject({
      amount: 30000,
      external_id: externalId,
      voided_at: expect.any(String),
      voided_by: payment.createdBy,
    })
    for (const { id } of [...payment.allocations, refunded])
      expect(rowOf("settlements", id)).toMatchObject({ voided_at: expect.any(String) })
    const again = await paid(customer, 10, { externalId })
    const duplicate = await pay(customer, 10, { externalId })
    expect(duplicate.body.error.details).toMatchObject([
      { field: "externalId", code: "DUPLICATE", existing: again.id },
    ])
  })

  test("does not count in the report of sales any more", async () => {
    const paidThisMonth = async () => (await api.get("/reports/summary")).body.data.salesByMonth.at(-1).paid
    const customer = await newCustomer()
    const before = await paidThisMonth()
    const { id } = await paid(customer, 77)
    const between = await paidThisMonth()
    await api.delete(`/payments/${id}`)
    expect(await paidThisMonth()).toBe(before)
    expect(between).toBeGreaterThanOrEqual(before)
  })
})

describe("in a closed period", () => {
  const locked = (field: string) => ({ status: 422, code: "PERIOD_LOCKED", fields: [field] })

  test("payments, allocations and refunds are refused by their own date, and their removal too", async () => {
    const customer = await newCustomer()
    const [a, b] = [await issued(customer), await issued(customer)]
    const old = await paid(customer, 150, { paymentDate: day(-40) })
    const oldRefunded = await paid(customer, 50, { paymentDate: day(-20), allocations: [] })
    const refunded = done(await refund(oldRefunded.id, 10, { refundDate: day(-40) }))
    const rest = await paid(customer, 70, { paymentDate: day(-40), allocations: [] })
    await settings({ lockedUntil: day(-30) })
    expect(refusalOf(await pay(customer, 5, { paymentDate: day(-30) }))).toEqual(locked("paymentDate"))
    expect(refusalOf(await api.delete(`/payments/${old.id}`))).toEqual(locked("paymentDate"))
    const [, second] = old.allocations
    expect(refusalOf(await api.delete(`/payments/${old.id}/allocations/${second.id}`))).toEqual(
      locked("allocationDate"),
    )
    expect(refusalOf(await api.delete(`/invoices/${b.id}/payments/${old.id}`))).toEqual(
      locked("allocationDate"),
    )
    expect(refusalOf(await refund(rest.id, 5, { refundDate: day(-35) }))).toEqual(locked("refundDate"))
    const back = `/payments/${oldRefunded.id}`
    expect(refusalOf(await api.delete(`${back}/refunds/${refunded.id}`))).toEqual(locked("refundDate"))
    expect(refusalOf(await api.delete(back))).toEqual(locked("refundDate"))
    expect(await invoiceOf(a.id)).toMatchObject({ status: "paid" })
    // What happens today is open: the date of the payment does not count.
    const allocation = done(await allocate(rest.id, b.id, 20))
    expect(allocation.allocationDate).toBe(today)
    expect((await api.delete(`/payments/${rest.id}/allocations/${allocation.id}`)).status).toBe(204)
    done(await refund(rest.id, 5))
    await settings({ lockedUntil: today })
    expect(refusalOf(await allocate(rest.id, b.id, 20))).toEqual(locked("allocationDate"))
    await settings({ lockedUntil: null })
  })

  test("a later part of a payment that was allocated in it can be voided by itself", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer, 100, { invoiceDate: day(-50) })
    const allocations = [{ invoice: invoice.id, amount: 30 }]
    const payment = await paid(customer, 100, { paymentDate: day(-40), allocations })
    await settings({ lockedUntil: day(-30) })
    const { id } = done(await allocate(payment.id, invoice.id, 20))
    expect((await api.delete(`/payments/${payment.id}/allocations/${id}`)).status).toBe(204)
    const [first] = (await paymentOf(payment.id)).allocations
    const removed = await api.delete(`/payments/${payment.id}/allocations/${first.id}`)
    expect(refusalOf(removed)).toEqual(locked("allocationDate"))
    expect(await invoiceOf(invoice.id)).toMatchObject({ amountPaid: 30 })
    await settings({ lockedUntil: null })
  })
})

describe("rights", () => {
  test("shop records payments but refunds and voids none; sales and viewers only read; accountants do all", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer, 10_000)
    const payment = await paid(customer, 50, { allocations: [] })
    const kept = done(await allocate(payment.id, invoice.id, 1))
    const keptRefund = done(await refund(payment.id, 1))
    const path = `/payments/${payment.id}`
    const tries = async (by: Api) => [
      (await by.get(path)).status,
      (await by.post("/payments", { customer, amount: 1 })).status,
      (await by.post(`${path}/allocations`, { invoice: (await issued(customer)).id, amount: 1 })).status,
      (await by.post(`${path}/refunds`, { amount: 1 })).status,
      (await by.delete(`${path}/allocations/${kept.id}`)).status,
      (await by.delete(`${path}/refunds/${keptRefund.id}`)).status,
      (await by.delete(path)).status,
    ]
    expect(await tries(await memberOf("viewer"))).toEqual([200, 403, 403, 403, 403, 403, 403])
    expect(await tries(await memberOf("sales"))).toEqual([200, 403, 403, 403, 403, 403, 403])
    expect(await tries(await memberOf("shop"))).toEqual([200, 201, 201, 403, 403, 403, 403])
    expect(await tries(await memberOf("accountant"))).toEqual([200, 201, 201, 201, 204, 204, 204])
  })
})

describe("in parallel", () => {
  const together = (count: number, send: (i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i)))
  const good = (answers: Answer[]) => answers.filter(({ status }) => status < 300).length

  test("allocations and refunds never use more than a payment has", async () => {
    const customer = await newCustomer()
    const payment = await paid(customer, 100)
    const invoices = await Promise.all([0, 1, 2].map(() => issued(customer, 1_000)))
    const answers = await together(60, (i) =>
      i % 2 ? refund(payment.id, 5) : allocate(payment.id, invoices[i % 3]?.id, 5),
    )
    expect(good(answers)).toBe(20)
    const { allocated, refunded, unallocated } = await paymentOf(payment.id)
    expect([allocated + refunded, unallocated]).toEqual([100, 0])
  })

  test("payments never pay more than an invoice has, and the rest is credit", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer, 100)
    const answers = await together(40, (i) => (i % 2 ? pay(customer, 6) : shop.pay(invoice.id, 6)))
    const count = good(answers)
    const { amountPaid, balance } = await invoiceOf(invoice.id)
    expect(amountPaid + balance).toBe(100)
    expect(await figuresOf(customer)).toEqual({
      outstandingBalance: balance,
      creditBalance: count * 6 - amountPaid,
    })
    expect(good(answers.filter((_, i) => i % 2 === 1))).toBe(20)
  })

  test("a payment is voided once, however it is deleted", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const payment = await paid(customer, 100)
    const answers = await together(20, (i) =>
      api.delete(i % 2 ? `/payments/${payment.id}` : `/invoices/${invoice.id}/payments/${payment.id}`),
    )
    expect(good(answers)).toBe(1)
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 100, creditBalance: 0 })
  })
})

describe("a request", () => {
  test("as a dry run stores nothing", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const payment = await paid(customer, 50, { allocations: [] })
    const state = async () => [
      await invoiceOf(invoice.id),
      await paymentOf(payment.id),
      await shop.get("customers", customer),
      (await api.get("/payments")).body.meta.total,
    ]
    const before = await state()
    const dry = async (path: string, body: object) => {
      const answer = await api.post(`${path}?dryRun=true`, body)
      expect(answer).toMatchObject({ status: 201 })
      expect(answer.headers.get("dry-run")).toBe("true")
      return answer.body.data
    }
    expect(await dry("/payments", { customer, amount: 120, externalId: "dry" })).toMatchObject({
      allocated: 100,
      unallocated: 20,
    })
    await dry(`/payments/${payment.id}/allocations`, { invoice: invoice.id, amount: 5 })
    await dry(`/payments/${payment.id}/refunds`, { amount: 5 })
    expect((await api.delete(`/payments/${payment.id}?dryRun=true`)).status).toBeLessThan(300)
    expect(await state()).toEqual(before)
  })

  test("repeated with its Idempotency-Key is stored once", async () => {
    const customer = await newCustomer()
    const send = () =>
      api.post("/payments", { customer, amount: 5 }, { "idempotency-key": `pay-${customer}` })
    expect(done(await send())).toEqual(done(await send()))
    expect((await api.get(`/payments?customer=${customer}`)).body.meta.total).toBe(1)
  })

  test("with an unusual date only warns", async () => {
    const answer = await pay(await newCustomer(), 5, { paymentDate: day(40) })
    expect(answer.status).toBe(201)
    expect(answer.body.warnings).toMatchObject([{ code: "UNUSUAL_DATE", field: "paymentDate" }])
  })
})

test("an invoice has at most 1,000 payments and applications; a payment without allocations passes over it", async () => {
  const other = await serve()
  const own = await signIn(other)
  const customer = await own.create("/customers", { name: "Full" })
  const invoice = (rate: number, dueDate: string) =>
    own.create("/invoices", {
      customer: customer.id,
      items: [{ description: "Work", quantity: 1, rate }],
      invoiceDate: day(-3),
      dueDate,
      status: "unpaid",
    })
  const [full, next] = [await invoice(100, day(-3)), await invoice(5, today)]
  inFile(other, (db) => {
    withoutReferences(db)
    db.query(
      `WITH RECURSIVE part (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM part WHERE i < 1000)
       INSERT INTO settlements (id, kind, credit_note, invoice, amount, date, created_at)
       SELECT 'app_' || i, 'application', 'crn_1', ?, 1, '2026-01-01', '' FROM part`,
    ).run(full.id)
  })
  const pays = (over: object = {}) => own.post("/payments", { customer: customer.id, amount: 10, ...over })
  expect(partsOf(done(await pays()))).toEqual([[next.id, 5]])
  const named = await pays({ allocations: [{ invoice: full.id, amount: 1 }] })
  expect(details(named)).toEqual([["allocations[0].amount", "RULE", "TOO_MANY"]])
  const onInvoice = await own.post(`/invoices/${full.id}/payments`, { amount: 1 })
  expect(details(onInvoice)).toEqual([["amount", "RULE", "TOO_MANY"]])
  await other.stop()
})

describe("an amount", () => {
  test("that is too large to count is refused at its field", async () => {
    const customer = await newCustomer()
    await issued(customer, 10)
    for (const amount of [100_000_000_000.01, 1e15, Number.MAX_SAFE_INTEGER])
      for (const over of [{}, { allocations: [] }])
        expect(refusalOf(await pay(customer, amount, over))).toEqual({
          status: 422,
          code: "VALIDATION_ERROR",
          fields: ["amount"],
        })
  })

  test("of a payment fixes the currency", async () => {
    const other = await serve()
    const alone = await signIn(other)
    const { id } = await alone.create("/customers", { name: "First" })
    await alone.create("/payments", { customer: id, amount: 5.25 })
    expect(refusalOf(await alone.put("/settings", { currency: "JPY" }))).toMatchObject({
      fields: ["currency"],
    })
    expect((await alone.get(`/customers/${id}`)).body.data.creditBalance).toBe(5.25)
  })
})
