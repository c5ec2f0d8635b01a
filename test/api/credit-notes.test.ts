import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { download } from "../support/downloads"
import { inFile } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const today = day(0)
const year = today.slice(0, 4)
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

const credit = (invoice: string, over: object = {}) =>
  api.post(`/invoices/${invoice}/credit-notes`, { reason: "Returned", ...over })
const credited = (invoice: string, over: object = {}): Promise<Named> =>
  api.create(`/invoices/${invoice}/credit-notes`, { reason: "Returned", ...over })
const settings = async (values: object) => expect((await api.put("/settings", values)).status).toBe(200)
const cents = (amount: number) => Math.round(amount * 100)
const sum = (notes: Named[], field: string) => notes.reduce((all, note) => all + cents(note[field]), 0)
const notesOf = async (invoice: string): Promise<Named[]> =>
  (await api.get(`/credit-notes?invoice=${invoice}&perPage=100`)).body.data

/** An issued invoice without an order. */
async function issued(over: Named = {}): Promise<Named> {
  const { customer, items, ...rest } = over
  return api.create("/invoices", {
    customer: customer ?? (await shop.customer()).id,
    items: items ?? [{ description: "Work", quantity: 4, rate: 25 }],
    status: "unpaid",
    ...rest,
  })
}

async function memberOf(role: string): Promise<Api> {
  const [email, password] = [`${role}.credit@example.com`, "a fine password"]
  await api.create("/users", { email, name: role, role, password })
  return signIn(kontor, email, password)
}

describe("POST /invoices/{id}/credit-notes", () => {
  test("credits all that is left, and returns an issued credit note shaped like an invoice", async () => {
    const customer = await shop.customer({
      name: "Nordlicht",
      taxId: "DE1",
      address: { city: "Kiel", country: "DE" },
    })
    const item = await shop.item({ itemName: "Desk", sellingPrice: 33.33, taxRate: 19 })
    const invoice = await issued({
      customer: customer.id,
      items: [{ item: item.id, quantity: 3, discount: 10 }],
      buyerReference: "B-1",
      shippingAddress: { city: "Husum" },
    })
    const answer = await credit(invoice.id, { reason: "Scratched", notes: "Sorry", metadata: { by: "shop" } })
    const { data } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.headers.get("location")).toBe(`/api/v1/credit-notes/${data.id}`)
    const { seller, sellerVersion, buyer, billingAddress, shippingAddress, taxes } = invoice
    expect(data).toEqual({
      id: expect.stringMatching(/^crn_[0-9a-z]{26}$/),
      creditNoteNumber: `CN-${year}-00001`,
      numberSeries: `CN-${year}`,
      numberCounter: 1,
      status: "settled",
      allowedTransitions: [],
      invoice: invoice.id,
      invoiceNumber: invoice.invoiceNumber,
      customer: customer.id,
      customerName: "Nordlicht",
      taxId: "DE1",
      billingAddress,
      shippingAddress,
      sellerVersion,
      seller,
      buyer,
      language: "en",
      creditNoteDate: today,
      reason: "Scratched",
      restock: false,
      isCancellation: false,
      pricesIncludeTax: false,
      taxTreatment: "domestic",
      discount: 0,
      discountAmount: 0,
      isDiscountAmount: false,
      buyerReference: "B-1",
      items: [
        {
          id: expect.stringMatching(/^cnl_/),
          invoiceLine: invoice.items[0].id,
          isAmount: false,
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
        },
      ],
      notes: "Sorry",
      externalId: null,
      metadata: { by: "shop" },
      currency: "USD",
      subtotal: 89.99,
      discountTotal: 10,
      taxTotal: 17.1,
      taxes,
      total: 107.09,
      depositTotal: 0,
      appliedToInvoice: 107.09,
      applied: 0,
      refunded: 0,
      unapplied: 0,
      applications: [],
      refunds: [],
      lastSentAt: null,
      createdBy: expect.stringMatching(/^usr_/),
      version: 1,
      createdAt: expect.any(String),
      updatedAt: data.createdAt,
    })
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "credited",
      creditedTotal: 107.09,
      creditTaken: 107.09,
      creditApplied: 0,
      balance: 0,
      creditNotes: [data.id],
      allowedTransitions: [],
      paidAt: null,
      items: [{ creditedQuantity: 3, creditedAmount: 89.99 }],
    })
  })

  test("keeps the seller and the buyer of the invoice, whatever changed since", async () => {
    const customer = await shop.customer({ name: "Before" })
    const invoice = await issued({ customer: customer.id })
    await settings({ legalName: "New Ltd" })
    await api.put(`/customers/${customer.id}`, { name: "After", language: "de" })
    const { seller, buyer, customerName, language } = await credited(invoice.id)
    expect({ seller, buyer, customerName, language }).toEqual({
      seller: invoice.seller,
      buyer: invoice.buyer,
      customerName: "Before",
      language: "en",
    })
  })

  test("credits quantities of lines at their price, and amounts as one piece", async () => {
    const items = [
      { description: "Work", quantity: 4, rate: 25, discount: 10 },
      { description: "Trip", quantity: 1, rate: 50 },
    ]
    const invoice = await issued({ items })
    const [work, trip] = invoice.items
    const note = await credited(invoice.id, {
      items: [
        { invoiceLine: trip.id, amount: 12.5 },
        { invoiceLine: work.id, quantity: 1.5 },
      ],
    })
    expect(note).toMatchObject({ total: 46.25, discountTotal: 3.75, status: "settled" })
    expect(note.items).toMatchObject([
      { invoiceLine: trip.id, isAmount: true, quantity: 1, rate: 12.5, discount: 0, amount: 12.5 },
      { invoiceLine: work.id, isAmount: false, quantity: 1.5, rate: 25, discount: 10, amount: 33.75 },
    ])
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "unpaid",
      creditedTotal: 46.25,
      balance: 93.75,
      items: [
        { creditedQuantity: 1.5, creditedAmount: 33.75 },
        { creditedQuantity: 0, creditedAmount: 12.5 },
      ],
    })
  })

  test("a quantity takes at most the money that is left of its line", async () => {
    const invoice = await issued()
    const [{ id: invoiceLine }] = invoice.items
    await credited(invoice.id, { items: [{ invoiceLine, amount: 60 }] })
    const note = await credited(invoice.id, { items: [{ invoiceLine, quantity: 2 }] })
    expect(note).toMatchObject({ total: 40, discountTotal: 10 })
    expect(note.items).toMatchObject([
      { quantity: 2, rate: 25, discount: 20, discountAmount: 10, amount: 40 },
    ])
    expect(await shop.get("invoices", invoice.id)).toMatchObject({ status: "credited", balance: 0 })
    // Two pieces are left, but no money.
    const answer = await credit(invoice.id)
    expect(refusalOf(answer)).toEqual({ status: 422, code: "OVER_CREDITED", fields: ["items"] })
    expect(answer.body.error.details[0]).toMatchObject({ code: "RULE", params: { rule: "NOTHING_LEFT" } })
    const piece = await credit(invoice.id, { items: [{ invoiceLine, quantity: 1 }] })
    expect(refusalOf(piece)).toMatchObject({ status: 422, code: "OVER_CREDITED" })
  })

  test("a line without money is credited with the others, and comes back", async () => {
    const item = await shop.item()
    const invoice = await issued({
      items: [
        { item: item.id, quantity: 2, rate: 0 },
        { description: "Work", quantity: 1, rate: 5 },
      ],
    })
    const note = await credited(invoice.id, { restock: true })
    expect(note.items).toMatchObject([{ quantity: 2, amount: 0 }, { amount: 5 }])
    expect((await shop.get("items", item.id)).currentStock).toBe(0)
  })
})

