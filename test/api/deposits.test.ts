// Deposits on orders: what is asked for before it is supplied, and what later invoices deduct of it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Answer, type Api, refusalOf, send, signIn } from "../support/api"
import { problemsInRows } from "../support/check"
import { testedAs } from "../support/engine"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let items: { full: string; reduced: string }
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  await api.put("/settings", { legalName: "Nordlicht GmbH", currency: "EUR", timeZone: "UTC" })
  const full = await shop.item({ itemType: "Service", sellingPrice: 33.33, taxRate: 19 })
  const reduced = await shop.item({ itemType: "Service", sellingPrice: 7.77, taxRate: 7 })
  items = { full: full.id, reduced: reduced.id }
})
afterAll(cleanUp)

/** A submitted order with two tax rates: 333.30 + 19 % and 23.31 + 7 %, together 421.57. */
const ordered = (over: object = {}): Promise<Named> =>
  shop.submitted({
    items: [
      { item: items.full, quantity: 10 },
      { item: items.reduced, quantity: 3 },
    ],
    ...over,
  })
const ask = (order: Named, body: object) => api.post(`/sales-orders/${order["id"]}/deposit-invoices`, body)
async function asked(order: Named, body: object): Promise<Named> {
  const { status, body: answer } = await ask(order, body)
  expect([status, answer.error]).toEqual([201, undefined])
  return answer.data
}
async function paid(order: Named, body: object): Promise<Named> {
  const deposit = await asked(order, body)
  expect((await shop.pay(deposit["id"], deposit["total"])).status).toBe(201)
  return deposit
}
async function invoiced(order: Named, quantity?: number): Promise<Named> {
  const part = { items: [{ orderLine: order["items"][0].id, quantity }] }
  const { status, body } = await shop.bill(order["id"], quantity === undefined ? {} : part)
  expect([status, body.error]).toEqual([201, undefined])
  return { ...body.data, warnings: body.warnings }
}
const orderOf = (order: Named): Promise<Named> => shop.get("sales-orders", order["id"])
const cents = (amount: number): number => Math.round(amount * 100)
/** The tax of documents per rate, in cents. */
function taxesOf(documents: Named[], field = "taxes"): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { rate, base, tax } of documents.flatMap((each) => each[field]))
    for (const [name, amount] of [
      ["base", base],
      ["tax", tax],
    ])
      sums[`${name} ${rate}`] = (sums[`${name} ${rate}`] ?? 0) + cents(amount)
  return sums
}
const checked = (): void => expect(problemsInRows(testedAs(kontor.file))).toEqual([])
/** A refusal with the values of its message. */
const refused = (answer: Answer) => ({ ...refusalOf(answer), params: answer.body.error?.params })

