// What is left of a credit note: it pays other invoices or is refunded, and both can be voided.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Answer, type Api } from "../support/api"
import { inFile } from "../support/file"
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

async function issued(customer: string, rate = 100, over: object = {}): Promise<Named> {
  const items = [{ description: "Work", quantity: 1, rate }]
  return api.create("/invoices", { customer, items, status: "unpaid", ...over })
}

/** A customer with a credit note of 100 of a paid invoice, and another open invoice of 80. */
async function withCredit(over: { invoiceDate?: string; creditNoteDate?: string } = {}) {
  const customer = (await shop.customer()).id
  const { creditNoteDate, ...dates } = over
  const paid = await issued(customer, 100, dates)
  await shop.pay(paid.id, 100)
  const note = await api.create(`/invoices/${paid.id}/credit-notes`, { reason: "Returned", creditNoteDate })
  return { customer, paid, note, open: await issued(customer, 80, dates) }
}

const apply = (note: string, invoice: string, amount: unknown, over: object = {}) =>
  api.post(`/credit-notes/${note}/applications`, { invoice, amount, ...over })
const refund = (note: string, amount: unknown, over: object = {}) =>
  api.post(`/credit-notes/${note}/refunds`, { amount, ...over })
const done = (answer: Answer): Named => {
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.data
}
const noteOf = (id: string): Promise<Named> => shop.get("credit-notes", id)
const invoiceOf = (id: string): Promise<Named> => shop.get("invoices", id)
const figuresOf = async (customer: string) => {
  const { outstandingBalance, creditBalance } = await shop.get("customers", customer)
  return { outstandingBalance, creditBalance }
}
const rowOf = (id: string) =>
  inFile(
    kontor,
    (db) => db.query("SELECT * FROM settlements WHERE id = ?").get(id) as Record<string, unknown>,
  )
const actionsOf = async (path: string): Promise<string[]> =>
  (await api.get(`/${path}/history?perPage=100&sort=createdAt&order=asc`)).body.data.map(
    ({ action }: Named) => action,
  )

