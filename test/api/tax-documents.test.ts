import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { download } from "../support/downloads"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let desk: string
let lamp: string
let work: string
let reduced: string
let exempt: string

type Document = Record<string, unknown> & { id: string; items: Record<string, unknown>[] }

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  desk = (await shop.item({ itemName: "Desk", sellingPrice: 100, taxRate: 19 })).id
  lamp = (await shop.item({ itemName: "Lamp", sellingPrice: 19.99, taxRate: 19 })).id
  work = (await shop.item({ itemName: "Work", itemType: "Service", sellingPrice: 50, taxRate: 19 })).id
  reduced = (await api.create("/tax-codes", { code: "R7", name: "Reduced", category: "S", rate: 7 })).id
  const reason = "Small business"
  exempt = (await api.create("/tax-codes", { code: "E0", name: "Exempt", category: "E", reason })).id
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

/** Creates a customer, an order and, if wanted, an issued invoice of it. */
const orderFor = async (customer: object, items: object[], over: object = {}): Promise<Document> =>
  shop.order({ customer: (await shop.customer(customer)).id, items, ...over })

const problemsOf = async (body: object) => {
  const { status, body: answer } = await api.post("/sales-orders", {
    customer: (await shop.customer()).id,
    ...body,
  })
  expect(status).toBe(422)
  return (answer.error.details as { field: string; code: string }[]).map(
    ({ field, code }) => `${field} ${code}`,
  )
}

describe("prices that include tax", () => {
  test("make the typed prices the total: 3 × 19.99 is 59.97, and 59.97 pays it", async () => {
    const order = await orderFor({}, [{ item: lamp, quantity: 3, rate: 19.99 }], {
      pricesIncludeTax: true,
      status: "submitted",
    })
    expect(order).toMatchObject({
      pricesIncludeTax: true,
      subtotal: 50.39,
      taxTotal: 9.58,
      total: 59.97,
      taxes: [{ category: "S", rate: 19, base: 50.39, tax: 9.58, reason: null }],
      items: [
        { rate: 19.99, amount: 50.39, grossAmount: 59.97, taxCategory: "S", taxRate: 19, taxCode: null },
      ],
    })
    const invoice = (await shop.bill(order.id)).body.data
    expect(invoice).toMatchObject({ pricesIncludeTax: true, total: 59.97, taxTotal: 9.58 })
    expect((await shop.pay(invoice.id, 59.97)).status).toBe(201)
  })

  test("follow the setting, and a document of the other sense converts the selling price", async () => {
    const line = [{ item: lamp, quantity: 1 }]
    expect(await orderFor({}, line)).toMatchObject({ pricesIncludeTax: false, items: [{ rate: 19.99 }] })
    expect(await orderFor({}, line, { pricesIncludeTax: true })).toMatchObject({
      items: [{ rate: 23.7881, grossAmount: 23.79, amount: 19.99 }],
    })
    await api.put("/settings", { pricesIncludeTax: true })
    expect(await orderFor({}, line)).toMatchObject({ pricesIncludeTax: true, items: [{ rate: 19.99 }] })
    expect(await orderFor({}, line, { pricesIncludeTax: false })).toMatchObject({
      items: [{ rate: 16.7983 }],
    })
    await api.put("/settings", { pricesIncludeTax: false })
  })

  test("are first those of the customer: a new document starts with them, another customer of a draft keeps its own", async () => {
    const line = [{ item: lamp, quantity: 1 }]
    expect(await orderFor({ pricesIncludeTax: true }, line)).toMatchObject({
      pricesIncludeTax: true,
      items: [{ rate: 23.7881, grossAmount: 23.79 }],
    })
    const given = await orderFor({ pricesIncludeTax: true }, line, { pricesIncludeTax: false })
    expect(given).toMatchObject({ pricesIncludeTax: false, items: [{ rate: 19.99 }] })
    const { id: gross } = await shop.customer({ pricesIncludeTax: true })
    const moved = await api.put(`/sales-orders/${given.id}`, { customer: gross })
    expect(moved.body.data).toMatchObject({ pricesIncludeTax: false, items: [{ rate: 19.99 }] })
    const invoice = await shop.invoice({ customer: gross, items: line })
    expect(invoice).toMatchObject({ pricesIncludeTax: true, items: [{ rate: 23.7881 }] })
    await api.put("/settings", { pricesIncludeTax: true })
    expect(await orderFor({ pricesIncludeTax: false }, line)).toMatchObject({
      pricesIncludeTax: false,
      items: [{ rate: 16.7983 }],
    })
    await api.put("/settings", { pricesIncludeTax: false })
  })

  test("can be switched on a draft: the rates stay, and the sums follow", async () => {
    const order = await orderFor({}, [{ item: desk, quantity: 1 }])
    expect(order).toMatchObject({ total: 119 })
    const { body } = await api.put(`/sales-orders/${order.id}`, { pricesIncludeTax: true })
    expect(body.data).toMatchObject({ total: 100, subtotal: 84.03, items: [{ rate: 100, grossAmount: 100 }] })
    const back = await api.put(`/sales-orders/${order.id}`, { pricesIncludeTax: false })
    expect(back.body.data).toMatchObject({ total: 119, items: [{ rate: 100, grossAmount: null }] })
  })

  test("add up over partial invoices, with a discount that is an amount", async () => {
    const items = [
      { item: lamp, quantity: 7, rate: 19.99, discountAmount: 10 },
      { item: desk, quantity: 3, rate: 33.33, taxCode: reduced },
    ]
    const order = await orderFor({}, items, { pricesIncludeTax: true, status: "submitted" })
    expect(order).toMatchObject({ total: 229.92, discountTotal: 10 })
    const [first, second] = order.items as [{ id: string }, { id: string }]
    const parts = [
      [{ orderLine: first.id, quantity: 2 }],
      [
        { orderLine: second.id, quantity: 1 },
        { orderLine: first.id, quantity: 3 },
      ],
      null,
    ]
    const bills: Document[] = []
    for (const part of parts) bills.push((await shop.bill(order.id, part ? { items: part } : {})).body.data)
    const sum = (name: string) =>
      Math.round(bills.reduce((all, bill) => all + Number(bill[name]) * 100, 0)) / 100
    for (const name of ["total", "subtotal", "taxTotal", "discountTotal"])
      expect(sum(name)).toBe(Number(order[name]))
    expect((await shop.get("sales-orders", order.id)).status).toBe("completed")
  })
})