describe("A deposit", () => {
  test("is an issued invoice, taxed in proportion to the order, which takes nothing of it", async () => {
    const order = await ordered()
    const deposit = await asked(order, { percent: 30, notes: "Thank you" })
    expect(deposit).toMatchObject({
      invoiceType: "deposit",
      status: "unpaid",
      salesOrder: order["id"],
      total: 126.47,
      balance: 126.47,
      notes: "Thank you",
      deposits: [],
      depositTotal: 0,
      deductedTotal: 0,
      taxes: [
        { category: "S", rate: 19, base: 99.99, tax: 19 },
        { category: "S", rate: 7, base: 6.99, tax: 0.49 },
      ],
    })
    expect(
      deposit["items"].map(({ item, orderLine, quantity }: Named) => [item, orderLine, quantity]),
    ).toEqual([
      [null, null, 1],
      [null, null, 1],
    ])
    expect(deposit["items"][0].description).toBe(`Deposit of 30% for order ${order["orderNumber"]}`)
    expect(await orderOf(order)).toMatchObject({
      status: "submitted",
      invoiceStatus: "not_invoiced",
      invoicedTotal: 0,
      invoices: [],
      depositInvoices: [deposit["id"]],
      depositTotal: 126.47,
      deductedTotal: 0,
    })
  })

  test("in any split of the whole order has exactly the taxes of the order", async () => {
    const order = await ordered({ pricesIncludeTax: true })
    const parts = [{ percent: 33.33 }, { amount: 0.01 }, { amount: 99.99 }, { percent: 20 }]
    const deposits: Named[] = []
    for (const part of parts) deposits.push(await asked(order, part))
    const left = order["total"] - deposits.reduce((sum, { total }) => sum + total, 0)
    deposits.push(await asked(order, { amount: Math.round(left * 100) / 100 }))
    expect(taxesOf(deposits)).toEqual(taxesOf([order]))
    expect(refused(await ask(order, { amount: 0.01 }))).toMatchObject({
      status: 422,
      code: "DEPOSIT_TOO_LARGE",
      params: { max: 0 },
      fields: ["amount"],
    })
  })

  test("is refused of too much, of a draft, of nothing, and of both a percentage and an amount", async () => {
    const order = await ordered()
    const tooMuch = await ask(order, { amount: 421.58 })
    expect(refused(tooMuch)).toMatchObject({ code: "DEPOSIT_TOO_LARGE", params: { max: 421.57 } })
    await asked(order, { percent: 60 })
    expect((await ask(order, { percent: 41 })).body.error).toMatchObject({
      code: "DEPOSIT_TOO_LARGE",
      params: { max: 168.63 },
      details: [{ field: "percent", params: { max: 40.0004 } }],
    })
    for (const [body, field] of [
      [{}, "percent"],
      [{ percent: 10, amount: 10 }, "amount"],
      [{ amount: 0 }, "amount"],
      [{ percent: 0.0001 }, "percent"],
      [{ amount: 1.001 }, "amount"],
      [{ percent: 101 }, "percent"],
    ] as const)
      expect(refused(await ask(order, body))).toMatchObject({ code: "VALIDATION_ERROR", fields: [field] })
    const draft = await shop.order()
    expect(refused(await ask(draft, { percent: 10 }))).toMatchObject({ code: "ORDER_NOT_SUBMITTED" })
    expect((await ask({ id: "so_none" }, { percent: 10 })).status).toBe(404)
    const costly: Named = await shop.submitted({
      items: [{ description: "Machine", quantity: 2, rate: 900_000_000 }],
    })
    expect(refused(await ask(costly, { percent: 100 }))).toMatchObject({
      code: "VALIDATION_ERROR",
      fields: ["percent"],
    })
    expect((await ask(costly, { percent: 50 })).status).toBe(201)
    expect((await orderOf(order))["depositInvoices"]).toHaveLength(1)
  })

  test("asked for by a dry run stores nothing", async () => {
    const order = await ordered()
    const { status, body } = await api.post(`/sales-orders/${order["id"]}/deposit-invoices?dryRun=true`, {
      percent: 50,
    })
    expect([status, body.data.total]).toEqual([201, 210.79])
    expect((await orderOf(order))["depositInvoices"]).toEqual([])
  })

  test("counts once against the credit limit", async () => {
    const customer = (await shop.customer({ creditLimit: 500 })).id
    const order = await ordered({ customer })
    const creditOf = async () => {
      const { outstandingBalance, openOrdersValue } = await shop.get("customers", customer)
      return [outstandingBalance, openOrdersValue]
    }
    await paid(order, { amount: 100 })
    expect(await creditOf()).toEqual([0, 321.57])
    await asked(order, { amount: 21.57 })
    expect(await creditOf()).toEqual([21.57, 300])
    await invoiced(order)
    expect(await creditOf()).toEqual([21.57 + 321.57, 0])
  })
})