describe("the parts of an invoice", () => {
  const codes: Named = {}
  beforeAll(async () => {
    const rates: [string, number, string?][] = [
      ["S", 19],
      ["S", 7],
      ["Z", 0],
      ["E", 0, "Exempt by law"],
      ["AE", 0],
      ["K", 0],
      ["G", 0],
      ["O", 0, "Not in scope"],
    ]
    for (const [category, rate, reason] of rates) {
      const body = {
        code: `C-${category}${rate}`,
        name: "Part",
        category,
        rate,
        ...(reason ? { reason } : {}),
      }
      codes[`${category}${rate}`] = (await api.create("/tax-codes", body)).id
    }
  })

  /** Two lines of each category and rate, with prices and discounts that must be rounded. */
  const allCategories = (): Named[] =>
    [...Object.values(codes), null].flatMap((taxCode, i) => [
      { description: `A${i}`, quantity: 3, rate: 33.33 + i, discount: 7.5, taxCode },
      { description: `B${i}`, quantity: 7, rate: 0.07 + i / 100, taxCode },
    ])

  /** The taxes of documents together, per category and rate, in cents. */
  function taxesOf(documents: Named[]): Named {
    const sums: Record<string, { base: number; tax: number; reason: string | null }> = {}
    for (const { category, rate, base, tax, reason } of documents.flatMap(({ taxes }) => taxes)) {
      const before = sums[`${category} ${rate}`] ?? { base: 0, tax: 0 }
      sums[`${category} ${rate}`] = { base: before.base + cents(base), tax: before.tax + cents(tax), reason }
    }
    return sums
  }

  const orders: [string, (steps: Named[][]) => Named[][]][] = [
    ["quantities first", (steps) => steps],
    ["amounts first", (steps) => steps.toReversed()],
  ]
  const cases = [false, true].flatMap((gross) =>
    orders.map(([name, sorted]) => [gross ? "gross" : "net", name, gross, sorted] as const),
  )

  test.each(cases)(
    "with %s prices, %s, add up to the cent in every category",
    async (...[, , gross, sorted]) => {
      const customer = (await shop.customer({ taxId: "FR40303265045" })).id
      const invoice = await issued({ customer, items: allCategories(), pricesIncludeTax: gross })
      expect(Object.keys(taxesOf([invoice])).toSorted()).toEqual(
        ["AE 0", "E 0", "G 0", "K 0", "O 0", "S 19", "S 7", "Z 0", "null 0"].toSorted(),
      )
      const each = (part: (line: Named) => Named) =>
        invoice.items.map((line: Named) => ({ invoiceLine: line.id, ...part(line) }))
      const steps = [
        each(() => ({ quantity: 1 })),
        each(() => ({ quantity: 0.5 })),
        each(() => ({ amount: 0.05 })),
      ]
      for (const items of sorted(steps)) await credited(invoice.id, { items })
      const before = await shop.get("invoices", invoice.id)
      expect(before.status).toBe("unpaid")
      for (const line of before.items)
        expect(cents(line.creditedAmount)).toBeLessThanOrEqual(cents(gross ? line.grossAmount : line.amount))
      await credited(invoice.id)

      const notes = await notesOf(invoice.id)
      expect(notes).toHaveLength(4)
      expect(taxesOf(notes)).toEqual(taxesOf([invoice]))
      for (const field of ["subtotal", "taxTotal", "total"])
        expect(sum(notes, field)).toBe(cents(invoice[field]))
      const after = await shop.get("invoices", invoice.id)
      expect(after).toMatchObject({ status: "credited", creditedTotal: invoice.total, balance: 0 })
      for (const line of after.items)
        expect([line.creditedQuantity, line.creditedAmount]).toEqual([
          line.quantity,
          gross ? line.grossAmount : line.amount,
        ])
    },
  )

  test("an amount of a gross invoice includes its tax", async () => {
    const items = [{ description: "Work", quantity: 1, rate: 119, taxCode: codes.S19 }]
    const invoice = await issued({ items, pricesIncludeTax: true })
    const note = await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, amount: 11.9 }] })
    expect(note).toMatchObject({ subtotal: 10, taxTotal: 1.9, total: 11.9, pricesIncludeTax: true })
    expect(note.items).toMatchObject([{ rate: 11.9, grossAmount: 11.9, amount: 10 }])
    const net = await issued({ items })
    const other = await credited(net.id, { items: [{ invoiceLine: net.items[0].id, amount: 10 }] })
    expect(other).toMatchObject({ subtotal: 10, taxTotal: 1.9, total: 11.9 })
  })

  test("of a part of an order have the tax of that part", async () => {
    const items = [{ description: "Work", quantity: 3, rate: 0.33, taxCode: codes.S19 }]
    const order = await shop.submitted({ items })
    for (let i = 0; i < 3; i++) {
      const part = { items: [{ orderLine: order.items[0].id, quantity: 1 }] }
      const invoice = (await shop.bill(order.id, part)).body.data
      await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, amount: 0.1 }] })
      await credited(invoice.id)
      const notes = await notesOf(invoice.id)
      expect([sum(notes, "taxTotal"), sum(notes, "total")]).toEqual([
        cents(invoice.taxTotal),
        cents(invoice.total),
      ])
    }
  })
})

