import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { signIn, type Answer, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import * as rules from "../support/shop-model"
import { count, priceOf, sum, totalOf, type Counted, type Line, type Tax } from "../support/shop-model"
import { trade, type Trade } from "../support/trade"

/**
 * Random sequences of operations, applied to the API and to a simple model in memory (test/support/shop-model.ts). After
 * every operation both must agree on everything.
 */
type Order = { id: string; customer: number; status: string; isGross: boolean; lines: Line[] }
type Part = { line: Line; quarters: number; price: number; discount: number }
type Payment = { id: string; cents: number; day: number }
type Invoice = {
  id: string
  /** Null for an invoice of its own, which begins as a draft. */
  order: Order | null
  customer: number
  isGross: boolean
  day: number
  status: string
  parts: Part[]
  counted: Counted
  payments: Payment[]
}
/** Days count from today: -1 is yesterday. The period up to and including `locked` is closed. */
type Model = { orders: Order[]; invoices: Invoice[]; stock: number[]; locked: number }
type Item = { id: string; tax: Tax; hasStock: boolean }
type Customer = { id: string; treatment: rules.Treatment; hasTaxId: boolean }
type Real = { shop: Trade; api: Api; items: Item[]; customers: Customer[]; codes: Tax[]; freeTax: Tax }

const dateOf = (day: number) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)
const cents = (amount: number | null) => (amount === null ? null : Math.round(amount * 100))
const orderCounted = ({ lines, isGross }: Order) => count(lines.map(asPart), isGross)
const asPart = (line: Line) => ({
  line,
  tax: line.tax,
  quarters: line.quarters,
  price: priceOf(line, line.quarters),
  discount: rules.discountOf(line)[1],
})
const invoiceTotal = ({ counted }: Invoice) => totalOf(counted)
const paidOn = ({ payments }: Invoice) => sum(payments.map((payment) => payment.cents))
const isLive = ({ status }: Invoice) => status !== "cancelled"
const liveOf = (model: Model, order: Order) =>
  model.invoices.filter((each) => each.order === order && isLive(each))
const settle = (invoice: Invoice) => {
  const paid = paidOn(invoice)
  invoice.status = paid >= invoiceTotal(invoice) ? "paid" : paid > 0 ? "partially_paid" : "unpaid"
}

/** The tax of a line: its own code wins, then the treatment of the customer, then the item. */
function taxFor(item: number | null, own: Tax | null, customer: number, real: Real): Tax {
  if (own) return own
  const sold = item === null ? null : real.items[item]
  const treatment = real.customers[customer]?.treatment
  const category = sold?.hasStock ? treatment?.goods : treatment?.others
  return category ? { code: null, category, rate: 0 } : (sold?.tax ?? real.freeTax)
}

/** The amount of a partial invoice: everything invoiced including it, minus the amount of the other invoices. */
function bill(model: Model, order: Order, chosen: { line: Line; quarters: number }[]) {
  const live = liveOf(model, order)
  const earlier = live.flatMap(({ parts }) => parts)
  const carriedOf = (line: Line) => earlier.filter((part) => part.line === line)
  const parts = chosen.map(({ line, quarters }): Part & { tax: Tax } => {
    const carried = carriedOf(line)
    const before = sum(carried.map(({ price }) => price))
    const price = Math.max(0, priceOf(line, line.invoiced + quarters) - before)
    const upTo = rules.discountUpTo(line, line.invoiced + quarters)
    const discount = Math.max(0, upTo - sum(carried.map((part) => part.discount)))
    return { line, quarters, price, discount, tax: line.tax }
  })
  const counted = count(parts, order.isGross, (key) => ({
    price: sum(earlier.filter(({ line }) => rules.keyOf(line.tax) === key).map(({ price }) => price)),
    tax: sum(live.map(({ counted: { rows } }) => rows.get(key)?.tax ?? 0)),
  }))
  return { parts, counted }
}

type Shown = Awaited<ReturnType<Trade["get"]>>