describe("an application", () => {
  test("pays another invoice of the customer with what is left of a credit note", async () => {
    const { customer, note, open } = await withCredit()
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 80, creditBalance: 100 })
    const answer = await apply(note.id, open.id, 30)
    const application = done(answer)
    expect(answer.headers.get("location")).toBe(
      `/api/v1/credit-notes/${note.id}/applications/${application.id}`,
    )
    expect(application).toEqual({
      id: expect.stringMatching(/^app_[0-9a-z]{26}$/),
      creditNote: note.id,
      creditNoteNumber: note.creditNoteNumber,
      invoice: open.id,
      invoiceNumber: open.invoiceNumber,
      amount: 30,
      applicationDate: today,
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
    })
    expect(await noteOf(note.id)).toMatchObject({
      status: "open",
      applied: 30,
      unapplied: 70,
      applications: [application],
      version: 2,
    })
    expect(await invoiceOf(open.id)).toMatchObject({
      status: "partially_paid",
      amountPaid: 0,
      creditApplied: 30,
      creditedTotal: 0,
      balance: 50,
      applications: [application],
      payments: [],
      allowedTransitions: [],
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 50, creditBalance: 70 })
  })

  test("of the whole balance makes an invoice paid, and of the whole rest a credit note settled", async () => {
    const { customer, note, open } = await withCredit()
    done(await apply(note.id, open.id, 80))
    const paid = await invoiceOf(open.id)
    expect(paid).toMatchObject({ status: "paid", balance: 0, creditApplied: 80 })
    expect(paid.paidAt).toEqual(expect.any(String))
    const next = await issued(customer, 20)
    done(await apply(note.id, next.id, 20))
    expect(await noteOf(note.id)).toMatchObject({ status: "settled", applied: 100, unapplied: 0 })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 0 })
  })

  test("goes together with payments and with a credit note of the invoice itself", async () => {
    const { customer, note, open } = await withCredit()
    done(await apply(note.id, open.id, 30))
    expect((await shop.pay(open.id, 20)).status).toBe(201)
    expect(await invoiceOf(open.id)).toMatchObject({ status: "partially_paid", balance: 30 })
    const own = await api.create(`/invoices/${open.id}/credit-notes`, { reason: "All wrong" })
    expect(own).toMatchObject({ total: 80, appliedToInvoice: 30, unapplied: 50 })
    expect(await invoiceOf(open.id)).toMatchObject({
      status: "credited",
      amountPaid: 20,
      creditApplied: 30,
      creditTaken: 30,
      creditedTotal: 80,
      balance: 0,
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 0, creditBalance: 120 })
  })

  test("keeps the invoice from being cancelled until it is voided", async () => {
    const { note, open } = await withCredit()
    const { id } = done(await apply(note.id, open.id, 30))
    const cancel = () => shop.status("invoices", open.id, "cancelled")
    expect(refusalOf(await cancel())).toEqual({
      status: 422,
      code: "INVOICE_HAS_CREDITS",
      fields: ["status"],
    })
    expect((await api.delete(`/credit-notes/${note.id}/applications/${id}`)).status).toBe(204)
    expect((await cancel()).status).toBe(200)
  })

  test("is refused above what is left of the credit note, and above the balance of the invoice", async () => {
    const { customer, note, open } = await withCredit()
    const large = await issued(customer, 500)
    const above = await apply(note.id, large.id, 100.01)
    expect(refusalOf(above)).toEqual({ status: 422, code: "INSUFFICIENT_CREDIT", fields: ["amount"] })
    expect(above.body.error).toMatchObject({
      params: { available: 100, currency: "USD" },
      details: [{ code: "TOO_LARGE", params: { max: 100 } }],
    })
    const over = await apply(note.id, open.id, 80.01)
    expect(refusalOf(over)).toEqual({ status: 422, code: "OVERPAYMENT", fields: ["amount"] })
    expect(over.body.error.details[0].params).toEqual({ max: 80, currency: "USD" })
    expect(await noteOf(note.id)).toMatchObject({ applied: 0, unapplied: 100, version: 1 })
  })

  test("is refused to an invoice of another customer, a draft, a cancelled one and one that does not exist", async () => {
    const { customer, note } = await withCredit()
    const other = await issued((await shop.customer()).id)
    const foreign = await apply(note.id, other.id, 1)
    expect(refusalOf(foreign)).toMatchObject({ status: 422, fields: ["invoice"] })
    expect(foreign.body.error.details[0].params).toEqual({ rule: "OTHER_CUSTOMER" })
    const draft = await issued(customer, 10, { status: "draft" })
    expect(refusalOf(await apply(note.id, draft.id, 1))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    const cancelled = await issued(customer, 10)
    await shop.status("invoices", cancelled.id, "cancelled")
    expect(refusalOf(await apply(note.id, cancelled.id, 1)).status).toBe(422)
    const missing = await apply(note.id, "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", 1)
    expect(missing.body.error.details).toMatchObject([{ field: "invoice", code: "NOT_FOUND" }])
    expect((await apply("crn_none", other.id, 1)).status).toBe(404)
    expect(await noteOf(note.id)).toMatchObject({ applied: 0, version: 1 })
  })

  test.each([
    [{}, ["invoice", "amount"]],
    [{ amount: 0 }, ["invoice", "amount"]],
    [{ amount: 1.234 }, ["invoice", "amount"]],
    [{ amount: -1, invoice: null }, ["invoice", "amount"]],
    [{ amount: "1", invoice: 5 }, ["invoice", "amount"]],
    [{ amount: 1, invoice: "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", applicationDate: "x" }, undefined],
    [{ amount: 1, invoice: "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", note: "x" }, undefined],
  ])("is refused with the body %j", async (body, fields) => {
    const { note } = await withCredit()
    const answer = await api.post(`/credit-notes/${note.id}/applications`, body)
    expect(answer.status).toBe(422)
    if (fields) expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })
})