describe("the status of an invoice", () => {
  const stateOf = async (id: string) => {
    const { status, balance, creditedTotal, creditTaken, amountPaid } = await shop.get("invoices", id)
    return { status, balance, creditedTotal, creditTaken, amountPaid }
  }

  test("unpaid: the credit note lowers the balance, and nothing is left of it", async () => {
    const invoice = await issued()
    const note = await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, amount: 40 }] })
    expect(note).toMatchObject({ status: "settled", appliedToInvoice: 40, unapplied: 0 })
    expect(await stateOf(invoice.id)).toEqual({
      status: "unpaid",
      balance: 60,
      creditedTotal: 40,
      creditTaken: 40,
      amountPaid: 0,
    })
    expect((await shop.pay(invoice.id, 60)).status).toBe(201)
    expect(await stateOf(invoice.id)).toMatchObject({ status: "paid", balance: 0 })
  })

  test("partially paid: the balance is lowered first, the rest is credit of the customer", async () => {
    const invoice = await issued()
    await shop.pay(invoice.id, 70)
    const note = await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, quantity: 2 }] })
    expect(note).toMatchObject({ status: "open", total: 50, appliedToInvoice: 30, unapplied: 20 })
    expect(await stateOf(invoice.id)).toEqual({
      status: "paid",
      balance: 0,
      creditedTotal: 50,
      creditTaken: 30,
      amountPaid: 70,
    })
    expect((await shop.get("invoices", invoice.id)).paidAt).toEqual(expect.any(String))
  })

  test("paid: the whole credit note is credit of the customer", async () => {
    const invoice = await issued()
    await shop.pay(invoice.id, 100)
    const { paidAt } = await shop.get("invoices", invoice.id)
    const note = await credited(invoice.id)
    expect(note).toMatchObject({ status: "open", appliedToInvoice: 0, unapplied: 100 })
    expect(await stateOf(invoice.id)).toEqual({
      status: "credited",
      balance: 0,
      creditedTotal: 100,
      creditTaken: 0,
      amountPaid: 100,
    })
    expect((await shop.get("invoices", invoice.id)).paidAt).toBe(paidAt)
  })

  test("the part that its own invoice took is fixed, also when a payment is voided after that", async () => {
    const invoice = await issued()
    const payment = (await shop.pay(invoice.id, 70)).body.data
    const note = await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, quantity: 2 }] })
    expect((await api.delete(`/invoices/${invoice.id}/payments/${payment.id}`)).status).toBe(204)
    expect(await stateOf(invoice.id)).toEqual({
      status: "unpaid",
      balance: 70,
      creditedTotal: 50,
      creditTaken: 30,
      amountPaid: 0,
    })
    expect(await shop.get("credit-notes", note.id)).toMatchObject({ appliedToInvoice: 30, unapplied: 20 })
  })

  test("the customer's balance, credit and credit limit follow", async () => {
    const customer = await shop.customer({ creditLimit: 150 })
    const figures = async () => {
      const { outstandingBalance, creditBalance, creditAvailable } = await shop.get("customers", customer.id)
      return [outstandingBalance, creditBalance, creditAvailable]
    }
    const invoice = await issued({ customer: customer.id })
    expect(await figures()).toEqual([100, 0, 50])
    await shop.pay(invoice.id, 70)
    expect(await figures()).toEqual([30, 0, 120])
    await credited(invoice.id)
    // The outstanding balance does not net the credit, and the limit does.
    expect(await figures()).toEqual([0, 70, 220])
    const items = (rate: number) => [{ description: "Work", quantity: 1, rate }]
    const body = (rate: number) => ({ customer: customer.id, items: items(rate), status: "unpaid" })
    expect(refusalOf(await api.post("/invoices", body(220.01)))).toMatchObject({
      code: "CREDIT_LIMIT_EXCEEDED",
    })
    await issued({ customer: customer.id, items: items(220) })
    expect(await figures()).toEqual([220, 70, 0])
    const over = await api.post("/sales-orders", { ...body(0.01), status: "submitted" })
    expect(refusalOf(over)).toMatchObject({ status: 422, code: "CREDIT_LIMIT_EXCEEDED" })
  })
})

/** Adds copies of the only credit note of a file. */
function copyCreditNote(of: Kontor, count: number): void {
  inFile(of, (db) => {
    const { seq: _, ...only } = db.query("SELECT * FROM credit_notes").get() as Record<string, unknown>
    const columns = Object.keys(only)
    const values = columns.map((name) =>
      name === "id" || name === "credit_note_number" ? `${name} || '-' || i` : name,
    )
    db.run(
      `WITH RECURSIVE copy (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < ${count})
       INSERT INTO credit_notes (${columns.join(", ")}) SELECT ${values.join(", ")} FROM credit_notes, copy`,
    )
  })
}