/** Compares the lines, taxes and totals of a document. */
function compareSums(
  shown: Shown,
  parts: Omit<Part, "quarters">[],
  isGross: boolean,
  counted: Counted,
): void {
  expect(shown.pricesIncludeTax).toBe(isGross)
  expect(
    shown.items.map((line: Shown) => [
      ...[line.amount, line.grossAmount, line.discountAmount].map(cents),
      line.taxCode,
      line.taxCategory,
      line.taxRate,
    ]),
  ).toEqual(
    parts.map(({ line: { tax }, price, discount }, i) => [
      counted.nets[i],
      isGross ? price : null,
      discount,
      tax.code,
      tax.category,
      tax.rate,
    ]),
  )
  expect(
    shown.taxes
      .map(({ category, rate, base, tax }: Shown) => [category, rate, cents(base), cents(tax)])
      .toSorted(),
  ).toEqual([...counted.rows.values()].map((row) => [row.category, row.rate, row.base, row.tax]).toSorted())
  for (const { category, reason } of shown.taxes)
    expect([category, reason !== null]).toEqual([category, ["E", "AE", "K", "G"].includes(category)])
  const net = sum(counted.nets)
  expect([shown.subtotal, shown.taxTotal, shown.total].map(cents)).toEqual([
    net,
    totalOf(counted) - net,
    totalOf(counted),
  ])
  // The total of a gross document is what was typed.
  if (isGross) expect(cents(shown.total)).toBe(sum(parts.map(({ price }) => price)))
}

async function compareOrder(model: Model, order: Order, { shop }: Real): Promise<void> {
  const shown = await shop.get("sales-orders", order.id)
  const counted = orderCounted(order)
  const live = liveOf(model, order)
  const billed = sum(live.map(invoiceTotal))
  expect([shown.status, cents(shown.invoicedTotal)]).toEqual([order.status, billed])
  compareSums(shown, order.lines.map(asPart), order.isGross, counted)
  expect(shown.items.map((line: Shown) => line.invoicedQuantity * 4)).toEqual(
    order.lines.map(({ invoiced }) => invoiced),
  )
  // The parts add up to the order. After a cancellation, rounding may differ until the next part.
  const wasCancelled = model.invoices.some((each) => each.order === order && !isLive(each))
  const isWhole = order.lines.every(({ quarters, invoiced }) => quarters === invoiced)
  if (isWhole && !wasCancelled) {
    expect(billed).toBe(totalOf(counted))
    const discounts = live.flatMap(({ parts }) => parts.map(({ discount }) => discount))
    expect(sum(discounts)).toBe(sum(order.lines.map((line) => asPart(line).discount)))
  }
}

async function compareInvoice(invoice: Invoice, { shop }: Real): Promise<void> {
  const shown = await shop.get("invoices", invoice.id)
  const owed = isLive(invoice) ? invoiceTotal(invoice) - paidOn(invoice) : 0
  expect([shown.status, shown.invoiceDate, cents(shown.balance)]).toEqual([
    invoice.status,
    dateOf(invoice.day),
    owed,
  ])
  compareSums(shown, invoice.parts, invoice.isGross, invoice.counted)
}

async function compareItem(model: Model, i: number, { shop, items }: Real): Promise<void> {
  const { id, hasStock } = items[i] as Item
  const shown = await shop.get("items", id)
  const promised = model.orders
    .filter(({ status }) => hasStock && status === "submitted")
    .flatMap(({ lines }) => lines.filter(({ item }) => item === i))
  expect([shown.currentStock * 4, shown.reservedStock * 4]).toEqual([
    model.stock[i] ?? 0,
    sum(promised.map(({ quarters, invoiced }) => quarters - invoiced)),
  ])
}