describe("An invoice of an order with deposits", () => {
  test("deducts what is paid of them, and all parts add up to the order", async () => {
    const order = await ordered()
    const deposits = [await paid(order, { percent: 30 }), await paid(order, { amount: 50 })]
    const first = await invoiced(order, 3)
    expect(first).toMatchObject({
      invoiceType: "standard",
      total: 118.99,
      depositTotal: 118.99,
      balance: 0,
      status: "paid",
    })
    expect(first["deposits"]).toMatchObject([
      { invoice: deposits[0]?.["id"], number: deposits[0]?.["invoiceNumber"] },
    ])
    const last = await invoiced(order)
    expect(last).toMatchObject({
      invoiceType: "final",
      total: 302.58,
      depositTotal: 57.48,
      balance: 245.1,
      status: "unpaid",
    })
    expect(last["deposits"].map(({ number, net, tax }: Named) => [number, cents(net + tax)])).toEqual([
      [deposits[0]?.["invoiceNumber"], 748],
      [deposits[1]?.["invoiceNumber"], 5000],
    ])
    // What is asked for with deposits is deducted, to the cent and per rate.
    expect(taxesOf([...first["deposits"], ...last["deposits"]])).toEqual(taxesOf(deposits))
    expect(taxesOf([first, last])).toEqual(taxesOf([order]))
    const done = await orderOf(order)
    expect(done).toMatchObject({
      status: "completed",
      depositTotal: 176.47,
      deductedTotal: 176.47,
      invoicedTotal: 421.57,
    })
    expect(done["invoices"]).toEqual([first["id"], last["id"]])
    // The customer pays what is left, so it is found by that.
    const { data: hits } = (await api.get("/search?q=245.1")).body
    expect(hits["invoices"].map(({ id }: { id: string }) => id)).toContain(last["id"])
    expect((await shop.pay(last["id"], 245.1)).status).toBe(201)
    checked()
  })

  test("deducts only what is paid of a deposit, and warns of the rest, also in a dry run", async () => {
    const order = await ordered()
    const deposit = await asked(order, { amount: 100 })
    await shop.pay(deposit["id"], 60)
    const trial = await api.post("/invoices/from-order?dryRun=true", { salesOrder: order["id"] })
    const warning = {
      code: "DEPOSIT_OPEN",
      params: { number: deposit["invoiceNumber"], open: 40, currency: "EUR" },
    }
    expect(trial.body).toMatchObject({
      data: { depositTotal: 60 },
      warnings: expect.arrayContaining([expect.objectContaining(warning)]),
    })
    const invoice = await invoiced(order)
    expect(invoice).toMatchObject({
      depositTotal: 60,
      balance: 361.57,
      warnings: expect.arrayContaining([expect.objectContaining(warning)]),
    })
    expect(await shop.get("invoices", deposit["id"])).toMatchObject({ deductedTotal: 60, balance: 40 })
  })

  test("warns of what is written off of a deposit, because that is not paid", async () => {
    const order = await ordered()
    const deposit = await asked(order, { amount: 100 })
    await shop.pay(deposit["id"], 60)
    await api.post(`/invoices/${deposit["id"]}/write-offs`, { amount: 40, reason: "Not paid" })
    expect(await invoiced(order)).toMatchObject({
      depositTotal: 60,
      warnings: expect.arrayContaining([
        expect.objectContaining({ code: "DEPOSIT_OPEN", params: expect.objectContaining({ open: 40 }) }),
      ]),
    })
  })

  test("gives the deposits back when it is cancelled, also with a credit note", async () => {
    for (const correctBy of ["cancel", "credit-note"]) {
      await api.put("/settings", { correctBy })
      const order = await ordered()
      const deposit = await paid(order, { amount: 100 })
      const invoice = await invoiced(order)
      expect((await shop.status("invoices", invoice["id"], "cancelled")).status).toBe(200)
      expect(await shop.get("invoices", deposit["id"])).toMatchObject({ deductedTotal: 0, status: "paid" })
      expect(await orderOf(order)).toMatchObject({ status: "submitted", deductedTotal: 0, depositTotal: 100 })
      const cancelled = await shop.get("invoices", invoice["id"])
      expect(cancelled).toMatchObject({
        balance: 0,
        depositTotal: 100,
        deposits: [{ invoice: deposit["id"] }],
      })
      const [note] = cancelled.creditNotes
      if (correctBy === "credit-note")
        expect(await shop.get("credit-notes", note)).toMatchObject({
          total: 421.57,
          depositTotal: 100,
          unapplied: 0,
        })
      const again = await invoiced(order)
      expect(again).toMatchObject({ depositTotal: 100, balance: 321.57 })
      expect(taxesOf(again["deposits"])).toEqual(taxesOf([deposit]))
    }
    await api.put("/settings", { correctBy: "cancel" })
    checked()
  })

  test("that is credited completely leaves the customer what the deposits paid", async () => {
    const order = await ordered()
    await paid(order, { amount: 100 })
    const invoice = await invoiced(order)
    const { body } = await api.post(`/invoices/${invoice["id"]}/credit-notes`, { reason: "Returned" })
    expect(body.data).toMatchObject({
      total: 421.57,
      appliedToInvoice: 321.57,
      unapplied: 100,
      depositTotal: 0,
    })
    checked()
  })
})