describe("a refund", () => {
  test("gives back what is left of a credit note", async () => {
    const { customer, note } = await withCredit()
    const answer = await refund(note.id, 60, {
      method: "Bank transfer",
      reference: "R-1",
      refundDate: day(-1),
    })
    const first = done(answer)
    expect(answer.headers.get("location")).toBe(`/api/v1/credit-notes/${note.id}/refunds/${first.id}`)
    expect(first).toEqual({
      id: expect.stringMatching(/^rfd_[0-9a-z]{26}$/),
      amount: 60,
      refundDate: day(-1),
      method: "Bank transfer",
      reference: "R-1",
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 80, creditBalance: 40 })
    const second = done(await refund(note.id, 40))
    expect(second).toMatchObject({ refundDate: today, method: null, reference: null })
    expect(await noteOf(note.id)).toMatchObject({
      status: "settled",
      refunded: 100,
      unapplied: 0,
      refunds: [first, second],
    })
    expect(refusalOf(await refund(note.id, 0.01))).toEqual({
      status: 422,
      code: "INSUFFICIENT_CREDIT",
      fields: ["amount"],
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 80, creditBalance: 0 })
  })

  test("leaves the credited invoice as it is", async () => {
    const { note, paid } = await withCredit()
    const before = await invoiceOf(paid.id)
    done(await refund(note.id, 100))
    expect(await invoiceOf(paid.id)).toEqual(before)
  })

  test.each([{}, { amount: 0 }, { amount: -5 }, { amount: 0.001 }, { amount: "5" }, { amount: 5, to: "x" }])(
    "is refused with the body %j",
    async (body) => {
      const { note } = await withCredit()
      expect((await api.post(`/credit-notes/${note.id}/refunds`, body)).status).toBe(422)
      expect(await noteOf(note.id)).toMatchObject({ refunded: 0 })
    },
  )

  test("of a credit note that its invoice took completely is refused", async () => {
    const invoice = await issued((await shop.customer()).id)
    const note = await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "x" })
    expect(refusalOf(await refund(note.id, 1))).toMatchObject({ code: "INSUFFICIENT_CREDIT" })
    expect((await refund("crn_none", 1)).status).toBe(404)
  })
})

describe("voiding", () => {
  test("an application gives the amount back, and the row stays in the file", async () => {
    const { customer, note, open } = await withCredit()
    const { id } = done(await apply(note.id, open.id, 80))
    const path = `/credit-notes/${note.id}/applications/${id}`
    expect(rowOf(id)).toMatchObject({ kind: "application", amount: 8000, voided_at: null })
    expect((await api.delete(path)).status).toBe(204)
    expect(await noteOf(note.id)).toMatchObject({
      status: "open",
      applied: 0,
      unapplied: 100,
      applications: [],
    })
    expect(await invoiceOf(open.id)).toMatchObject({
      status: "unpaid",
      creditApplied: 0,
      balance: 80,
      applications: [],
      paidAt: null,
    })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 80, creditBalance: 100 })
    expect(rowOf(id)).toMatchObject({
      amount: 8000,
      credit_note: note.id,
      invoice: open.id,
      voided_at: expect.any(String),
      voided_by: expect.stringMatching(/^usr_/),
    })
    expect((await api.delete(path)).status).toBe(404)
    done(await apply(note.id, open.id, 80))
  })

  test("a refund gives the amount back, and the row stays in the file", async () => {
    const { customer, note } = await withCredit()
    const { id } = done(await refund(note.id, 100))
    const path = `/credit-notes/${note.id}/refunds/${id}`
    expect((await api.delete(path)).status).toBe(204)
    expect(await noteOf(note.id)).toMatchObject({ status: "open", refunded: 0, unapplied: 100, refunds: [] })
    expect(await figuresOf(customer)).toEqual({ outstandingBalance: 80, creditBalance: 100 })
    expect(rowOf(id)).toMatchObject({ kind: "refund", amount: 10000, voided_at: expect.any(String) })
    expect((await api.delete(path)).status).toBe(404)
  })

  test("needs the credit note and the kind that the part has", async () => {
    const { note, open } = await withCredit()
    const other = await withCredit()
    const application = done(await apply(note.id, open.id, 1))
    const refunded = done(await refund(note.id, 1))
    for (const path of [
      `/credit-notes/${other.note.id}/applications/${application.id}`,
      `/credit-notes/${other.note.id}/refunds/${refunded.id}`,
      `/credit-notes/${note.id}/refunds/${application.id}`,
      `/credit-notes/${note.id}/applications/${refunded.id}`,
      `/credit-notes/${note.id}/refunds/rfd_none`,
      `/credit-notes/crn_none/refunds/${refunded.id}`,
    ])
      expect([path, (await api.delete(path)).status]).toEqual([path, 404])
    expect(await noteOf(note.id)).toMatchObject({ applied: 1, refunded: 1 })
  })

  test("compares If-Match with the version of the credit note", async () => {
    const { note } = await withCredit()
    const { id } = done(await refund(note.id, 1))
    const remove = (tag: string) => api.delete(`/credit-notes/${note.id}/refunds/${id}`, { "if-match": tag })
    expect((await remove('"1"')).status).toBe(412)
    expect((await remove('"2"')).status).toBe(204)
  })
})