describe("a credit note is refused", () => {
  const details = ({ body }: Answer) =>
    body.error.details.map(({ field, code, params }: Named) => [field, code, params?.rule ?? null])

  test("of a draft and of a cancelled invoice", async () => {
    const draft = await issued({ status: "draft" })
    const cancelled = await issued()
    await shop.status("invoices", cancelled.id, "cancelled")
    for (const [{ id }, status] of [
      [draft, "draft"],
      [cancelled, "cancelled"],
    ] as [Named, string][]) {
      const answer = await credit(id)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "DOCUMENT_LOCKED", fields: ["status"] })
      expect(answer.body.error.details[0].params).toEqual({ rule: "STATUS", status })
      expect(await notesOf(id)).toEqual([])
    }
    expect((await credit("inv_none")).status).toBe(404)
  })

  test("without a reason, with an unknown field or an invalid value", async () => {
    const { id } = await issued()
    const post = (body: unknown) => api.post(`/invoices/${id}/credit-notes`, body)
    expect(details(await post({}))).toEqual([["reason", "REQUIRED", null]])
    expect(details(await post({ reason: "" }))).toEqual([["reason", "TOO_SHORT", null]])
    expect(details(await post({ reason: "x".repeat(501) }))).toEqual([["reason", "TOO_LONG", null]])
    expect(details(await post({ reason: "x", customer: "cus_1" }))).toEqual([
      ["customer", "UNKNOWN_FIELD", null],
    ])
    expect(details(await post({ reason: "x", restock: "yes" }))).toEqual([["restock", "TYPE", null]])
    expect(details(await post({ reason: "x", items: [] }))).toEqual([["items", "TOO_SHORT", null]])
    expect(details(await post({ reason: "x", creditNoteDate: "soon" }))).toEqual([
      ["creditNoteDate", "FORMAT", null],
    ])
    expect(await notesOf(id)).toEqual([])
  })

  test("with a line that has both, neither or an invalid value, that is repeated or of another invoice", async () => {
    const invoice = await issued({
      items: [
        { description: "A", quantity: 4, rate: 25 },
        { description: "B", quantity: 1, rate: 1 },
      ],
    })
    const other = await issued()
    const [a, b] = invoice.items.map(({ id }: Named) => id)
    const cases: [Named[], unknown[][]][] = [
      [[{ invoiceLine: a, quantity: 1, amount: 1 }], [["items[0].amount", "RULE", "EXCLUSIVE"]]],
      [[{ invoiceLine: a }], [["items[0].quantity", "REQUIRED", null]]],
      [[{ invoiceLine: a, quantity: null, amount: null }], [["items[0].quantity", "REQUIRED", null]]],
      [[{ quantity: 1 }], [["items[0].invoiceLine", "REQUIRED", null]]],
      [[{ invoiceLine: a, quantity: 0 }], [["items[0].quantity", "TOO_SMALL", null]]],
      [[{ invoiceLine: a, quantity: -1 }], [["items[0].quantity", "TOO_SMALL", null]]],
      [[{ invoiceLine: a, amount: 0 }], [["items[0].amount", "TOO_SMALL", null]]],
      [[{ invoiceLine: a, amount: -1 }], [["items[0].amount", "TOO_SMALL", null]]],
      [[{ invoiceLine: a, amount: 1.234 }], [["items[0].amount", "FORMAT", null]]],
      [[{ invoiceLine: a, quantity: 1.23456 }], [["items[0].quantity", "FORMAT", null]]],
      [[{ invoiceLine: a, amount: "1" }], [["items[0].amount", "TYPE", null]]],
      [
        [
          { invoiceLine: a, quantity: 1 },
          { invoiceLine: b, quantity: 1 },
          { invoiceLine: a, amount: 1 },
        ],
        [["items[2].invoiceLine", "RULE", "REPEATED"]],
      ],
      [[{ invoiceLine: other.items[0].id, quantity: 1 }], [["items[0].invoiceLine", "NOT_FOUND", null]]],
      [[{ invoiceLine: "inl_none", amount: 1 }], [["items[0].invoiceLine", "NOT_FOUND", null]]],
    ]
    for (const [items, expected] of cases) {
      const answer = await credit(invoice.id, { items })
      expect([items, answer.status, details(answer)]).toEqual([items, 422, expected])
    }
    expect(await notesOf(invoice.id)).toEqual([])
  })

  test("of more than is left of a line, in quantity or in money, with what is left", async () => {
    const invoice = await issued()
    const [{ id: invoiceLine }] = invoice.items
    await credited(invoice.id, { items: [{ invoiceLine, quantity: 1 }] })
    const over = { status: 422, code: "OVER_CREDITED" }
    const quantity = await credit(invoice.id, { items: [{ invoiceLine, quantity: 3.0001 }] })
    expect(refusalOf(quantity)).toEqual({ ...over, fields: ["items[0].quantity"] })
    expect(quantity.body.error.details[0].params).toEqual({ max: 3, invoiced: 4, credited: 1 })
    const amount = await credit(invoice.id, { items: [{ invoiceLine, amount: 75.01 }] })
    expect(refusalOf(amount)).toEqual({ ...over, fields: ["items[0].amount"] })
    expect(amount.body.error.details[0].params).toEqual({ max: 75, currency: "USD" })
    await credited(invoice.id, { items: [{ invoiceLine, amount: 75 }] })
    const rest = await credit(invoice.id, { items: [{ invoiceLine, amount: 0.01 }] })
    expect(refusalOf(rest)).toEqual({ ...over, fields: ["items[0].amount"] })
  })

  test("of an invoice without an amount", async () => {
    const invoice = await issued({ items: [{ description: "Gift", quantity: 1, rate: 0 }] })
    expect(invoice.status).toBe("paid")
    expect(refusalOf(await credit(invoice.id))).toMatchObject({ code: "OVER_CREDITED" })
  })

  test("after a thousand of an invoice", async () => {
    const other = await serve()
    const own = await signIn(other)
    const customer = (await own.create("/customers", { name: "Full" })).id
    const items = [{ description: "Work", quantity: 1, rate: 100 }]
    const invoice = await own.create("/invoices", { customer, items, status: "unpaid" })
    const path = `/invoices/${invoice.id}/credit-notes`
    const body = { reason: "x", items: [{ invoiceLine: invoice.items[0].id, amount: 0.01 }] }
    await own.create(path, body)
    copyCreditNote(other, 999)
    expect(details(await own.post(path, body))).toEqual([["items", "RULE", "TOO_MANY"]])
    await other.stop()
  })

  test("before the date of the invoice; without a date it is today, or the date of the invoice", async () => {
    const invoice = await issued({ invoiceDate: day(-5) })
    const answer = await credit(invoice.id, { creditNoteDate: day(-6) })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["creditNoteDate"] })
    expect(details(answer)).toEqual([["creditNoteDate", "RULE", "DATE_ORDER"]])
    const items = [{ invoiceLine: invoice.items[0].id, amount: 1 }]
    expect((await credited(invoice.id, { items, creditNoteDate: day(-5) })).creditNoteDate).toBe(day(-5))
    expect((await credited(invoice.id)).creditNoteDate).toBe(today)
    const later = await issued({ invoiceDate: day(5) })
    expect((await credited(later.id)).creditNoteDate).toBe(day(5))
  })

  test("in a closed period, by its own date; an invoice of a closed period can be credited today", async () => {
    const invoice = await issued({ invoiceDate: day(-50) })
    await settings({ lockedUntil: day(-30) })
    const refused = await credit(invoice.id, { creditNoteDate: day(-30) })
    expect(refusalOf(refused)).toEqual({ status: 422, code: "PERIOD_LOCKED", fields: ["creditNoteDate"] })
    expect((await credit(invoice.id)).status).toBe(201)
    await settings({ lockedUntil: null })
  })

  test("with an external id that another one has", async () => {
    const [first, second] = [await issued(), await issued()]
    const externalId = "cn-1"
    const note = await credited(first.id, { externalId })
    const answer = await credit(second.id, { externalId })
    expect(answer.body.error.details).toMatchObject([
      { field: "externalId", code: "DUPLICATE", existing: note.id },
    ])
    expect([409, 422]).toContain(answer.status)
    expect(await notesOf(second.id)).toEqual([])
  })

  test("for the roles sales, shop and viewer; accountants and managers may", async () => {
    const invoice = await issued()
    const body = { reason: "x", items: [{ invoiceLine: invoice.items[0].id, amount: 1 }] }
    for (const role of ["viewer", "sales", "shop"]) {
      const member = await memberOf(role)
      const answer = await member.post(`/invoices/${invoice.id}/credit-notes`, body)
      expect([role, refusalOf(answer).code]).toEqual([role, "FORBIDDEN"])
      expect((await member.get("/credit-notes")).status).toBe(200)
    }
    for (const role of ["accountant", "manager"])
      expect((await (await memberOf(role)).post(`/invoices/${invoice.id}/credit-notes`, body)).status).toBe(
        201,
      )
    expect(await notesOf(invoice.id)).toHaveLength(2)
  })
})