test("a discount of the whole price leaves nothing to pay on any part of an order", async () => {
  const items = [{ description: "Screws", quantity: 3, rate: 0.0075, discountAmount: 0.02 }]
  const order = await orderFor({}, items, { status: "submitted" })
  const [line] = order.items as [{ id: string }]
  const part = await shop.bill(order.id, { items: [{ orderLine: line.id, quantity: 2 }] })
  const rest = await shop.bill(order.id)
  expect([order, part.body.data, rest.body.data]).toMatchObject([{ total: 0 }, { total: 0 }, { total: 0 }])
})

describe("a tax treatment", () => {
  test.each([
    ["reverse-charge", "AE", "AE", "Reverse charge"],
    ["intra-community", "K", "AE", "Intra-Community"],
    ["export", "G", "G", "Export"],
  ])("%s makes goods %s and services %s at 0 %%", async (taxTreatment, goods, services, reason) => {
    const customer = await shop.customer({ taxTreatment, taxId: "FR40303265045" })
    const items = [
      { item: desk, quantity: 1 },
      { item: work, quantity: 1 },
      { description: "Travel", quantity: 1, rate: 10 },
    ]
    const order = await shop.order({ customer: customer.id, items })
    expect(order.items.map(({ taxCategory }: Document) => taxCategory)).toEqual([goods, services, services])
    expect(order).toMatchObject({ taxTotal: 0, total: 160 })
    const tax = order.taxes.find(({ category }: { category: string }) => category === goods)
    expect(tax.reason.toLowerCase()).toContain(reason.toLowerCase())
  })

  test("exempt needs a reason, which the document shows", async () => {
    expect(refusalOf(await api.post("/customers", { name: "X", taxTreatment: "exempt" }))).toMatchObject({
      status: 422,
      fields: ["taxReason"],
    })
    const customer = { taxTreatment: "exempt", taxReason: "Diplomatic mission" }
    expect(await orderFor(customer, [{ item: desk, quantity: 1 }])).toMatchObject({
      taxes: [{ category: "E", rate: 0, base: 100, tax: 0, reason: "Diplomatic mission" }],
    })
  })

  test("yields to a tax code of the line", async () => {
    const items = [{ item: desk, quantity: 1, taxCode: reduced }]
    const order = await orderFor({ taxTreatment: "export" }, items)
    expect(order).toMatchObject({ taxTotal: 7, items: [{ taxCode: reduced, taxCategory: "S", taxRate: 7 }] })
  })

  test("makes prices net, and refuses prices that include tax", async () => {
    await api.put("/settings", { pricesIncludeTax: true })
    const customer = await shop.customer({ taxTreatment: "reverse-charge" })
    const items = [{ item: lamp, quantity: 1 }]
    expect(await shop.order({ customer: customer.id, items })).toMatchObject({
      pricesIncludeTax: false,
      items: [{ rate: 16.7983, taxRate: 0 }],
    })
    const asked = await api.post("/sales-orders", { customer: customer.id, items, pricesIncludeTax: true })
    expect(asked.body.error.details).toEqual([
      expect.objectContaining({ field: "pricesIncludeTax", code: "RULE", params: { rule: "TREATMENT" } }),
    ])
    await api.put("/settings", { pricesIncludeTax: false })
  })

  test("of another customer taxes the lines of a draft again, except those with their own tax code", async () => {
    const items = [
      { item: lamp, quantity: 1, rate: 19.99 },
      { item: desk, quantity: 1, rate: 107, taxCode: reduced },
    ]
    const order = await orderFor({}, items, { pricesIncludeTax: true })
    const abroad = await shop.customer({ taxTreatment: "export" })
    const { body } = await api.put(`/sales-orders/${order.id}`, { customer: abroad.id })
    expect(body.data).toMatchObject({
      pricesIncludeTax: false,
      items: [
        { id: order.items[0]?.id, rate: 16.7983, taxCategory: "G", taxRate: 0, grossAmount: null },
        { id: order.items[1]?.id, rate: 100, taxCategory: "S", taxRate: 7, grossAmount: null },
      ],
    })
  })

  test("of another customer keeps a discount of the whole price, which rounding must not exceed", async () => {
    // Without tax, 0.12 is 0.1008 and the discount of 0.72 is 0.61, but 6 × 0.1008 is only 0.60.
    const items = [{ item: lamp, quantity: 6, rate: 0.12, discountAmount: 0.72 }]
    const order = await orderFor({}, items, { pricesIncludeTax: true })
    const abroad = await shop.customer({ taxTreatment: "export" })
    const { status, body } = await api.put(`/sales-orders/${order.id}`, { customer: abroad.id })
    expect([status, body.data]).toMatchObject([
      200,
      { total: 0, items: [{ rate: 0.1008, discountAmount: 0.6, amount: 0 }] },
    ])
  })

  test("of another customer converts rates and discounts that are sent back, too", async () => {
    const items = [{ item: lamp, quantity: 2, rate: 50, discountAmount: 5 }]
    const abroad = await shop.customer({ taxTreatment: "export" })
    const moved: Document[] = []
    for (const isSent of [false, true]) {
      const order = await orderFor({}, items, { pricesIncludeTax: true })
      const body = { customer: abroad.id, ...(isSent ? { items: order.items } : {}) }
      moved.push((await api.put(`/sales-orders/${order.id}`, body)).body.data)
    }
    for (const order of moved)
      expect(order).toMatchObject({ total: 79.83, items: [{ rate: 42.0168, discountAmount: 4.2 }] })
  })

  test("AE and K need the tax ID of the customer at issue, whichever way an invoice is issued", async () => {
    const customer = await shop.customer({ taxTreatment: "reverse-charge" })
    const items = [{ item: desk, quantity: 1 }]
    const order = await shop.submitted({ customer: customer.id, items })
    const draft = await api.create("/invoices", { customer: customer.id, items })
    const refused = [
      shop.bill(order.id),
      api.post("/invoices", { customer: customer.id, items, status: "unpaid" }),
      shop.status("invoices", draft.id, "unpaid"),
    ]
    for (const answer of await Promise.all(refused)) {
      expect(answer.status).toBe(422)
      expect(answer.body.error.details[0]).toMatchObject({ field: "taxId", code: "REQUIRED" })
    }
    await api.put(`/customers/${customer.id}`, { taxId: "FR40303265045", language: "de" })
    const issued = (await shop.status("invoices", draft.id, "unpaid")).body.data
    expect(issued).toMatchObject({
      taxId: "FR40303265045",
      language: "de",
      taxes: [{ category: "AE", reason: "Steuerschuldnerschaft des Leistungsempfängers" }],
    })
  })
})