describe("in a closed period", () => {
  const refused = (field: string) => ({ status: 422, code: "PERIOD_LOCKED", fields: [field] })

  test("applications and refunds are refused by their own date, and their removal too", async () => {
    const { note, open } = await withCredit({ invoiceDate: day(-60), creditNoteDate: day(-50) })
    const application = done(await apply(note.id, open.id, 10, { applicationDate: day(-40) }))
    const refunded = done(await refund(note.id, 10, { refundDate: day(-40) }))
    const [later, laterRefund] = [done(await apply(note.id, open.id, 5)), done(await refund(note.id, 5))]
    await settings({ lockedUntil: day(-30) })
    expect(refusalOf(await apply(note.id, open.id, 1, { applicationDate: day(-30) }))).toEqual(
      refused("applicationDate"),
    )
    expect(refusalOf(await refund(note.id, 1, { refundDate: day(-35) }))).toEqual(refused("refundDate"))
    const path = `/credit-notes/${note.id}`
    expect(refusalOf(await api.delete(`${path}/applications/${application.id}`))).toEqual(
      refused("applicationDate"),
    )
    expect(refusalOf(await api.delete(`${path}/refunds/${refunded.id}`))).toEqual(refused("refundDate"))
    expect(await noteOf(note.id)).toMatchObject({ applied: 15, refunded: 15, unapplied: 70 })
    expect((await api.delete(`${path}/applications/${later.id}`)).status).toBe(204)
    expect((await api.delete(`${path}/refunds/${laterRefund.id}`)).status).toBe(204)
    expect((await refund(note.id, 1)).status).toBe(201)
    await settings({ lockedUntil: null })
  })
})

describe("rights", () => {
  test("shop may apply credit but not refund or void; sales and viewers may do neither; accountants all", async () => {
    const { note, open } = await withCredit()
    const member = async (role: string) => {
      const [email, password] = [`${role}.uses@example.com`, "a fine password"]
      await api.create("/users", { email, name: role, role, password })
      return signIn(kontor, email, password)
    }
    const [kept, keptRefund] = [done(await apply(note.id, open.id, 1)), done(await refund(note.id, 1))]
    const path = `/credit-notes/${note.id}`
    const tries = async (by: Api) => [
      (await by.post(`${path}/applications`, { invoice: open.id, amount: 1 })).status,
      (await by.post(`${path}/refunds`, { amount: 1 })).status,
      (await by.delete(`${path}/applications/${kept.id}`)).status,
      (await by.delete(`${path}/refunds/${keptRefund.id}`)).status,
    ]
    expect(await tries(await member("viewer"))).toEqual([403, 403, 403, 403])
    expect(await tries(await member("sales"))).toEqual([403, 403, 403, 403])
    expect(await tries(await member("shop"))).toEqual([201, 403, 403, 403])
    expect(await noteOf(note.id)).toMatchObject({ applied: 2, refunded: 1 })
    expect(await tries(await member("accountant"))).toEqual([201, 201, 204, 204])
    const key = await api.create("/api-keys", { name: "No delete", scopes: ["read", "write"] })
    const app = apiWith(kontor, { "x-api-key": key.key })
    expect((await app.delete(`${path}/refunds/${keptRefund.id}`)).status).toBe(403)
  })
})

describe("in parallel", () => {
  const together = (count: number, send: (i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i)))
  const good = (answers: Answer[]) => answers.filter(({ status }) => status === 201).length

  test("applications and refunds never use more than a credit note has", async () => {
    const { customer, note } = await withCredit()
    const large = await issued(customer, 1_000)
    const answers = await together(60, (i) => (i % 2 ? refund(note.id, 5) : apply(note.id, large.id, 5)))
    expect(good(answers)).toBe(20)
    const { applied, refunded, unapplied } = await noteOf(note.id)
    expect([applied + refunded, unapplied]).toEqual([100, 0])
    expect(await invoiceOf(large.id)).toMatchObject({ creditApplied: applied, balance: 1_000 - applied })
  })

  test("applications and payments never pay more than an invoice has", async () => {
    const { note, open } = await withCredit()
    const answers = await together(60, (i) => (i % 2 ? shop.pay(open.id, 4) : apply(note.id, open.id, 4)))
    expect(good(answers)).toBe(20)
    const { amountPaid, creditApplied, status } = await invoiceOf(open.id)
    expect([amountPaid + creditApplied, status]).toEqual([80, "paid"])
    expect(new Set(answers.map((each) => refusalOf(each).code))).toEqual(new Set([undefined, "OVERPAYMENT"]))
  })

  test("a part is voided once", async () => {
    const { note } = await withCredit()
    const { id } = done(await refund(note.id, 100))
    const answers = await together(20, () => api.delete(`/credit-notes/${note.id}/refunds/${id}`))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      204,
      ...Array.from({ length: 19 }, () => 404),
    ])
    expect(await noteOf(note.id)).toMatchObject({ refunded: 0, unapplied: 100 })
  })
})