describe("goods", () => {
  /** An order of ten pieces and a service, completely invoiced. */
  async function sold() {
    const item = await shop.item()
    const service = await shop.item({ itemType: "Service" })
    await shop.receive(item.id, 10)
    const order = await shop.submitted({
      items: [
        { item: item.id, quantity: 10 },
        { item: service.id, quantity: 1 },
      ],
    })
    return { item, order, invoice: (await shop.bill(order.id)).body.data }
  }
  const stockOf = async (item: Named) => (await shop.get("items", item.id)).currentStock
  const ledgerOf = async (item: Named): Promise<Named[]> =>
    (await api.get(`/stock-movements?item=${item.id}&sort=createdAt&order=asc`)).body.data

  test("come back with restock, and the ledger names the credit note", async () => {
    const { item, order, invoice } = await sold()
    const [line, service] = invoice.items
    const before = await api.get(`/sales-orders/${order.id}`)
    const note = await credited(invoice.id, {
      restock: true,
      items: [
        { invoiceLine: line.id, quantity: 4 },
        { invoiceLine: service.id, quantity: 1 },
      ],
    })
    expect(note.restock).toBe(true)
    expect(await stockOf(item)).toBe(4)
    expect((await ledgerOf(item)).at(-1)).toMatchObject({
      quantity: 4,
      reason: "credit",
      sourceType: "credit-note",
      sourceId: note.id,
      balanceAfter: 4,
    })
    const after = await api.get(`/sales-orders/${order.id}`)
    expect(after.body.data).toMatchObject({
      status: "completed",
      invoiceStatus: "invoiced",
      invoicedTotal: before.body.data.invoicedTotal,
      items: [
        { invoicedQuantity: 10, returnedQuantity: 4 },
        { invoicedQuantity: 1, returnedQuantity: 1 },
      ],
    })
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"))
    await credited(invoice.id, { restock: true, items: [{ invoiceLine: line.id, quantity: 6 }] })
    expect((await shop.get("sales-orders", order.id)).items[0]).toMatchObject({
      invoicedQuantity: 10,
      returnedQuantity: 10,
    })
    expect(await stockOf(item)).toBe(10)
    expect(refusalOf(await shop.bill(order.id))).toMatchObject({ code: "ORDER_ALREADY_INVOICED" })
  })

  test("stay away without restock, and with an amount", async () => {
    const { item, order, invoice } = await sold()
    const [{ id: invoiceLine }] = invoice.items
    await credited(invoice.id, { items: [{ invoiceLine, quantity: 1 }] })
    await credited(invoice.id, { restock: true, items: [{ invoiceLine, amount: 5 }] })
    expect(await stockOf(item)).toBe(0)
    expect(await ledgerOf(item)).toHaveLength(2)
    expect((await shop.get("sales-orders", order.id)).items[0]).toMatchObject({
      invoicedQuantity: 10,
      returnedQuantity: 0,
    })
  })

  test("of a partly invoiced order: the rest can still be invoiced, and not more", async () => {
    const item = await shop.item()
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 5 }] })
    const part = { items: [{ orderLine: order.items[0].id, quantity: 2 }] }
    const invoice = (await shop.bill(order.id, part)).body.data
    await credited(invoice.id, { restock: true })
    expect(await shop.get("sales-orders", order.id)).toMatchObject({
      status: "submitted",
      invoiceStatus: "partially_invoiced",
      items: [{ invoicedQuantity: 2, returnedQuantity: 2 }],
    })
    const rest = (await shop.bill(order.id)).body.data
    expect(rest.items).toMatchObject([{ quantity: 3 }])
    expect(await shop.get("sales-orders", order.id)).toMatchObject({ status: "completed" })
  })
})

describe("cancelling", () => {
  const cancel = (id: string, over: object = {}) => shop.status("invoices", id, "cancelled", over)

  test("an invoice with a credit note is refused, before and after the whole is credited", async () => {
    const invoice = await issued()
    await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, amount: 1 }] })
    for (let i = 0; i < 2; i++) {
      const answer = await cancel(invoice.id)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "INVOICE_HAS_CREDITS", fields: ["status"] })
      expect(answer.body.error.details[0].params).toMatchObject({ rule: "HAS_CREDITS" })
      if (i === 0) await credited(invoice.id)
    }
    expect(refusalOf(await api.delete(`/invoices/${invoice.id}`))).toMatchObject({ code: "DOCUMENT_LOCKED" })
  })

  test("writes no credit note by default, and an unpaid invoice is cancelled as before", async () => {
    expect((await api.get("/settings")).body.data.correctBy).toBe("cancel")
    const invoice = await issued()
    expect((await cancel(invoice.id)).body.data).toMatchObject({
      status: "cancelled",
      creditNotes: [],
      creditedTotal: 0,
      balance: 0,
    })
  })

  describe('with correctBy "credit-note"', () => {
    beforeAll(() => settings({ correctBy: "credit-note" }))
    afterAll(() => settings({ correctBy: "cancel" }))

    test("writes both documents, and stock and order quantities return", async () => {
      const item = await shop.item({ taxRate: 19 })
      await shop.receive(item.id, 10)
      const customer = await shop.customer()
      const order = await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 4 }] })
      const invoice = (await shop.bill(order.id)).body.data
      const cancelled = (await cancel(invoice.id, { reason: "Wrong customer" })).body.data
      const [note] = await notesOf(invoice.id)
      expect(cancelled).toMatchObject({
        status: "cancelled",
        cancelReason: "Wrong customer",
        creditNotes: [note?.id],
        creditedTotal: invoice.total,
        balance: 0,
        allowedTransitions: [],
      })
      expect(note).toMatchObject({
        isCancellation: true,
        reason: "Wrong customer",
        restock: false,
        status: "settled",
        creditNoteDate: today,
        subtotal: invoice.subtotal,
        taxTotal: invoice.taxTotal,
        total: invoice.total,
        appliedToInvoice: invoice.total,
        unapplied: 0,
        taxes: invoice.taxes,
        items: [{ quantity: 4 }],
      })
      expect((await shop.get("items", item.id)).currentStock).toBe(10)
      const [last] = (await api.get(`/stock-movements?item=${item.id}&sort=createdAt&order=desc`)).body.data
      expect(last).toMatchObject({ quantity: 4, reason: "cancellation", sourceId: invoice.id })
      expect(await shop.get("sales-orders", order.id)).toMatchObject({
        status: "submitted",
        invoiceStatus: "not_invoiced",
        invoicedTotal: 0,
        items: [{ invoicedQuantity: 0, returnedQuantity: 0 }],
      })
      expect(await shop.get("customers", customer.id)).toMatchObject({
        outstandingBalance: 0,
        creditBalance: 0,
      })
      expect((await shop.bill(order.id)).body.data.total).toBe(invoice.total)
      for (const path of ["applications", "refunds"])
        expect(
          refusalOf(
            await api.post(`/credit-notes/${note?.id}/${path}`, {
              amount: 1,
              ...(path === "applications" ? { invoice: (await issued({ customer: customer.id })).id } : {}),
            }),
          ),
        ).toMatchObject({ code: "INSUFFICIENT_CREDIT" })
    })

    test("without a reason the credit note says that it is a cancellation", async () => {
      const invoice = await issued()
      await cancel(invoice.id)
      expect(await notesOf(invoice.id)).toMatchObject([{ reason: "Cancelled", total: 100 }])
    })

    test("the date of the credit note counts for closed periods, not that of the invoice", async () => {
      const invoice = await issued({ invoiceDate: day(-50) })
      await settings({ lockedUntil: day(-30) })
      expect((await cancel(invoice.id)).status).toBe(200)
      expect(await notesOf(invoice.id)).toMatchObject([{ creditNoteDate: today }])
      const other = await issued()
      await settings({ lockedUntil: today })
      expect(refusalOf(await cancel(other.id))).toMatchObject({ code: "PERIOD_LOCKED" })
      await settings({ lockedUntil: null })
      expect(await shop.get("invoices", other.id)).toMatchObject({ status: "unpaid", creditNotes: [] })
    })

    test("a draft is cancelled without one, and a cancelled invoice is not credited again", async () => {
      const draft = await issued({ status: "draft" })
      expect((await cancel(draft.id)).body.data).toMatchObject({ status: "cancelled", creditNotes: [] })
      const invoice = await issued()
      await cancel(invoice.id)
      expect(refusalOf(await credit(invoice.id))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    })

    test("an invoice of 0 gets a credit note of 0", async () => {
      const invoice = await issued({ items: [{ description: "Gift", quantity: 1, rate: 0 }] })
      expect((await cancel(invoice.id)).body.data).toMatchObject({ status: "cancelled" })
      expect(await notesOf(invoice.id)).toMatchObject([{ total: 0, status: "settled" }])
    })

    test("fifty parallel cancellations write one credit note", async () => {
      const invoice = await issued()
      const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(invoice.id)))
      // Cancelling again is no change.
      for (const { status, body } of answers) expect([status, body.data.status]).toEqual([200, "cancelled"])
      expect(await notesOf(invoice.id)).toHaveLength(1)
    })
  })
})

