import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

/**
 * Random sequences of operations, applied to the API and to a simple model in memory, which counts in cents and shares
 * no code with the server. After every operation both must agree on everything.
 */
type Line = {
  id: string
  item: number
  quantity: number
  cents: number
  discount: number
  tax: number
  invoiced: number
}
type Order = { id: string; customer: number; status: string; lines: Line[] }
type Part = { line: Line; quantity: number; amount: number }
type Invoice = {
  id: string
  order: Order
  status: string
  parts: Part[]
  taxes: Map<number, number>
  payments: { id: string; cents: number }[]
}
type Model = { orders: Order[]; invoices: Invoice[]; stock: number[] }
type Real = { shop: Trade; api: Api; items: string[]; customers: string[]; taxes: number[] }

const rounded = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator))
const amountOf = ({ cents, discount }: Line, quantity: number) =>
  rounded(quantity * cents * (100 - discount), 100)
const subtotalOf = (order: Order) => order.lines.reduce((sum, line) => sum + amountOf(line, line.quantity), 0)
const taxRates = (lines: Line[]) => [...new Set(lines.map(({ tax }) => tax))]
const totalOf = (order: Order) =>
  taxRates(order.lines).reduce((sum, rate) => {
    const base = order.lines
      .filter(({ tax }) => tax === rate)
      .reduce((all, line) => all + amountOf(line, line.quantity), 0)
    return sum + rounded(base * rate, 100)
  }, subtotalOf(order))
const invoiceTotal = ({ parts, taxes }: Invoice) =>
  parts.reduce((sum, { amount }) => sum + amount, 0) + [...taxes.values()].reduce((sum, tax) => sum + tax, 0)
const paidOn = ({ payments }: Invoice) => payments.reduce((sum, { cents }) => sum + cents, 0)
const liveOf = (model: Model, order: Order) =>
  model.invoices.filter((each) => each.order === order && each.status !== "cancelled")
const settle = (invoice: Invoice) => {
  const paid = paidOn(invoice)
  invoice.status = paid >= invoiceTotal(invoice) ? "paid" : paid > 0 ? "partially_paid" : "unpaid"
}

/** The amount of a partial invoice: everything invoiced including it, minus the amount of the other invoices. */
function bill(
  model: Model,
  order: Order,
  chosen: { line: Line; quantity: number }[],
): Pick<Invoice, "parts" | "taxes"> {
  const live = liveOf(model, order)
  const carriedOf = (line: Line) =>
    live
      .flatMap(({ parts }) => parts)
      .filter((part) => part.line === line)
      .reduce((sum, { amount }) => sum + amount, 0)
  const parts = chosen.map(({ line, quantity }) => ({
    line,
    quantity,
    amount: Math.max(0, amountOf(line, line.invoiced + quantity) - carriedOf(line)),
  }))
  const taxes = new Map(
    taxRates(chosen.map(({ line }) => line)).map((rate) => {
      const base = order.lines
        .filter(({ tax }) => tax === rate)
        .reduce(
          (sum, line) => sum + carriedOf(line) + (parts.find((part) => part.line === line)?.amount ?? 0),
          0,
        )
      const carried = live.reduce((sum, each) => sum + (each.taxes.get(rate) ?? 0), 0)
      return [rate, Math.max(0, rounded(base * rate, 100) - carried)]
    }),
  )
  return { parts, taxes }
}