async function compareCustomer(model: Model, i: number, { shop, customers }: Real): Promise<void> {
  const shown = await shop.get("customers", customers[i]?.id ?? "")
  const owing = model.invoices.filter(
    (each) => each.customer === i && isLive(each) && each.status !== "draft",
  )
  const open = model.orders.filter(({ customer, status }) => customer === i && status === "submitted")
  expect([shown.outstandingBalance, shown.openOrdersValue].map(cents)).toEqual([
    sum(owing.map((each) => invoiceTotal(each) - paidOn(each))),
    sum(
      open.map((order) =>
        Math.max(0, totalOf(orderCounted(order)) - sum(liveOf(model, order).map(invoiceTotal))),
      ),
    ),
  ])
}

const compare = (model: Model, real: Real) =>
  Promise.all([
    ...model.orders.map((order) => compareOrder(model, order, real)),
    ...model.invoices.map((invoice) => compareInvoice(invoice, real)),
    ...real.items.map((_, i) => compareItem(model, i, real)),
    ...real.customers.map((_, i) => compareCustomer(model, i, real)),
  ])

type Step = { title: string; at: number; run: (model: Model, real: Real, at: number) => Promise<void> }

/** An operation on the record with index `at`; without such a record it does nothing. */
const step = (title: string, run: Step["run"]) => fc.nat({ max: 50 }).map((at): Step => ({ title, at, run }))
const pick = <T>(list: T[], at: number): T | undefined =>
  list.length > 0 ? list[at % list.length] : undefined
/** Mostly a record in one of these statuses, so that most operations are possible. */
const pickIn = <T extends { status: string }>(list: T[], at: number, ...statuses: string[]): T | undefined =>
  pick(at % 5 === 0 ? list : list.filter(({ status }) => statuses.includes(status)), at)

/** Expects an operation that only a closed period forbids to name it. */
function expectAnswer(answer: Answer, status: number, isAllowed: boolean, isClosed: boolean): boolean {
  const code = isAllowed && isClosed ? "PERIOD_LOCKED" : undefined
  expect([answer.status, code && answer.body?.error?.code]).toEqual([
    isAllowed && !isClosed ? status : 422,
    code,
  ])
  return isAllowed && !isClosed
}

/** Dates of invoices and payments, and the ends of closed periods, which only move forward. */
const days = fc.constantFrom(0, 0, -5, -15, -25)
const locks = [-30, -20, -10, -1]
/** The index of a customer; the first two are domestic. */
const buyers = fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 5)

const givenLines = fc.array(
  fc.record({
    /** One of the five items; the sixth is a line without an item. */
    item: fc.nat({ max: 5 }).map((item) => (item === 5 ? null : item)),
    quarters: fc.integer({ min: 1, max: 20 }),
    cents: fc.integer({ min: 0, max: 999 }),
    percent: fc.constantFrom(0, 10, 33),
    /** A discount given as an amount: this part of the price. */
    cut: fc.constantFrom(null, null, 0.3, 1),
    /** One of the tax codes; mostly none. */
    code: fc.constantFrom(null, null, null, 0, 1, 2, 3),
  }),
  { minLength: 1, maxLength: 4 },
)
type Given = typeof givenLines extends fc.Arbitrary<infer T> ? T : never

/** The lines of a body, and of the model. */
function linesFrom(given: Given, customer: number, real: Real): { body: object[]; lines: Line[] } {
  const lines = given.map(({ item, quarters, cents: price, percent, cut, code }): Line => {
    const rate = price * 100
    const amount = cut === null ? 0 : Math.floor(rules.fullPrice({ rate }, quarters) * cut)
    const own = code === null ? null : (real.codes[code] ?? null)
    const tax = taxFor(item, own, customer, real)
    const discount =
      amount > 0 ? { percent: 0, cut: amount } : { percent: cut === null ? percent : 0, cut: null }
    return { id: "", item, quarters, rate, ...discount, tax, hasOwnCode: own !== null, invoiced: 0 }
  })
  const body = lines.map((line) => ({
    ...(line.item === null ? { description: "Work" } : { item: real.items[line.item]?.id }),
    quantity: line.quarters / 4,
    rate: line.rate / 10_000,
    ...(line.cut === null ? { discount: line.percent } : { discountAmount: line.cut / 100 }),
    ...(line.hasOwnCode ? { taxCode: line.tax.code } : {}),
  }))
  return { body, lines }
}