describe("in parallel", () => {
  const together = (count: number, send: (i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i)))
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

  /** The counters of this year's numbers of a kind of document. */
  const countersOf = (table: string): number[] =>
    inFile(kontor, (db) =>
      db
        .query<{ n: number }, [string]>(
          `SELECT number_counter AS n FROM ${table} WHERE number_series LIKE ? ORDER BY number_counter`,
        )
        .all(`%-${year}`)
        .map(({ n }) => n),
    )

  test("fifty credit notes of one invoice credit it once", async () => {
    const invoice = await issued()
    const answers = await together(50, () => credit(invoice.id))
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 49 }, () => 422)])
    expect(new Set(answers.map((each) => refusalOf(each).code))).toEqual(
      new Set([undefined, "OVER_CREDITED"]),
    )
    expect(await shop.get("invoices", invoice.id)).toMatchObject({ creditedTotal: 100, status: "credited" })
    expect(await notesOf(invoice.id)).toHaveLength(1)
  })

  test("quantities and amounts never take more than a line has", async () => {
    const invoice = await issued({ items: [{ description: "Work", quantity: 10, rate: 1 }] })
    const [{ id: invoiceLine }] = invoice.items
    const answers = await together(50, (i) =>
      credit(invoice.id, { items: [i % 2 ? { invoiceLine, quantity: 1 } : { invoiceLine, amount: 1 }] }),
    )
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(10)
    expect(sum(await notesOf(invoice.id), "total")).toBe(1000)
  })

  test.each(["cancel", "credit-note"])(
    'a hundred refusals leave no gap in the numbers of invoices and credit notes, with correctBy "%s"',
    async (correctBy) => {
      await settings({ correctBy })
      const refused = await issued()
      await credited(refused.id)
      const draft = await issued({ status: "draft" })
      const good = await Promise.all(Array.from({ length: 10 }, () => issued()))
      const answers = await together(150, (i) => {
        const [kind, at] = [i % 5, Math.floor(i / 5) % 10]
        if (kind === 0) return credit(refused.id)
        if (kind === 1) return credit(draft.id)
        if (kind === 2) return shop.status("invoices", refused.id, "cancelled")
        if (kind === 3) return api.post("/invoices", { customer: "cus_none", items: [], status: "unpaid" })
        const { id } = good[at] as Named
        return at % 2 ? credit(id) : shop.status("invoices", id, "cancelled")
      })
      await settings({ correctBy: "cancel" })
      // Five are credited once, and five are cancelled, three times each.
      expect(statuses(answers).filter((status) => status < 300)).toHaveLength(20)
      expect(statuses(answers).filter((status) => status === 422).length).toBeGreaterThanOrEqual(100)
      for (const table of ["invoices", "credit_notes"]) {
        const counters = countersOf(table)
        expect(counters.length).toBeGreaterThan(10)
        expect(counters).toEqual(counters.map((_, i) => i + 1))
      }
    },
  )
})