async function compare(model: Model, { shop, items, customers }: Real): Promise<void> {
  const cents = (amount: number) => Math.round(amount * 100)
  for (const order of model.orders) {
    const shown = await shop.get("sales-orders", order.id)
    const billed = liveOf(model, order).reduce((sum, each) => sum + invoiceTotal(each), 0)
    expect([shown.status, cents(shown.total), cents(shown.invoicedTotal)]).toEqual([
      order.status,
      totalOf(order),
      billed,
    ])
    expect(shown.items.map(({ invoicedQuantity }: { invoicedQuantity: number }) => invoicedQuantity)).toEqual(
      order.lines.map(({ invoiced }) => invoiced),
    )
  }
  for (const invoice of model.invoices) {
    const shown = await shop.get("invoices", invoice.id)
    const owed = invoice.status === "cancelled" ? 0 : invoiceTotal(invoice) - paidOn(invoice)
    expect([shown.status, cents(shown.total), cents(shown.balance)]).toEqual([
      invoice.status,
      invoiceTotal(invoice),
      owed,
    ])
  }
  for (const [i, id] of items.entries()) {
    const shown = await shop.get("items", id)
    const promised = model.orders
      .filter(({ status }) => status === "submitted")
      .flatMap(({ lines }) => lines.filter(({ item }) => item === i))
      .reduce((sum, { quantity, invoiced }) => sum + quantity - invoiced, 0)
    expect([shown.currentStock, shown.reservedStock]).toEqual([model.stock[i], promised])
  }
  for (const [i, id] of customers.entries()) {
    const shown = await shop.get("customers", id)
    const owes = model.invoices
      .filter(({ order, status }) => order.customer === i && status !== "cancelled")
      .reduce((sum, each) => sum + invoiceTotal(each) - paidOn(each), 0)
    const open = model.orders
      .filter(({ customer, status }) => customer === i && status === "submitted")
      .reduce(
        (sum, order) =>
          sum +
          Math.max(
            0,
            totalOf(order) - liveOf(model, order).reduce((all, each) => all + invoiceTotal(each), 0),
          ),
        0,
      )
    expect([cents(shown.outstandingBalance), cents(shown.openOrdersValue)]).toEqual([owes, open])
  }
}

type Step = { title: string; at: number; run: (model: Model, real: Real, at: number) => Promise<void> }

/** An operation on the record with index `at`; without such a record it does nothing. */
const step = (title: string, run: Step["run"]) => fc.nat({ max: 50 }).map((at): Step => ({ title, at, run }))
const pick = <T>(list: T[], at: number): T | undefined =>
  list.length > 0 ? list[at % list.length] : undefined

const givenLines = fc.array(
  fc.record({
    item: fc.nat({ max: 2 }),
    quantity: fc.integer({ min: 1, max: 5 }),
    cents: fc.integer({ min: 0, max: 999 }),
    discount: fc.constantFrom(0, 10, 33),
  }),
  { minLength: 1, maxLength: 3 },
)
type Given = { item: number; quantity: number; cents: number; discount: number }[]

const toBody = (lines: Given, { items }: Real) =>
  lines.map(({ item, quantity, cents, discount }) => ({
    item: items[item],
    quantity,
    rate: cents / 100,
    discount,
  }))
const toLines = (lines: Given, shown: { id: string }[], { taxes }: Real): Line[] =>
  lines.map((line, i) => ({ ...line, id: shown[i]?.id ?? "", tax: taxes[line.item] ?? 0, invoiced: 0 }))

const creating = fc
  .tuple(givenLines, fc.nat({ max: 1 }), fc.boolean())
  .map(([lines, customer, submit]): Step => ({
    title: submit ? "order and submit" : "order",
    at: 0,
    async run(model, real) {
      const made = await real.shop.order({
        customer: real.customers[customer],
        items: toBody(lines, real),
        ...(submit ? { status: "submitted" } : {}),
      })
      model.orders.push({
        id: made.id,
        customer,
        status: submit ? "submitted" : "draft",
        lines: toLines(lines, made.items, real),
      })
    },
  }))

const editing = fc.tuple(givenLines, fc.nat({ max: 50 })).map(([lines, at]): Step => ({
  title: "edit",
  at,
  async run(model, real) {
    const order = pick(model.orders, at)
    if (!order) return
    const answer = await real.api.put(`/sales-orders/${order.id}`, { items: toBody(lines, real) })
    expect(answer.status).toBe(order.status === "draft" ? 200 : 422)
    if (order.status === "draft") order.lines = toLines(lines, answer.body.data.items, real)
  },
}))

const moving = (to: string, may: (model: Model, order: Order) => boolean) =>
  step(`order to ${to}`, async (model, { shop }, at) => {
    const order = pick(model.orders, at)
    if (!order) return
    const allowed = order.status === to || may(model, order)
    expect((await shop.status("sales-orders", order.id, to)).status).toBe(allowed ? 200 : 422)
    if (allowed) order.status = to
  })