const named = (lines: Line[], shown: { id: string }[]): Line[] =>
  lines.map((line, i) => ({ ...line, id: shown[i]?.id ?? "" }))

const creating = fc
  .tuple(givenLines, buyers, fc.boolean(), fc.boolean())
  .map(([given, customer, isGross, isSubmitted]): Step => ({
    title: isSubmitted ? "order and submit" : "order",
    at: 0,
    async run(model, real) {
      const { body, lines } = linesFrom(given, customer, real)
      const status = isSubmitted ? "submitted" : "draft"
      const { id, treatment } = real.customers[customer] as Customer
      const sent = { customer: id, items: body, status, pricesIncludeTax: isGross }
      const answer = await real.api.post("/sales-orders", sent)
      const isAllowed = !isGross || treatment.name === "domestic"
      expect(answer.status).toBe(isAllowed ? 201 : 422)
      if (!isAllowed) return
      const { data } = answer.body
      model.orders.push({ id: data.id, customer, status, isGross, lines: named(lines, data.items) })
    },
  }))

const drafting = fc
  .tuple(givenLines, buyers, fc.boolean(), days)
  .map(([given, customer, isWithTax, day]): Step => ({
    title: "draft an invoice",
    at: 0,
    async run(model, real) {
      const { body, lines } = linesFrom(given, customer, real)
      const { id, treatment } = real.customers[customer] as Customer
      const isGross = isWithTax && treatment.name === "domestic"
      const head = { customer: id, invoiceDate: dateOf(day), pricesIncludeTax: isGross }
      const made = await real.api.create("/invoices", { ...head, items: body })
      const parts = lines.map(asPart)
      const counted = count(parts, isGross)
      const empty = { order: null, status: "draft", payments: [] }
      model.invoices.push({ id: made.id, ...empty, customer, isGross, day, parts, counted })
    },
  }))

const same = (a: Line, b: Line): boolean =>
  a.item === b.item &&
  a.quarters === b.quarters &&
  a.rate === b.rate &&
  String(rules.discountOf(a)) === String(rules.discountOf(b)) &&
  (!b.hasOwnCode || a.tax.code === b.tax.code)

const editing = fc.tuple(givenLines, fc.nat({ max: 50 })).map(([given, at]): Step => ({
  title: "edit",
  at,
  async run(model, real) {
    const order = pickIn(model.orders, at, "draft")
    if (!order) return
    const { body, lines } = linesFrom(given, order.customer, real)
    const answer = await real.api.put(`/sales-orders/${order.id}`, { items: body })
    expect(answer.status).toBe(order.status === "draft" ? 200 : 422)
    if (order.status !== "draft") return
    // A line that equals the stored one at its place is that line, with its tax.
    const stored = order.lines
    order.lines = named(lines, answer.body.data.items).map((line, i) => {
      const before = stored[i]
      return before && same(before, line) ? before : line
    })
  },
}))

/** Reads an order and sends it back with another quantity of one line. */
const sendingBack = step("send back", async (model, { shop, api }, at) => {
  const order = pick(
    model.orders.filter(({ status }) => status === "draft"),
    at,
  )
  const line = order && pick(order.lines, at)
  if (!order || !line) return
  const shown = await shop.get("sales-orders", order.id)
  const quarters = 1 + (at % 20)
  const items = shown.items.map((each: Shown) =>
    each.id === line.id ? { ...each, quantity: quarters / 4 } : each,
  )
  const answer = await api.put(`/sales-orders/${order.id}`, { ...shown, items })
  const isTooMuch = line.cut !== null && line.cut > rules.fullPrice(line, quarters)
  expect(answer.status).toBe(isTooMuch ? 422 : 200)
  if (!isTooMuch) line.quarters = quarters
})

