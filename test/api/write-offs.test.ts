// What nobody will pay of an invoice is written off: the balance is lower, and the sale stays as it was.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { importOpening } from "../support/opening"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
type Named = Record<string, any>
const password = "a fine password"
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

/** An issued invoice of 100. */
async function issued(over: object = {}): Promise<Named> {
  const customer = (await shop.customer()).id
  const items = [{ description: "Work", quantity: 1, rate: 100 }]
  return api.create("/invoices", { customer, items, status: "unpaid", ...over })
}
const writeOff = (invoice: string, amount: unknown, over: object = {}, by = api) =>
  by.post(`/invoices/${invoice}/write-offs`, { amount, reason: "Bank charges", ...over })
const invoiceOf = (id: string): Promise<Named> => shop.get("invoices", id)
const owedBy = async (customer: string): Promise<number> =>
  (await shop.get("customers", customer)).outstandingBalance
const done = (answer: Answer): Named => {
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.data
}
const latestEvent = async (): Promise<string> => (await api.get("/events?after=latest")).body.meta.next
/** The types of the events of an invoice after a position. */
const typesAfter = async (position: string, id: string): Promise<string[]> =>
  (await api.get(`/events?after=${position}&limit=100`)).body.data
    .filter((event: Named) => event.recordId === id)
    .map(({ type }: Named) => type)