describe("a line", () => {
  test("without an item has a description, and is sold, invoiced and sent back like another", async () => {
    const items = [
      { description: "Assembly", quantity: 2, rate: 30, uom: "h", taxCode: reduced },
      { item: desk, quantity: 1 },
    ]
    const order = await orderFor({}, items, { status: "submitted" })
    expect(order.items[0]).toMatchObject({
      item: null,
      itemCode: null,
      itemName: null,
      description: "Assembly",
      uom: "h",
      amount: 60,
      taxRate: 7,
    })
    const invoice = (await shop.bill(order.id)).body.data
    expect(invoice.items[0]).toMatchObject({ description: "Assembly", uom: "h", amount: 60 })
    expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(200)
  })

  test("that is read and sent back does not change, in either price sense and with any discount", async () => {
    for (const pricesIncludeTax of [false, true]) {
      const items = [
        { item: lamp, quantity: 3, discountAmount: 7.77 },
        { item: desk, quantity: 1.5, discount: 3.3333, taxCode: exempt },
        { description: "Work\nby the hour", quantity: 2.25, rate: 17.5, discountAmount: 1 },
      ]
      const order = await orderFor({}, items, { pricesIncludeTax })
      const whole = await api.put(`/sales-orders/${order.id}`, order)
      expect(whole.body).toMatchObject({ data: order })
      expect(whole.body.meta?.warnings ?? []).toEqual([])
      const written = [
        "item",
        "description",
        "uom",
        "quantity",
        "rate",
        "discount",
        "discountAmount",
        "taxCode",
      ]
      const withoutIds = order.items.map((line) =>
        Object.fromEntries(written.map((name) => [name, line[name]])),
      )
      const again = await api.put(`/sales-orders/${order.id}`, { items: withoutIds })
      expect(again.body.data).toEqual(order)
    }
  })

  test("of a part of an order can be sent back, although its amounts are what other parts have left", async () => {
    for (const [pricesIncludeTax, discount] of [
      [false, { discountAmount: 10 }],
      [true, { discountAmount: 3.33 }],
      [true, {}],
      [true, { discount: 33.3333 }],
    ] as const) {
      const items = [{ item: lamp, quantity: 3, ...discount }]
      const order = await orderFor({}, items, { pricesIncludeTax, status: "submitted" })
      const orderLine = order.items[0]?.id
      for (const part of [{ items: [{ orderLine, quantity: 1 }] }, {}]) {
        const invoice = (await shop.bill(order.id, part)).body.data
        const again = await api.put(`/invoices/${invoice.id}`, { ...invoice, notes: "Sent back" })
        expect([again.status, again.body.data?.items]).toEqual([200, invoice.items])
      }
    }
  })

  test("that gets another item has the tax of that item, even if the code of the old one is sent back", async () => {
    const full = await api.create("/tax-codes", { code: "F19", name: "Full", category: "S", rate: 19 })
    const [one, other] = [await shop.item({ taxCode: full.id }), await shop.item({ taxCode: reduced })]
    const order = await orderFor({}, [{ item: one.id, quantity: 1 }])
    const [line] = order.items
    const { body } = await api.put(`/sales-orders/${order.id}`, {
      items: [{ ...line, item: other.id, itemCode: null }],
    })
    expect(body.data.items[0]).toMatchObject({ taxCode: reduced, taxRate: 7 })
  })

  test("takes the discount that differs from what is stored, as a percentage or an amount", async () => {
    const order = await orderFor({}, [{ item: desk, quantity: 2, discount: 10 }])
    const [line] = order.items as [Record<string, unknown>]
    expect(line).toMatchObject({ discount: 10, discountAmount: 20, amount: 180 })
    const put = async (over: object) => {
      const { body } = await api.put(`/sales-orders/${order.id}`, { items: [{ ...line, ...over }] })
      return body.data?.items[0] ?? body.error
    }
    const byAmount = await put({ discountAmount: 33.33 })
    expect(byAmount).toMatchObject({ discount: 16.665, discountAmount: 33.33, amount: 166.67 })
    // The amount is remembered: it stays when the quantity changes.
    const more = await api.put(`/sales-orders/${order.id}`, { items: [{ ...byAmount, quantity: 3 }] })
    expect(more.body.data.items[0]).toMatchObject({ discountAmount: 33.33, amount: 266.67, discount: 11.11 })
    const percent = await api.put(`/sales-orders/${order.id}`, {
      items: [{ ...more.body.data.items[0], discount: 50 }],
    })
    expect(percent.body.data.items[0]).toMatchObject({ discount: 50, discountAmount: 150 })
    const agreeing = await api.put(`/sales-orders/${order.id}`, {
      items: [{ ...percent.body.data.items[0], discount: 20, discountAmount: 60 }],
    })
    expect(agreeing.body.data.items[0]).toMatchObject({ discount: 20, discountAmount: 60 })
  })

  test("is refused with a clear field when its values do not fit", async () => {
    const free = { description: "Work", quantity: 1, rate: 5 }
    const cases: [object, string][] = [
      [{ quantity: 1 }, "items[0].item REQUIRED"],
      [{ description: "Work", quantity: 1 }, "items[0].rate REQUIRED"],
      [{ item: desk, description: "Both", quantity: 1 }, "items[0].description RULE"],
      [{ item: desk, quantity: 1, uom: "box" }, "items[0].uom RULE"],
      [{ ...free, taxCode: "tax_01kb2qk3dvb6r8h5m9x4w7z2nc" }, "items[0].taxCode NOT_FOUND"],
      [{ ...free, discountAmount: 5.01 }, "items[0].discountAmount TOO_LARGE"],
      [{ ...free, discountAmount: 1.001 }, "items[0].discountAmount FORMAT"],
      [{ ...free, discountAmount: -1 }, "items[0].discountAmount TOO_SMALL"],
      [{ ...free, discount: 10, discountAmount: 2 }, "items[0].discountAmount RULE"],
      [{ ...free, description: "" }, "items[0].description TOO_SHORT"],
      [{ ...free, description: "x".repeat(1_001) }, "items[0].description TOO_LONG"],
      [{ ...free, taxRate: 19 }, "items[0].taxRate READ_ONLY"],
    ]
    for (const [line, problem] of cases) expect(await problemsOf({ items: [line] })).toEqual([problem])
  })

  test("without a tax code takes the default tax code of the settings, if it has no item", async () => {
    await api.put("/settings", { defaultTaxCode: reduced })
    const order = await orderFor({}, [{ description: "Work", quantity: 1, rate: 100 }])
    expect(order).toMatchObject({ taxTotal: 7, items: [{ taxCode: reduced }] })
    await api.put("/settings", { defaultTaxCode: null })
    const other = await orderFor({}, [{ description: "Work", quantity: 1, rate: 100 }])
    expect(other).toMatchObject({ taxTotal: 0, taxes: [{ category: null, rate: 0, base: 100, tax: 0 }] })
  })

  test("cannot newly name an inactive tax code, but keeps the one it has", async () => {
    const code = await api.create("/tax-codes", { code: "OLD", name: "Old", category: "S", rate: 16 })
    const order = await orderFor({}, [{ item: desk, quantity: 1, taxCode: code.id }])
    await api.put(`/tax-codes/${code.id}`, { isActive: false })
    expect(await problemsOf({ items: [{ item: desk, quantity: 1, taxCode: code.id }] })).toEqual([
      "items[0].taxCode RULE",
    ])
    const [line] = order.items
    const kept = await api.put(`/sales-orders/${order.id}`, { items: [{ ...line, quantity: 2 }] })
    expect(kept.body.data).toMatchObject({ taxTotal: 32 })
    expect(refusalOf(await api.put(`/tax-codes/${code.id}`, { rate: 17 }))).toMatchObject({
      status: 422,
      fields: ["rate"],
    })
  })
})