const changingSense = step("gross or net", async (model, { api, customers }, at) => {
  const order = pickIn(model.orders, at, "draft")
  if (!order) return
  const isGross = !order.isGross
  const isAllowed =
    order.status === "draft" && (!isGross || customers[order.customer]?.treatment.name === "domestic")
  const answer = await api.put(`/sales-orders/${order.id}`, { pricesIncludeTax: isGross })
  expect(answer.status).toBe(isAllowed ? 200 : 422)
  if (isAllowed) order.isGross = isGross
})

/** Moves an order to the next customer. Another treatment taxes it anew, and makes it net. */
const movingCustomer = step("another customer", async (model, real, at) => {
  const order = pickIn(model.orders, at, "draft")
  if (!order) return
  const [before, customer] = [order.customer, (order.customer + 1 + (at % 5)) % real.customers.length]
  const { id, treatment } = real.customers[customer] as Customer
  const answer = await real.api.put(`/sales-orders/${order.id}`, { customer: id })
  expect(answer.status).toBe(order.status === "draft" ? 200 : 422)
  if (order.status !== "draft") return
  order.customer = customer
  const isNet = order.isGross && treatment.name !== "domestic"
  if (isNet) {
    order.isGross = false
    for (const line of order.lines) {
      line.rate = rules.withoutTax(line.rate, line.tax.rate)
      const full = rules.fullPrice(line, line.quarters)
      if (line.cut !== null) line.cut = Math.min(full, rules.withoutTax(line.cut, line.tax.rate))
    }
  }
  if (real.customers[before]?.treatment !== treatment)
    for (const line of order.lines) if (!line.hasOwnCode) line.tax = taxFor(line.item, null, customer, real)
})

const moving = (to: string, may: (model: Model, order: Order) => boolean) =>
  step(`order to ${to}`, async (model, { shop }, at) => {
    const order = pick(model.orders, at)
    if (!order) return
    const allowed = order.status === to || may(model, order)
    expect((await shop.status("sales-orders", order.id, to)).status).toBe(allowed ? 200 : 422)
    if (allowed) order.status = to
  })

/** True when the tax of a line needs a tax ID that the customer does not have. */
const lacksTaxId = (lines: { line: Line }[], customer: number, { customers }: Real) =>
  !customers[customer]?.hasTaxId &&
  lines.some(({ line: { tax } }) => ["AE", "K"].includes(tax.category ?? ""))

/** Takes what an invoice sells out of stock, or puts it back. */
function moveStock(model: Model, { parts }: Invoice, { items }: Real, sign: 1 | -1): void {
  for (const { line, quarters } of parts)
    if (line.item !== null && items[line.item]?.hasStock)
      model.stock[line.item] = (model.stock[line.item] ?? 0) + sign * quarters
}

const billing = (isWhole: boolean) =>
  fc.tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 6 }), days).map(([at, most, day]): Step => ({
    title: isWhole ? "invoice" : "invoice a part",
    at,
    async run(model, real) {
      const order = pickIn(model.orders, at, "submitted")
      if (!order) return
      const open = order.lines.filter(({ quarters, invoiced }) => quarters > invoiced)
      const chosen = (isWhole ? open : open.slice(at % 2).slice(0, 2)).map((line) => {
        const left = line.quarters - line.invoiced
        return { line, quarters: isWhole ? left : Math.min(left, most) }
      })
      if (chosen.length === 0 && !isWhole) return
      const items = chosen.map(({ line, quarters }) => ({ orderLine: line.id, quantity: quarters / 4 }))
      const body = { invoiceDate: dateOf(day), ...(isWhole ? {} : { items }) }
      const answer = await real.shop.bill(order.id, body)
      const isAllowed = order.status === "submitted"
      const isClosed = day <= model.locked
      const isRefused = isAllowed && !isClosed && lacksTaxId(chosen, order.customer, real)
      if (!expectAnswer(answer, 201, isAllowed && !isRefused, isClosed)) return
      const { customer, isGross } = order
      const head = { id: answer.body.data.id, order, customer, isGross, day, status: "", payments: [] }
      const invoice: Invoice = { ...head, ...bill(model, order, chosen) }
      settle(invoice)
      model.invoices.push(invoice)
      moveStock(model, invoice, real, -1)
      for (const { line, quarters } of chosen) line.invoiced += quarters
      if (order.lines.every(({ quarters, invoiced }) => quarters === invoiced)) order.status = "completed"
    },
  }))