describe("an issued credit note", () => {
  test("sent back as it was read changes nothing", async () => {
    const { id } = await credited((await issued()).id)
    const before = await api.get(`/credit-notes/${id}`)
    const answer = await api.put(`/credit-notes/${id}`, before.body.data)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body.warnings ?? []).toEqual([])
    expect(answer.body.data).toEqual(before.body.data)
    expect((await api.get(`/credit-notes/${id}`)).headers.get("etag")).toBe(before.headers.get("etag"))
  })

  test("accepts other notes, external id and metadata, and nothing else", async () => {
    const invoice = await issued()
    const note = await credited(invoice.id, { metadata: { a: "1" } })
    const changed = await api.put(`/credit-notes/${note.id}`, {
      notes: "By phone",
      externalId: "cn-own",
      metadata: { b: "2" },
    })
    expect(changed.body.data).toMatchObject({
      notes: "By phone",
      externalId: "cn-own",
      metadata: { a: "1", b: "2" },
      version: 2,
    })
    const other = await api.put(`/credit-notes/${note.id}`, {
      notes: "Again",
      reason: "Other",
      total: 1,
      creditNoteDate: "2020-01-01",
      restock: true,
      items: [],
    })
    expect(other.status).toBe(200)
    expect(other.body.data).toEqual({
      ...changed.body.data,
      notes: "Again",
      version: 3,
      updatedAt: expect.any(String),
    })
    expect(other.body.warnings.map(({ field }: Named) => field).toSorted()).toEqual(
      ["creditNoteDate", "items", "reason", "restock", "total"].toSorted(),
    )
    expect(await notesOf(invoice.id)).toMatchObject([{ reason: "Returned", total: 100 }])
  })

  test("cannot be deleted, cancelled or created without an invoice", async () => {
    const { id } = await credited((await issued()).id)
    for (const answer of [
      await api.delete(`/credit-notes/${id}`),
      await api.put(`/credit-notes/${id}/status`, { status: "cancelled" }),
      await api.post("/credit-notes", { reason: "x" }),
      await api.put("/credit-notes/by/externalId/new", { reason: "x" }),
    ])
      expect([404, 405]).toContain(answer.status)
    expect((await api.get(`/credit-notes/${id}`)).status).toBe(200)
  })

  test("is found by its number and its external id", async () => {
    const note = await credited((await issued()).id, { externalId: "cn by/key" })
    const { creditNoteNumber } = note
    for (const path of [
      `by/creditNoteNumber/${creditNoteNumber}`,
      `by/externalId/${encodeURIComponent("cn by/key")}`,
    ])
      expect((await api.get(`/credit-notes/${path}`)).body?.data?.id).toBe(note.id)
    expect((await api.get("/credit-notes/by/creditNoteNumber/CN-1900-1")).status).toBe(404)
    expect((await api.get(`/credit-notes/${"crn_none"}`)).status).toBe(404)
  })

  test("is listed by customer, invoice, status and date, and found by its number and reason", async () => {
    const customer = (await shop.customer({ name: "Findling KG" })).id
    const [open, settled] = [await issued({ customer }), await issued({ customer })]
    await shop.pay(open.id, 100)
    const first = await credited(open.id, { reason: "Zerbrochen" })
    const second = await credited(settled.id, { creditNoteDate: day(3) })
    const ids = async (query: string) =>
      (await api.get(`/credit-notes?customer=${customer}&${query}`)).body.data.map(({ id }: Named) => id)
    expect(await ids("status=open")).toEqual([first.id])
    expect(await ids("status=settled")).toEqual([second.id])
    expect(await ids(`invoice=${open.id}`)).toEqual([first.id])
    expect(await ids("sort=creditNoteDate&order=desc")).toEqual([second.id, first.id])
    expect(await ids(`creditNoteDate[gt]=${today}`)).toEqual([second.id])
    expect(await ids("unapplied[gt]=0")).toEqual([first.id])
    expect(await ids(`search=${first.creditNoteNumber}`)).toEqual([first.id])
    const hits = (await api.get("/search?q=zerbrochen")).body.data
    expect(JSON.stringify(hits)).toContain(first.id)
    expect(
      (await api.get("/invoices?status=credited&perPage=500")).body.data.map(({ id }: Named) => id),
    ).toContain(settled.id)
  })

  test("has an ETag: 304 when it is known, 412 when another version is expected", async () => {
    const { id } = await credited((await issued()).id)
    const etag = (await api.get(`/credit-notes/${id}`)).headers.get("etag") ?? ""
    expect((await api.get(`/credit-notes/${id}`, { "if-none-match": etag })).status).toBe(304)
    const put = (tag: string) => api.put(`/credit-notes/${id}`, { notes: "x" }, { "if-match": tag })
    expect(refusalOf(await put('"7"'))).toMatchObject({ status: 412 })
    expect((await put(etag)).status).toBe(200)
    expect((await put(etag)).status).toBe(412)
    expect((await api.get(`/credit-notes/${id}`, { "if-none-match": etag })).status).toBe(200)
  })

  test("expands its customer and items", async () => {
    const item = await shop.item()
    const invoice = await issued({ items: [{ item: item.id, quantity: 1 }] })
    const { id } = await credited(invoice.id)
    const { expanded } = (await api.get(`/credit-notes/${id}?expand=customer,items.item`)).body
    expect(expanded.customer[invoice.customer].id).toBe(invoice.customer)
    expect(expanded["items.item"][item.id].itemCode).toBe(item.itemCode)
  })

  test("is in the history of both documents", async () => {
    const invoice = await issued()
    const note = await credited(invoice.id)
    await api.put(`/credit-notes/${note.id}`, { notes: "x" })
    const actions = async (path: string) =>
      (await api.get(`/${path}/history?sort=createdAt&order=asc`)).body.data.map(
        ({ action }: Named) => action,
      )
    expect(await actions(`credit-notes/${note.id}`)).toEqual(["credit-notes.create", "credit-notes.update"])
    expect(await actions(`invoices/${invoice.id}`)).toEqual([
      "invoices.create",
      "invoices.status",
      "invoices.credit",
    ])
    const history = (await api.get(`/invoices/${invoice.id}/history`)).body.data as Named[]
    expect(history.find(({ action }) => action === "invoices.credit")?.changes).toEqual({
      creditNote: { from: null, to: note.id },
      amount: { from: null, to: 100 },
    })
  })

  test("is printed with its number, its invoice and its reason", async () => {
    const invoice = await issued()
    const note = await credited(invoice.id, { reason: "Broken <glass> & dust", notes: "We are sorry" })
    const file = await download(kontor, api, `/credit-notes/${note.id}/print`)
    expect(file.status).toBe(200)
    const { text } = await readPdf(new Uint8Array(file.bytes))
    for (const part of [
      note.creditNoteNumber,
      invoice.invoiceNumber,
      "Broken <glass> & dust",
      "Credit note",
      "We are sorry",
      "100.00",
    ])
      expect(text).toContain(part)
  })
})

describe("a request", () => {
  test("as a dry run stores nothing", async () => {
    const item = await shop.item()
    const invoice = await issued({ items: [{ item: item.id, quantity: 2 }] })
    const [before, total] = [
      await shop.get("invoices", invoice.id),
      (await api.get("/credit-notes")).body.meta.total,
    ]
    const path = `/invoices/${invoice.id}/credit-notes?dryRun=true`
    const answer = await api.post(path, { reason: "x", restock: true })
    expect(answer).toMatchObject({ status: 201, body: { data: { creditNoteNumber: null, total: 20 } } })
    expect(answer.headers.get("dry-run")).toBe("true")
    expect(await shop.get("invoices", invoice.id)).toEqual(before)
    expect((await api.get("/credit-notes")).body.meta.total).toBe(total)
    expect((await shop.get("items", item.id)).currentStock).toBe(-2)
    expect(refusalOf(await api.post(path, { reason: "x", creditNoteDate: "2000-01-01" }))).toMatchObject({
      status: 422,
      fields: ["creditNoteDate"],
    })
  })

  test("repeated with its Idempotency-Key returns the same credit note", async () => {
    const { id } = await issued()
    const send = () =>
      api.post(`/invoices/${id}/credit-notes`, { reason: "x" }, { "idempotency-key": `credit-${id}` })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.data).toEqual(first.body.data)
    expect(await notesOf(id)).toHaveLength(1)
  })

  test("with an unusual date only warns", async () => {
    const { id } = await issued()
    const answer = await credit(id, { creditNoteDate: day(40) })
    expect(answer.status).toBe(201)
    expect(answer.body.warnings).toMatchObject([{ code: "UNUSUAL_DATE", field: "creditNoteDate" }])
  })

  test("moves the version and the ETag of the invoice", async () => {
    const { id, version } = await issued()
    const etag = (await api.get(`/invoices/${id}`)).headers.get("etag")
    await credited(id)
    const after = await api.get(`/invoices/${id}`)
    expect(after.body.data.version).toBe(version + 1)
    expect(after.headers.get("etag")).not.toBe(etag)
  })
})