describe("an issued invoice", () => {
  test("keeps its company, its customer and its taxes, whatever changes afterwards", async () => {
    const company = { companyName: "Nordlicht GmbH", companyAddress: "Hafen 1\nHamburg", companyTaxId: "DE1" }
    await api.put("/settings", company)
    const code = await api.create("/tax-codes", { code: "E9", name: "E", category: "E", reason: "First" })
    const item = await shop.item({ taxCode: code.id })
    const customer = await shop.customer({ name: "Before", contactName: "Anna", address: { city: "Kiel" } })
    const invoice = await api.create("/invoices", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
      status: "unpaid",
    })
    expect(invoice).toMatchObject({
      seller: { legalName: "Nordlicht GmbH", vatId: "DE1", address: { street: "Hafen 1\nHamburg" } },
      buyer: { name: "Before", contactName: "Anna", address: { city: "Kiel" } },
      taxes: [{ category: "E", reason: "First" }],
      language: "en",
    })
    await api.put("/settings", { companyName: "After", legalName: "After AG", companyAddress: "Elsewhere" })
    await api.put(`/customers/${customer.id}`, { name: "Changed", taxTreatment: "export", language: "fr" })
    await api.put(`/items/${item.id}`, { itemName: "Changed", taxRate: 7 })
    await api.put(`/tax-codes/${code.id}`, { reason: "Second", name: "Changed" })
    const after = await shop.get("invoices", invoice.id)
    expect({ ...after, etag: null }).toEqual({ ...invoice, etag: null })
    const { bytes } = await download(kontor, api, `/invoices/${invoice.id}/pdf`)
    const { text } = await readPdf(new Uint8Array(bytes))
    for (const part of ["Nordlicht GmbH", "Hafen 1", "Before", "Kiel", "First"]) expect(text).toContain(part)
    expect(text).not.toMatch(/After|Elsewhere|Changed|Second/)
    await api.put("/settings", {
      companyName: null,
      legalName: null,
      companyAddress: null,
      companyTaxId: null,
    })
  })

  test("has a supply date: the order's delivery date, else the invoice date", async () => {
    const order = await shop.submitted({ orderDate: "2026-03-01", deliveryDate: "2026-03-09" })
    const dates = { invoiceDate: "2026-03-20" }
    expect((await shop.bill(order.id, dates)).body.data.supplyDate).toBe("2026-03-09")
    const other = await shop.submitted({ orderDate: "2026-03-01" })
    expect((await shop.bill(other.id, dates)).body.data.supplyDate).toBe("2026-03-20")
    const given = await shop.submitted({ orderDate: "2026-03-01" })
    const own = { ...dates, supplyDate: "2026-03-02", buyerReference: "PO 7" }
    expect((await shop.bill(given.id, own)).body.data).toMatchObject({
      supplyDate: "2026-03-02",
      buyerReference: "PO 7",
    })
    const customer = (await shop.customer()).id
    const draft = await api.create("/invoices", { customer, items: [{ item: desk, quantity: 1 }], ...dates })
    const moved = await api.put(`/invoices/${draft.id}`, { invoiceDate: "2026-03-25" })
    expect(moved.body.data.supplyDate).toBe("2026-03-25")
    const cleared = await api.put(`/invoices/${draft.id}`, { supplyDate: "2026-03-01" })
    expect(cleared.body.data.supplyDate).toBe("2026-03-01")
    expect((await api.put(`/invoices/${draft.id}`, { supplyDate: null })).body.data.supplyDate).toBe(
      "2026-03-25",
    )
  })

  test("ships to the address of the customer, unless the document names another", async () => {
    const customer = await shop.customer({ shippingAddress: { city: "Kiel" } })
    const items = [{ item: desk, quantity: 1 }]
    const order = await shop.submitted({ customer: customer.id, items, buyerReference: "PO 1" })
    expect(order.shippingAddress).toMatchObject({ city: "Kiel" })
    expect((await shop.bill(order.id)).body.data).toMatchObject({
      shippingAddress: { city: "Kiel" },
      buyerReference: "PO 1",
    })
    const own = await shop.order({ customer: customer.id, items, shippingAddress: { city: "Bonn" } })
    expect(own.shippingAddress).toMatchObject({ city: "Bonn" })
  })
})