describe("Figures and papers", () => {
  test("sales, the statement and the balance count what is asked for once", async () => {
    const soldNow = async (): Promise<number> =>
      cents((await api.get("/reports/summary")).body.data.salesByMonth.at(-1).invoiced)
    const before = await soldNow()
    const customer = (await shop.customer()).id
    const order = await ordered({ customer })
    await paid(order, { amount: 100 })
    expect((await soldNow()) - before).toBe(10_000)
    const invoice = await invoiced(order)
    expect((await soldNow()) - before).toBe(42_157)
    const year = String(invoice["invoiceDate"]).slice(0, 4)
    const period = `from=${year}-01-01&to=${year}-12-31`
    const statement = (await api.get(`/customers/${customer}/statement?${period}`)).body.data
    expect(statement.movements.map(({ amount }: Named) => amount)).toEqual([100, -100, 321.57])
    expect(statement.closing).toBe(321.57)
    expect((await shop.get("customers", customer)).outstandingBalance).toBe(321.57)
    const found = (await api.get(`/reports/summary?at=${invoice["invoiceDate"]}`)).body.data.receivables.total
    expect((await api.get("/reports/summary")).body.data.receivables.total).toBe(found)
  })

  test("the PDFs say in the language of the customer what they are, and the last one what is left to pay", async () => {
    const order = await ordered({ customer: (await shop.customer({ language: "de" })).id })
    const deposit = await paid(order, { percent: 30 })
    const last = await invoiced(order)
    const login = { email: adminEmail, password: adminPassword }
    const { token } = (await send(`${kontor.url}/api/v1/auth/login`, { body: login })).body.data
    const textOf = async ({ id }: Named): Promise<string> => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${kontor.url}/api/v1/invoices/${id}/pdf`, { headers })
      return (await readPdf(await answer.bytes())).text
    }
    expect(await textOf(deposit)).toContain("Abschlagsrechnung")
    const text = await textOf(last)
    for (const part of ["Schlussrechnung", deposit["invoiceNumber"], "Zu zahlen", "295,10"])
      expect(text).toContain(part)
    expect(deposit["items"][0].description).toBe(
      `Abschlagszahlung 30\u00a0% auf Auftrag ${order["orderNumber"]}`,
    )
  })
})

describe("A deposit that is deducted", () => {
  test("cannot be cancelled, credited or left unpaid, as far as it is deducted", async () => {
    const order = await ordered()
    const deposit = await asked(order, { amount: 200 })
    const payment = (await shop.pay(deposit["id"], 150)).body.data
    await invoiced(order, 3)
    expect((await shop.get("invoices", deposit["id"])).deductedTotal).toBe(118.99)
    const expected = {
      status: 422,
      code: "DEPOSIT_DEDUCTED",
      params: { number: deposit["invoiceNumber"], deducted: 118.99 },
    }
    const credit = (amount: number) =>
      api.post(`/invoices/${deposit["id"]}/credit-notes`, {
        reason: "Less",
        items: [{ invoiceLine: deposit["items"][0].id, amount }],
      })
    expect(refused(await api.delete(`/invoices/${deposit["id"]}/payments/${payment.id}`))).toMatchObject(
      expected,
    )
    expect(refused(await api.delete(`/payments/${payment.id}`))).toMatchObject(expected)
    expect(refused(await shop.status("invoices", deposit["id"], "cancelled"))).toMatchObject(expected)
    const all = await api.post(`/invoices/${deposit["id"]}/credit-notes`, { reason: "All" })
    expect(refused(all)).toMatchObject({ ...expected, params: { ...expected.params, max: 81.01 } })
    expect((await credit(60)).status).toBe(201)
    expect(await orderOf(order)).toMatchObject({ depositTotal: 128.6 })
    checked()
  })

  test("cannot be credited at one tax rate by more than is left of it at that rate", async () => {
    const order = await ordered()
    const deposit = await paid(order, { percent: 100 })
    await invoiced(order, 5)
    const [full, reduced] = deposit["items"]
    const credit = (line: Named, amount: number) =>
      api.post(`/invoices/${deposit["id"]}/credit-notes`, {
        reason: "Less",
        items: [{ invoiceLine: line["id"], amount }],
      })
    // 198.31 of 421.57 are deducted: 186.59 of 396.63 at 19 %, and 11.73 of 24.94 at 7 %.
    expect(refused(await credit(reduced, 23.31))).toMatchObject({
      code: "DEPOSIT_DEDUCTED",
      fields: ["items"],
      params: { deducted: 198.31, max: 13.21 },
    })
    expect(await orderOf(order)).toMatchObject({ depositTotal: 421.57 })
    expect((await credit(reduced, 12.34)).status).toBe(201)
    expect((await credit(full, 176)).status).toBe(201)
    checked()
  })

  test("can be credited and cancelled before, and the order after that", async () => {
    const order = await ordered()
    const first = await paid(order, { amount: 100 })
    const second = await asked(order, { amount: 50 })
    for (const path of ["status", "amend"])
      expect(
        refused(
          path === "status"
            ? await shop.status("sales-orders", order["id"], "cancelled")
            : await api.post(`/sales-orders/${order["id"]}/amend`, {}),
        ),
      ).toMatchObject({ code: "ORDER_HAS_INVOICES" })
    expect((await shop.status("invoices", second["id"], "cancelled")).status).toBe(200)
    expect((await orderOf(order))["depositTotal"]).toBe(100)
    const note = (await api.post(`/invoices/${first["id"]}/credit-notes`, { reason: "Withdrawn" })).body.data
    expect(note).toMatchObject({ total: 100, unapplied: 100 })
    expect((await orderOf(order))["depositTotal"]).toBe(0)
    expect((await shop.status("sales-orders", order["id"], "cancelled")).status).toBe(200)
    expect((await api.delete(`/sales-orders/${order["id"]}`)).status).toBe(422)
    checked()
  })

  test("cannot be copied", async () => {
    const deposit = await asked(await ordered(), { percent: 10 })
    expect(refused(await api.post(`/invoices/${deposit["id"]}/duplicate`, {}))).toMatchObject({
      code: "DOCUMENT_LOCKED",
    })
  })
})

describe("A revision of an order with deposits", () => {
  const change = (order: Named, body: object) => api.patch(`/sales-orders/${order["id"]}`, body)

  test("cannot lower the total below what is asked for, and names the field that would", async () => {
    const order = await ordered()
    await asked(order, { percent: 50 })
    const [line] = order["items"]
    for (const [body, field] of [
      [{ discount: 100 }, "discount"],
      [{ discountAmount: 300 }, "discountAmount"],
      [{ items: [{ ...line, quantity: 1 }] }, "items"],
    ] as const)
      expect(refused(await change(order, body))).toMatchObject({ code: "ORDER_IN_PROGRESS", fields: [field] })
    expect(await orderOf(order)).toMatchObject({ revision: 1, total: 421.57 })
  })

  test("changes the rest, also if more is asked for than the order has, because an invoice did not deduct it", async () => {
    const order = await ordered()
    await asked(order, { amount: 300 })
    expect(await invoiced(order, 5)).toMatchObject({ total: 198.31, depositTotal: 0 })
    expect((await change(order, { buyerReference: "PO-4711" })).status).toBe(200)
    const more = order["items"].map(({ id, item }: Named, i: number) => ({ id, item, quantity: i ? 3 : 11 }))
    expect((await change(order, { items: more })).status).toBe(200)
    expect(refused(await change(order, { items: order["items"] }))).toMatchObject({
      code: "ORDER_IN_PROGRESS",
    })
    checked()
  })
})