const issuing = step("issue a draft", async (model, real, at) => {
  const invoice = pickIn(
    model.invoices.filter(({ order }) => order === null),
    at,
    "draft",
  )
  if (!invoice || !["draft", "cancelled"].includes(invoice.status)) return
  const isClosed = invoice.day <= model.locked
  const isRefused = !isClosed && lacksTaxId(invoice.parts, invoice.customer, real)
  const answer = await real.shop.status("invoices", invoice.id, "unpaid")
  if (!expectAnswer(answer, 200, invoice.status === "draft" && !isRefused, isClosed)) return
  settle(invoice)
  moveStock(model, invoice, real, -1)
})

const paying = fc.tuple(fc.nat({ max: 50 }), days).map(([at, day]): Step => ({
  title: "pay",
  at,
  async run(model, { shop }) {
    const invoice = pickIn(model.invoices, at, "unpaid", "partially_paid")
    if (!invoice) return
    const isOpen = isLive(invoice) && invoice.status !== "draft"
    const left = isOpen ? invoiceTotal(invoice) - paidOn(invoice) : 0
    const paid = (at % 3 === 0 ? left : Math.ceil(left / 2)) || 1
    const answer = await shop.pay(invoice.id, paid / 100, { paymentDate: dateOf(day) })
    if (!expectAnswer(answer, 201, left > 0, day <= model.locked)) return
    invoice.payments.push({ id: answer.body.data.id, cents: paid, day })
    settle(invoice)
  },
}))

const unpaying = step("remove a payment", async (model, { api }, at) => {
  const invoice = pick(
    model.invoices.filter(({ payments }) => payments.length > 0),
    at,
  )
  const payment = invoice && pick(invoice.payments, at)
  if (!invoice || !payment) return
  const answer = await api.delete(`/invoices/${invoice.id}/payments/${payment.id}`)
  if (!expectAnswer(answer, 204, true, payment.day <= model.locked)) return
  invoice.payments = invoice.payments.filter((each) => each !== payment)
  settle(invoice)
})

const cancelling = step("cancel an invoice", async (model, real, at) => {
  const invoice = pickIn(model.invoices, at, "unpaid", "draft")
  if (!invoice) return
  const [isCancelled, isDraft] = [!isLive(invoice), invoice.status === "draft"]
  const isClosed = !isCancelled && !isDraft && invoice.day <= model.locked
  const answer = await real.shop.status("invoices", invoice.id, "cancelled")
  if (!expectAnswer(answer, 200, isCancelled || invoice.payments.length === 0, isClosed)) return
  invoice.status = "cancelled"
  if (isCancelled || isDraft) return
  moveStock(model, invoice, real, 1)
  if (!invoice.order) return
  for (const { line, quarters } of invoice.parts) line.invoiced -= quarters
  if (invoice.order.status === "completed") invoice.order.status = "submitted"
})

const deleting = step("delete an order", async (model, { api }, at) => {
  const order = pick(model.orders, at)
  if (!order) return
  const wasInvoiced = model.invoices.some((each) => each.order === order)
  const may = order.status === "draft" || (order.status === "cancelled" && !wasInvoiced)
  expect((await api.delete(`/sales-orders/${order.id}`)).status).toBe(may ? 204 : 422)
  if (may) model.orders = model.orders.filter((each) => each !== order)
})

const receiving = step("receive goods", async (model, { shop, items }, at) => {
  const item = at % items.length
  if (!items[item]?.hasStock) return
  await shop.receive(items[item].id, at + 1)
  model.stock[item] = (model.stock[item] ?? 0) + (at + 1) * 4
})