describe("settings", () => {
  test("credit notes have a number format and a start of their own", async () => {
    const other = await serve()
    const own = await signIn(other)
    const customer = (await own.create("/customers", { name: "Numbers" })).id
    const items = [{ description: "Work", quantity: 1, rate: 10 }]
    const invoice = await own.create("/invoices", { customer, items, status: "unpaid" })
    const [{ id: invoiceLine }] = invoice.items
    const next = async () => {
      const body = { reason: "x", items: [{ invoiceLine, amount: 1 }] }
      return (await own.create(`/invoices/${invoice.id}/credit-notes`, body)).creditNoteNumber
    }
    expect((await own.put("/settings", { numberStarts: { creditNotes: 70 } })).status).toBe(200)
    expect(await next()).toBe(`CN-${year}-00070`)
    expect((await own.put("/settings", { numberFormats: { creditNotes: "G{YY}/{##}" } })).status).toBe(200)
    expect(await next()).toBe(`G${year.slice(2)}/71`)
    const shared = await own.put("/settings", { numberFormats: { creditNotes: "INV-{YYYY}-{#####}" } })
    expect(shared.status).toBe(422)
    expect((await own.put("/settings", { correctBy: "magic" })).status).toBe(422)
    expect(await run(["check"], { cwd: other.cwd })).toMatchObject({ code: 0 })
    await other.stop()
  })

  test.each([
    ["JPY", 0, 7, 0.5],
    ["KWD", 3, 1.234, 0.0005],
  ])("in %s amounts have %d decimals", async (currency, decimals, amount, tooFine) => {
    const other = await serve()
    const own = await signIn(other)
    expect((await own.put("/settings", { currency })).status).toBe(200)
    const customer = (await own.create("/customers", { name: "Money" })).id
    const items = [{ description: "Work", quantity: 3, rate: 33.3333, discount: 1.5 }]
    const invoice = await own.create("/invoices", { customer, items, status: "unpaid" })
    const [{ id: invoiceLine }] = invoice.items
    const path = `/invoices/${invoice.id}/credit-notes`
    const fine = await own.post(path, { reason: "x", items: [{ invoiceLine, amount: tooFine }] })
    expect(fine.body.error.details).toMatchObject([
      { field: "items[0].amount", code: "FORMAT", params: { decimals, currency } },
    ])
    const first = await own.create(path, { reason: "x", items: [{ invoiceLine, amount }] })
    expect(first.items).toMatchObject([{ rate: amount, amount }])
    await own.create(path, { reason: "x", items: [{ invoiceLine, quantity: 1 }] })
    await own.create(path, { reason: "x" })
    const notes: Named[] = (await own.get("/credit-notes")).body.data
    const whole = (value: number) => Math.round(value * 10 ** decimals)
    expect(notes.reduce((all, { total }) => all + whole(total), 0)).toBe(whole(invoice.total))
    expect(await run(["check"], { cwd: other.cwd })).toMatchObject({ code: 0 })
    await other.stop()
  })
})

test("a credited invoice sent back as it was read changes nothing, and its notes can be edited", async () => {
  const invoice = await issued()
  await credited(invoice.id, { items: [{ invoiceLine: invoice.items[0].id, quantity: 1 }] })
  const before = await shop.get("invoices", invoice.id)
  const same = await api.put(`/invoices/${invoice.id}`, before)
  expect(same).toMatchObject({ status: 200, body: { data: before } })
  await credited(invoice.id)
  const edited = await api.put(`/invoices/${invoice.id}`, { notes: "Credited" })
  expect(edited.body.data).toMatchObject({ status: "credited", notes: "Credited", creditedTotal: 100 })
})

describe("in special cases", () => {
  test("a credit note of an amount does not say that goods came back", async () => {
    const item = await shop.item({ sellingPrice: 50 })
    const invoice = await issued({ items: [{ item: item.id, quantity: 2 }] })
    const byAmount = { restock: true, items: [{ invoiceLine: invoice.items[0].id, amount: 20 }] }
    expect(await credited(invoice.id, byAmount)).toMatchObject({ restock: false })
    const byQuantity = { restock: true, items: [{ invoiceLine: invoice.items[0].id, quantity: 1 }] }
    expect(await credited(invoice.id, byQuantity)).toMatchObject({ restock: true })
  })

  test("a credit note of 0 is refused with the reason", async () => {
    const invoice = await issued({ items: [{ description: "Gift", quantity: 2, rate: 0 }] })
    const answer = await credit(invoice.id)
    expect(refusalOf(answer)).toEqual({ status: 422, code: "OVER_CREDITED", fields: ["items"] })
    expect(answer.body.error.message).toContain("the total would be 0")
    const whole = await issued()
    await credited(whole.id)
    const again = await credit(whole.id)
    expect(again.body.error.message).toBe(
      `Invoice ${whole.invoiceNumber} is credited completely; nothing is left to credit.`,
    )
  })

  test("cancelling names the credit note in the history, with a reason in the language of the invoice", async () => {
    await settings({ correctBy: "credit-note" })
    const customer = await shop.customer({ language: "de" })
    const invoice = await issued({ customer: customer.id })
    await shop.status("invoices", invoice.id, "cancelled")
    await settings({ correctBy: "cancel" })
    const [note] = await notesOf(invoice.id)
    expect(note).toMatchObject({ reason: "Storniert", isCancellation: true })
    const { body } = await api.get(`/invoices/${invoice.id}/history`)
    const entry = body.data.find(({ action }: Named) => action === "invoices.credit")
    expect(entry.changes.creditNote.to).toBe(note?.id)
  })

  test("an invoice that was paid and credited has no paidAt while something is left to pay", async () => {
    const invoice = await issued()
    const payment = await shop.pay(invoice.id, 100)
    await credited(invoice.id)
    expect((await shop.get("invoices", invoice.id)).paidAt).toBeString()
    await api.delete(`/payments/${payment.body.data.id}`)
    expect(await shop.get("invoices", invoice.id)).toMatchObject({
      status: "credited",
      balance: 100,
      paidAt: null,
    })
  })

  test("a list finds credit notes by the number of their invoice", async () => {
    const invoice = await issued()
    const note = await credited(invoice.id)
    const { body } = await api.get(`/credit-notes?search=${invoice.invoiceNumber}`)
    expect(body.data.map(({ id }: Named) => id)).toContain(note.id)
  })
})