describe("a write-off", () => {
  test("of the rest makes the invoice paid, and the event is written-off", async () => {
    const invoice = await issued()
    await shop.pay(invoice.id, 98.5)
    const position = await latestEvent()
    const answer = await writeOff(invoice.id, 1.5)
    const made = done(answer)
    expect(answer.headers.get("location")).toBe(`/api/v1/invoices/${invoice.id}/write-offs/${made.id}`)
    expect(made).toEqual({
      id: expect.stringMatching(/^wof_[0-9a-z]{26}$/),
      invoice: invoice.id,
      amount: 1.5,
      reason: "Bank charges",
      writeOffDate: day(0),
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
    })
    expect(await invoiceOf(invoice.id)).toMatchObject({
      status: "paid",
      paidAt: expect.any(String),
      total: 100,
      amountPaid: 98.5,
      writtenOff: 1.5,
      balance: 0,
      writeOffs: [made],
      allowedTransitions: [],
      version: 3,
    })
    expect(await owedBy(invoice.customer)).toBe(0)
    const types = await typesAfter(position, invoice.id)
    expect(types).toContain("invoices.written-off")
    expect(types).not.toContain("invoices.paid")
    const path = `/invoices/${invoice.id}/write-offs`
    expect((await api.get(path)).body).toMatchObject({ data: [made], meta: { total: 1 } })
    expect((await api.get(`${path}?amount[gt]=2`)).body.data).toEqual([])
    expect((await api.get(`${path}/${made.id}`)).body.data).toEqual(made)
    expect((await api.get(`${path}/wof_none`)).status).toBe(404)
  })

  test("of a part leaves the rest to pay, and a payment of that is the event paid", async () => {
    const invoice = await issued({ dueDate: day(0), invoiceDate: day(-1) })
    const position = await latestEvent()
    done(await writeOff(invoice.id, 40))
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "partially_paid", balance: 60 })
    expect(await owedBy(invoice.customer)).toBe(60)
    expect(await typesAfter(position, invoice.id)).toEqual(["invoices.updated"])
    expect(refusalOf(await shop.pay(invoice.id, 60.01))).toMatchObject({ code: "OVERPAYMENT" })
    await shop.pay(invoice.id, 60)
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: "paid", amountPaid: 60, writtenOff: 40 })
    expect(await typesAfter(position, invoice.id)).toContain("invoices.paid")
  })

  test("is voided: the balance is back, also without payments", async () => {
    const invoice = await issued()
    const first = done(await writeOff(invoice.id, 99))
    const second = done(await writeOff(invoice.id, 1))
    const path = `/invoices/${invoice.id}/write-offs`
    const stale = await api.call("DELETE", `${path}/${second.id}`, undefined, { "if-match": '"1"' })
    expect(stale.status).toBe(412)
    for (const { id } of [second, first]) expect((await api.delete(`${path}/${id}`)).status).toBe(204)
    expect((await api.delete(`${path}/${first.id}`)).status).toBe(404)
    expect(await invoiceOf(invoice.id)).toMatchObject({
      status: "unpaid",
      paidAt: null,
      writtenOff: 0,
      balance: 100,
      writeOffs: [],
      allowedTransitions: ["cancelled"],
    })
    expect(await owedBy(invoice.customer)).toBe(100)
    const history = (await api.get(`/invoices/${invoice.id}/history?action=invoices.write-off`)).body.data
    expect(history.map(({ changes }: Named) => changes)).toContainEqual({
      writeOff: { from: null, to: first.id },
      amount: { from: null, to: 99 },
      reason: { from: null, to: "Bank charges" },
    })
    expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(200)
  })

  test("keeps the invoice from being credited and cancelled", async () => {
    const invoice = await issued()
    await shop.pay(invoice.id, 60)
    done(await writeOff(invoice.id, 40))
    const refused = { status: 422, code: "INVOICE_HAS_WRITE_OFFS" }
    const cancelled = await shop.status("invoices", invoice.id, "cancelled")
    expect(refusalOf(cancelled)).toEqual({ ...refused, fields: ["status"] })
    const credited = await api.post(`/invoices/${invoice.id}/credit-notes`, { reason: "Returned" })
    expect(refusalOf(credited)).toEqual({ ...refused, fields: ["invoice"] })
    expect(credited.body.error.params).toEqual({ number: invoice.invoiceNumber })
  })

  test("goes with an opening invoice, which can then not be deleted", async () => {
    const customer = (await shop.customer()).id
    const invoiceNumber = "RE/old-1"
    expect(
      await importOpening(api, [{ invoiceNumber, customer, invoiceDate: "2025-03-01", balance: 119 }]),
    ).toEqual([])
    const { id } = (await api.get(`/invoices/by/invoiceNumber/${encodeURIComponent(invoiceNumber)}`)).body
      .data
    const made = done(await writeOff(id, 119))
    expect(await invoiceOf(id)).toMatchObject({ status: "paid", balance: 0, writtenOff: 119 })
    expect(await owedBy(customer)).toBe(0)
    await api.delete(`/invoices/${id}/write-offs/${made.id}`)
    expect(refusalOf(await api.delete(`/invoices/${id}`))).toMatchObject({ code: "DOCUMENT_LOCKED" })
  })

  test.each([
    [{ amount: 0 }, ["amount"]],
    [{ amount: -1 }, ["amount"]],
    [{ amount: 100.01 }, ["amount"]],
    [{ amount: 1.234 }, ["amount"]],
    [{ amount: "1" }, ["amount"]],
    [{ reason: "" }, ["reason"]],
    [{ reason: null }, ["reason"]],
    [{ reason: "x".repeat(501) }, ["reason"]],
    [{ writeOffDate: "2026-02-30" }, ["writeOffDate"]],
    [{ writeOffDate: "2020-01-01" }, ["writeOffDate"]],
    [{ method: "Cash" }, ["method"]],
  ])("is refused with %j", async (over, fields) => {
    const { id } = await issued()
    const answer = await writeOff(id, 1, over)
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields })
    expect(await invoiceOf(id)).toMatchObject({ writtenOff: 0, balance: 100, version: 1 })
  })

  test("is refused of a draft, of a cancelled invoice, of a paid one and of none", async () => {
    const draft = await issued({ status: "draft" })
    expect(refusalOf(await writeOff(draft.id, 1))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    const invoice = await issued()
    await shop.status("invoices", invoice.id, "cancelled")
    expect(refusalOf(await writeOff(invoice.id, 1))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    const paid = await issued()
    await shop.pay(paid.id, 100)
    const answer = await writeOff(paid.id, 0.01)
    expect(answer.body.error.details).toMatchObject([
      { field: "amount", code: "TOO_LARGE", params: { max: 0 } },
    ])
    expect((await writeOff("inv_none", 1)).status).toBe(404)
  })

  test("is not made or voided with a date in a closed period", async () => {
    const invoice = await issued({ invoiceDate: day(-20) })
    const made = done(await writeOff(invoice.id, 1, { writeOffDate: day(-12) }))
    expect((await api.put("/settings", { lockedUntil: day(-10) })).status).toBe(200)
    const locked = { status: 422, code: "PERIOD_LOCKED", fields: ["writeOffDate"] }
    expect(refusalOf(await writeOff(invoice.id, 1, { writeOffDate: day(-10) }))).toEqual(locked)
    expect(refusalOf(await api.delete(`/invoices/${invoice.id}/write-offs/${made.id}`))).toEqual(locked)
    done(await writeOff(invoice.id, 1))
    expect((await api.put("/settings", { lockedUntil: null })).status).toBe(200)
  })

  test("counts in the receivables of a past day from its date until it was voided", async () => {
    const totalAt = async (date: string): Promise<number> =>
      (await api.get(`/reports/summary?at=${date}`)).body.data.receivables.total
    const days = [day(-6), day(-4), day(-3), day(0)]
    const before = await Promise.all(days.map(totalAt))
    const added = async () =>
      (await Promise.all(days.map(totalAt))).map((total, i) => Math.round(total - (before[i] ?? 0)))
    const invoice = await issued({ invoiceDate: day(-5) })
    const made = done(await writeOff(invoice.id, 30, { writeOffDate: day(-3) }))
    expect(await added()).toEqual([0, 100, 70, 70])
    await api.delete(`/invoices/${invoice.id}/write-offs/${made.id}`)
    expect(await added()).toEqual([0, 100, 70, 100])
  })

  test("is made once per Idempotency-Key, and not at all in a dry run", async () => {
    const { id } = await issued()
    const key = { "idempotency-key": crypto.randomUUID() }
    const body = { amount: 10, reason: "Rounding" }
    const answers = [1, 2].map(() => api.call("POST", `/invoices/${id}/write-offs`, body, key))
    const [one, two] = await Promise.all(answers)
    expect(one?.body.data.id).toBe(two?.body.data.id)
    const dry = await api.post(`/invoices/${id}/write-offs?dryRun=true`, body)
    expect(dry).toMatchObject({ status: 201, body: { data: { amount: 10 } } })
    expect(await invoiceOf(id)).toMatchObject({ writtenOff: 10, balance: 90 })
  })

  test("of many at once never takes more than the balance", async () => {
    const { id, customer } = await issued()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? writeOff(id, 30) : shop.pay(id, 30))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await invoiceOf(id)).toMatchObject({ status: "partially_paid", balance: 10 })
    expect(await owedBy(customer)).toBe(10)
  })

  test.each([
    ["viewer", 403],
    ["sales", 403],
    ["shop", 403],
    ["accountant", 201],
    ["manager", 201],
  ])("can be made by the role %s: %i", async (role, status) => {
    const email = `${role}.write-offs@example.com`
    await api.create("/users", { email, name: role, role, password })
    const by = await signIn(kontor, email, password)
    const { id } = await issued()
    const answer = await writeOff(id, 5, {}, by)
    expect(answer.status).toBe(status)
    const { id: made } = status === 201 ? answer.body.data : done(await writeOff(id, 5))
    const voided = await by.delete(`/invoices/${id}/write-offs/${made}`)
    expect(voided.status).toBe(status === 201 ? 204 : 403)
    expect((await by.get(`/invoices/${id}/write-offs`)).status).toBe(200)
  })
})