const locking = step("close a period", async (model, { api }) => {
  const next = locks.find((day) => day > model.locked)
  if (next === undefined) return
  expect((await api.put("/settings", { lockedUntil: dateOf(next) })).status).toBe(200)
  model.locked = next
})

const story = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: creating },
    { weight: 1, arbitrary: drafting },
    { weight: 1, arbitrary: editing },
    { weight: 1, arbitrary: sendingBack },
    { weight: 1, arbitrary: changingSense },
    { weight: 1, arbitrary: movingCustomer },
    { weight: 2, arbitrary: moving("submitted", (_, { status }) => status === "draft") },
    { weight: 1, arbitrary: moving("completed", (_, { status }) => status === "submitted") },
    {
      weight: 1,
      arbitrary: moving(
        "cancelled",
        (model, order) => ["draft", "submitted"].includes(order.status) && liveOf(model, order).length === 0,
      ),
    },
    { weight: 2, arbitrary: billing(true) },
    { weight: 4, arbitrary: billing(false) },
    { weight: 1, arbitrary: issuing },
    { weight: 3, arbitrary: paying },
    { weight: 1, arbitrary: unpaying },
    { weight: 2, arbitrary: cancelling },
    { weight: 1, arbitrary: deleting },
    { weight: 1, arbitrary: receiving },
    { weight: 1, arbitrary: locking },
  ),
  { minLength: 10, maxLength: 25 },
)

let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

/** The codes that lines name; the last is the default of lines without an item. */
async function makeCodes(): Promise<Tax[]> {
  const given = [
    { code: "T19", category: "S", rate: 19 },
    { code: "T0", category: "Z", rate: 0 },
    { code: "TE", category: "E", rate: 0, reason: "Exempt by law" },
    { code: "TAE", category: "AE", rate: 0 },
    { code: "T7", category: "S", rate: 7 },
  ]
  const made = await Promise.all(given.map((body) => api.create("/tax-codes", { name: body.code, ...body })))
  return made.map(({ id, category, rate }) => ({ code: id, category, rate }))
}

/** Products with tax rates and tax codes, and a service. */
async function makeItems(shop: Trade, [standard, zero]: Tax[]): Promise<Item[]> {
  const given = [{ taxRate: 0 }, { taxRate: 7 }, { taxCode: standard?.code }, { taxCode: zero?.code }]
  const service = { taxRate: 19, itemType: "Service" }
  const made = await Promise.all([...given, service].map((body) => shop.item(body)))
  return made.map(({ id, taxCode, taxRate, itemType }) => {
    const category = taxCode === zero?.code ? "Z" : taxRate > 0 ? "S" : null
    return { id, tax: { code: taxCode, category, rate: taxRate }, hasStock: itemType !== "Service" }
  })
}

/** A customer of each treatment, and one without a tax ID. */
async function makeCustomers(shop: Trade): Promise<Customer[]> {
  const given = [rules.treatments[0], ...rules.treatments]
  return Promise.all(
    given.map(async (treatment, i) => {
      const taxReason = treatment.name === "exempt" ? { taxReason: "Small business" } : {}
      const taxId = i > 0 ? { taxId: "DE123456789" } : {}
      const { id } = await shop.customer({ taxTreatment: treatment.name, ...taxReason, ...taxId })
      return { id, treatment, hasTaxId: i > 0 }
    }),
  )
}

test("after any sequence of operations the API and a simple model agree, and the checks find nothing", async () => {
  const shop = trade(api)
  const codes = await makeCodes()
  const freeTax = codes.at(-1) as Tax
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await api.put("/settings", { lockedUntil: null, defaultTaxCode: freeTax.code })
      const [items, customers] = await Promise.all([makeItems(shop, codes), makeCustomers(shop)])
      const model: Model = { orders: [], invoices: [], stock: [], locked: -Infinity }
      const real: Real = { shop, api, items, customers, codes, freeTax }
      for (const { run: tell, at } of steps) {
        await tell(model, real, at)
        await compare(model, real)
      }
    }),
    { numRuns: 60 },
  )
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})