describe("a request", () => {
  test("as a dry run stores nothing", async () => {
    const { customer, note, open } = await withCredit()
    const before = [await noteOf(note.id), await invoiceOf(open.id), await shop.get("customers", customer)]
    const path = `/credit-notes/${note.id}`
    const body = { invoice: open.id, amount: 5 }
    const application = await api.post(`${path}/applications?dryRun=true`, body)
    expect(application).toMatchObject({ status: 201, body: { data: { amount: 5 } } })
    expect(application.headers.get("dry-run")).toBe("true")
    expect((await api.post(`${path}/refunds?dryRun=true`, { amount: 5 })).status).toBe(201)
    expect((await api.post(`${path}/refunds?dryRun=true`, { amount: 500 })).status).toBe(422)
    expect([await noteOf(note.id), await invoiceOf(open.id), await shop.get("customers", customer)]).toEqual(
      before,
    )
  })

  test("repeated with its Idempotency-Key is stored once", async () => {
    const { note, open } = await withCredit()
    const send = (path: string, body: object) =>
      api.post(`/credit-notes/${note.id}/${path}`, body, { "idempotency-key": `${path}-${note.id}` })
    for (const [path, body] of [
      ["applications", { invoice: open.id, amount: 5 }],
      ["refunds", { amount: 5 }],
    ] as const)
      expect(done(await send(path, body)).id).toBe(done(await send(path, body)).id)
    expect(await noteOf(note.id)).toMatchObject({ applied: 5, refunded: 5 })
  })

  test("moves the ETag of both documents and of the customer", async () => {
    const { customer, note, open } = await withCredit()
    const tags = () =>
      Promise.all(
        [`credit-notes/${note.id}`, `invoices/${open.id}`, `customers/${customer}`].map(
          async (path) => (await api.get(`/${path}`)).headers.get("etag") ?? "",
        ),
      )
    const before = await tags()
    const { id } = done(await apply(note.id, open.id, 5))
    const between = await tags()
    await api.delete(`/credit-notes/${note.id}/applications/${id}`)
    const after = await tags()
    for (let i = 0; i < 3; i++) expect(new Set([before[i], between[i], after[i]]).size).toBe(3)
  })

  test("is in the history of the credit note and of the invoice", async () => {
    const { note, open } = await withCredit()
    const application = done(await apply(note.id, open.id, 80))
    const refunded = done(await refund(note.id, 5))
    await api.delete(`/credit-notes/${note.id}/applications/${application.id}`)
    await api.delete(`/credit-notes/${note.id}/refunds/${refunded.id}`)
    expect(await actionsOf(`credit-notes/${note.id}`)).toEqual([
      "credit-notes.create",
      "credit-notes.application",
      "credit-notes.refund",
      "credit-notes.application-removed",
      "credit-notes.refund-removed",
    ])
    const actions = await actionsOf(`invoices/${open.id}`)
    expect(actions.filter((action) => action.startsWith("invoices.application"))).toEqual([
      "invoices.application",
      "invoices.application-removed",
    ])
    expect(actions.filter((action) => action === "invoices.status").length).toBeGreaterThanOrEqual(2)
    const [, entry] = (await api.get(`/credit-notes/${note.id}/history?sort=createdAt&order=asc`)).body.data
    expect(entry.changes).toMatchObject({
      application: { from: null, to: application.id },
      amount: { from: null, to: 80 },
      invoice: { from: null, to: open.id },
    })
  })

  test("with an unusual date only warns", async () => {
    const { note, open } = await withCredit()
    const applied = await apply(note.id, open.id, 1, { applicationDate: day(40) })
    expect(applied.body.warnings).toMatchObject([{ code: "UNUSUAL_DATE", field: "applicationDate" }])
    const refunded = await refund(note.id, 1, { refundDate: day(40) })
    expect(refunded.body.warnings).toMatchObject([{ code: "UNUSUAL_DATE", field: "refundDate" }])
  })
})