const billing = (whole: boolean) =>
  step(whole ? "invoice" : "invoice a part", async (model, { shop }, at) => {
    const order = pick(model.orders, at)
    if (!order) return
    const open = order.lines.filter(({ quantity, invoiced }) => quantity > invoiced)
    const line = pick(open, at)
    const chosen = whole
      ? open.map((each) => ({ line: each, quantity: each.quantity - each.invoiced }))
      : line
        ? [{ line, quantity: 1 }]
        : []
    const items = whole ? {} : { items: [{ orderLine: (line ?? order.lines[0])?.id, quantity: 1 }] }
    const answer = await shop.bill(order.id, items)
    expect(answer.status).toBe(order.status === "submitted" ? 201 : 422)
    if (answer.status !== 201) return
    const invoice: Invoice = {
      id: answer.body.data.id,
      order,
      status: "unpaid",
      payments: [],
      ...bill(model, order, chosen),
    }
    settle(invoice)
    model.invoices.push(invoice)
    for (const { line: each, quantity } of chosen) {
      each.invoiced += quantity
      model.stock[each.item] = (model.stock[each.item] ?? 0) - quantity
    }
    if (order.lines.every(({ quantity, invoiced }) => quantity === invoiced)) order.status = "completed"
  })

const paying = step("pay", async (model, { shop }, at) => {
  const invoice = pick(model.invoices, at)
  if (!invoice) return
  const left = invoice.status === "cancelled" ? 0 : invoiceTotal(invoice) - paidOn(invoice)
  const cents = at % 3 === 0 ? left : Math.ceil(left / 2) || 1
  const answer = await shop.pay(invoice.id, (cents || 1) / 100)
  expect(answer.status).toBe(left > 0 && (cents || 1) <= left ? 201 : 422)
  if (answer.status !== 201) return
  invoice.payments.push({ id: answer.body.data.id, cents })
  settle(invoice)
})

const unpaying = step("remove a payment", async (model, { api }, at) => {
  const invoice = pick(
    model.invoices.filter(({ payments }) => payments.length > 0),
    at,
  )
  const payment = invoice && pick(invoice.payments, at)
  if (!invoice || !payment) return
  expect((await api.delete(`/invoices/${invoice.id}/payments/${payment.id}`)).status).toBe(204)
  invoice.payments = invoice.payments.filter((each) => each !== payment)
  settle(invoice)
})

const cancelling = step("cancel an invoice", async (model, { shop }, at) => {
  const invoice = pick(model.invoices, at)
  if (!invoice) return
  const may = invoice.status === "cancelled" || invoice.payments.length === 0
  expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(may ? 200 : 422)
  if (!may || invoice.status === "cancelled") return
  invoice.status = "cancelled"
  for (const { line, quantity } of invoice.parts) {
    line.invoiced -= quantity
    model.stock[line.item] = (model.stock[line.item] ?? 0) + quantity
  }
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
  await shop.receive(items[item] ?? "", at + 1)
  model.stock[item] = (model.stock[item] ?? 0) + at + 1
})

const story = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: creating },
    { weight: 1, arbitrary: editing },
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
    { weight: 3, arbitrary: paying },
    { weight: 1, arbitrary: unpaying },
    { weight: 2, arbitrary: cancelling },
    { weight: 1, arbitrary: deleting },
    { weight: 1, arbitrary: receiving },
  ),
  { minLength: 5, maxLength: 25 },
)

let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

test("after any sequence of operations the API and a simple model agree, and the checks find nothing", async () => {
  const shop = trade(api)
  const taxes = [0, 7, 19]
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const items = await Promise.all(taxes.map(async (taxRate) => (await shop.item({ taxRate })).id))
      const customers = [(await shop.customer()).id, (await shop.customer()).id]
      const model: Model = { orders: [], invoices: [], stock: [0, 0, 0] }
      const real: Real = { shop, api, items, customers, taxes }
      for (const { run: tell, at } of steps) {
        await tell(model, real, at)
        await compare(model, real)
      }
    }),
    { numRuns: 60 },
  )
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})
