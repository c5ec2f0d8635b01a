import { expect } from "bun:test"
import fc from "fast-check"
import type { Shown } from "./shop-compare"
import { cancelNote, moneySteps, pay } from "./shop-money"
import { deliverySteps, isGoods, leave, settleOrder } from "./shop-deliveries"
import { isHeld, revising } from "./shop-revisions"
import { deductionsFor, depositParts, depositSums, openOf, shares } from "./shop-deposits"
import { writeOffSteps } from "./shop-write-offs"
import * as rules from "./shop-model"
import { count, sum, type Line, type Off } from "./shop-model"
import {
  dateOf,
  days,
  deductedOf,
  isDone,
  isEdited,
  isLive,
  pick,
  pickIn,
  readable,
  settle,
  step,
  sumsOf,
  type Customer,
  type Invoice,
  type Model,
  type Order,
  type Real,
  type ShownOff,
  type Step,
} from "./shop-story"
import {
  orderCounted,
  fullOf,
  orderOff,
  partsOf,
  withIds,
  liveOf,
  taxFor,
  bill,
  givenLines,
  givenOff,
  noOff,
  offFrom,
  linesFrom,
  named,
  lacksTaxId,
  refusalOf,
  nextIssue,
} from "./shop-lines"

/** Random stories of a shop: orders, invoices, stock and settings. Those that move money are in shop-money.ts. */
/** The ends of closed periods, which only move forward. */
const locks = [-20, -10, -1]
/** The index of a customer; the first two are domestic. */
const buyers = fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 5)

const creatingAs = (submitted: fc.Arbitrary<boolean>) =>
  fc
    .tuple(givenLines, buyers, fc.boolean(), submitted, givenOff)
    .map(([given, customer, isGross, isSubmitted, wantedOff]): Step => ({
      title: isSubmitted ? "order and submit" : "order",
      at: 0,
      async run(model, real) {
        const { body, lines } = linesFrom(given, customer, real)
        const status = isSubmitted ? "submitted" : "draft"
        const { id, treatment } = real.customers[customer] as Customer
        const { body: discount, off } = offFrom(wantedOff, lines)
        const sent = { customer: id, items: body, status, pricesIncludeTax: isGross, ...discount }
        const answer = await real.api.post("/sales-orders", sent)
        const isAllowed = !isGross || treatment.name === "domestic"
        expect(answer.status).toBe(isAllowed ? 201 : 422)
        if (!isAllowed) return
        const { data } = answer.body
        model.orders.push({ id: data.id, customer, status, isGross, lines: named(lines, data.items), off })
      },
    }))

const creating = creatingAs(fc.boolean())

/** An invoice that has nothing to do with deposits. */
const plainInvoice = { isDeposit: false, isFinal: false, deductions: [] }

/** An invoice without an order: a draft, or issued at once. */
const invoicing = (status: "draft" | "unpaid", toWhom: fc.Arbitrary<number>) =>
  fc
    .tuple(givenLines, toWhom, fc.boolean(), days, givenOff)
    .map(([given, customer, isWithTax, day, wantedOff]): Step => ({
      title: status === "draft" ? "draft an invoice" : "sell",
      at: 0,
      async run(model, real) {
        const { body, lines } = linesFrom(given, customer, real)
        const { id, treatment } = real.customers[customer] as Customer
        const isGross = isWithTax && treatment.name === "domestic"
        const head = { customer: id, invoiceDate: dateOf(day), pricesIncludeTax: isGross, status }
        const { body: discount, off } = offFrom(wantedOff, lines)
        const answer = await real.api.post("/invoices", { ...head, items: body, ...discount })
        const drafted = partsOf({ lines, off })
        const isIssued = status !== "draft"
        const reasons = [
          isIssued && day <= model.locked && "PERIOD_LOCKED",
          isIssued && lacksTaxId(drafted, customer, real) && "VALIDATION_ERROR",
        ]
        if (!isDone(answer, 201, reasons)) return
        const { data } = answer.body
        const [parts, counted] = [withIds(drafted, data), count(drafted, isGross)]
        const issued = isIssued ? nextIssue(model) : 0
        const sums = { parts, counted, off: orderOff({ lines, off }) }
        const invoice = {
          id: data.id,
          order: null,
          status,
          issued,
          customer,
          isGross,
          day,
          ...sums,
          ...plainInvoice,
        }
        model.invoices.push(invoice)
        if (!isIssued) return
        settle(model, invoice)
        moveStock(model, invoice, real, -1)
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
    const order = pickIn(model.orders, at, "draft", "submitted")
    if (!order || isHeld(model, order)) return
    const { body, lines } = linesFrom(given, order.customer, real)
    const answer = await real.api.put(`/sales-orders/${order.id}`, { items: body })
    const isDone = isEdited(model, order) && !isTooMuchOff(order.off, lines)
    expect(answer.status).toBe(isDone ? 200 : 422)
    if (!isDone) return
    // A line that equals the stored one at its place is that line, with its tax.
    const stored = order.lines
    order.lines = named(lines, answer.body.data.items).map((line, i) => {
      const before = stored[i]
      return before && same(before, line) ? before : line
    })
  },
}))

/** An amount stays when the lines change, so that it can be too much. */
const isTooMuchOff = ({ cut }: Off, lines: Line[]): boolean => cut !== null && cut > fullOf(lines)

/** Changes the discount of an order. `part` is a part of its lines, which may be too much. */
const discounting = fc
  .tuple(fc.nat({ max: 50 }), fc.constantFrom(0, 10, 100, null), fc.constantFrom(0, 0.2, 0.5, 1, 1.1))
  .map(([at, percent, part]): Step => ({
    title: "discount",
    at,
    async run(model, { api }) {
      const order = pickIn(model.orders, at, "draft", "submitted")
      if (!order || isHeld(model, order)) return
      const full = fullOf(order.lines)
      const cut = Math.ceil(full * part)
      const body = percent === null ? { discountAmount: cut / 100 } : { discount: percent }
      const stored = rules.offOf(order.off, full)
      const isSame = percent === null ? cut === stored : percent * 10_000 === orderOff(order)[0]
      const isRight = isSame || (isEdited(model, order) && (percent !== null || cut <= full))
      expect((await api.put(`/sales-orders/${order.id}`, body)).status).toBe(isRight ? 200 : 422)
      if (!isRight || isSame) return
      order.off = percent === null ? (cut === 0 ? noOff : { percent: 0, cut }) : { percent, cut: null }
    },
  }))

/** Reads an order and sends it back with another quantity of one line. */
const sendingBack = step("send back", async (model, { shop, api }, at) => {
  const order = pick(
    model.orders.filter((each) => isEdited(model, each)),
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
  const lines = order.lines.map((each) => (each === line ? { ...line, quarters } : each))
  const isTooMuch =
    (line.cut !== null && line.cut > rules.fullPrice(line, quarters)) || isTooMuchOff(order.off, lines)
  expect(answer.status).toBe(isTooMuch ? 422 : 200)
  if (!isTooMuch) line.quarters = quarters
})

const changingSense = step("gross or net", async (model, { api, customers }, at) => {
  const order = pickIn(model.orders, at, "draft", "submitted")
  if (!order || isHeld(model, order)) return
  const isGross = !order.isGross
  const isAllowed =
    isEdited(model, order) && (!isGross || customers[order.customer]?.treatment.name === "domestic")
  const answer = await api.put(`/sales-orders/${order.id}`, { pricesIncludeTax: isGross })
  expect(answer.status).toBe(isAllowed ? 200 : 422)
  if (isAllowed) order.isGross = isGross
})

/** Moves an order to the next customer. Another treatment taxes it anew, and makes it net. */
const movingCustomer = step("another customer", async (model, real, at) => {
  const order = pickIn(model.orders, at, "draft", "submitted")
  if (!order || isHeld(model, order)) return
  const [before, customer] = [order.customer, (order.customer + 1 + (at % 5)) % real.customers.length]
  const { id, treatment } = real.customers[customer] as Customer
  const answer = await real.api.put(`/sales-orders/${order.id}`, { customer: id })
  expect(answer.status).toBe(isEdited(model, order) ? 200 : 422)
  if (!isEdited(model, order)) return
  order.customer = customer
  const isNet = order.isGross && treatment.name !== "domestic"
  if (isNet) {
    order.isGross = false
    const shares = partsOf(order).map(({ share, tax }) => rules.withoutTax(share, tax.rate))
    for (const line of order.lines) {
      line.rate = rules.withoutTax(line.rate, line.tax.rate)
      const full = rules.fullPrice(line, line.quarters)
      if (line.cut !== null) line.cut = Math.min(full, rules.withoutTax(line.cut, line.tax.rate))
    }
    if (order.off.cut !== null) order.off = { percent: 0, cut: Math.min(fullOf(order.lines), sum(shares)) }
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

/** Takes what an invoice sells out of stock, or puts it back. */
function moveStock(model: Model, { parts }: Invoice, { items }: Real, sign: 1 | -1): void {
  for (const { line, quarters } of parts)
    if (line.item !== null && items[line.item]?.hasStock)
      model.stock[line.item] = (model.stock[line.item] ?? 0) + sign * quarters
}

const billing = (isWhole: boolean, isOfLatest = false) =>
  fc.tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 6 }), days).map(([at, most, day]): Step => ({
    title: isWhole ? "invoice" : "invoice a part",
    at,
    async run(model, real) {
      const order = isOfLatest ? model.orders.at(-1) : pickIn(model.orders, at, "submitted")
      if (!order) return
      // Of goods, only what is delivered may be invoiced, if the settings say so.
      const mostOf = (line: Line) =>
        model.isFromDelivered && isGoods(line, real) ? line.delivered : line.quarters
      const open = order.lines.filter((line) => mostOf(line) > line.invoiced)
      const chosen = (isWhole ? open : open.slice(at % 2).slice(0, 2)).map((line) => {
        const left = mostOf(line) - line.invoiced
        return { line, quarters: isWhole ? left : Math.min(left, most) }
      })
      if (chosen.length === 0 && !isWhole) return
      const items = chosen.map(({ line, quarters }) => ({ orderLine: line.id, quantity: quarters / 4 }))
      const body = { invoiceDate: dateOf(day), ...(isWhole ? {} : { items }) }
      const answer = await real.shop.bill(order.id, body)
      const isRefused = lacksTaxId(chosen, order.customer, real)
      const reasons = [
        order.status !== "submitted" && refusalOf(order),
        chosen.length === 0 && order.status === "submitted" && "OVER_INVOICED",
        chosen.length === 0 && order.status === "submitted" && "ORDER_ALREADY_INVOICED",
        day <= model.locked && "PERIOD_LOCKED",
        isRefused && "VALIDATION_ERROR",
      ]
      if (!isDone(answer, 201, reasons)) return
      const { customer, isGross } = order
      const { data } = answer.body
      const { parts, counted } = bill(model, order, chosen)
      const head = { id: data.id, order, customer, isGross, day, status: "", issued: nextIssue(model) }
      const deductions = deductionsFor(model, order, rules.totalOf(counted))
      const taken = new Map(chosen.map(({ line, quarters }) => [line, quarters]))
      const isLast = order.lines.every((line) => line.quarters === line.invoiced + (taken.get(line) ?? 0))
      const isFinal =
        isLast && depositSums(model, order).deducted + sum(deductions.map((each) => each.cents)) > 0
      const own = { parts: withIds(parts, data), counted, off: orderOff(order) }
      const invoice: Invoice = { ...head, ...own, isDeposit: false, isFinal, deductions }
      model.invoices.push(invoice)
      settle(model, invoice)
      for (const { line, quarters } of chosen) leave(model, real, line, "invoiced", quarters)
      settleOrder(order, real)
    },
  }))

type Asked = { percent: number | null; amount: number | null; day: number; paid: number }

/** Asks for a deposit, and pays a part of it. The amount is a part of what is left of the order. */
async function ask(model: Model, real: Real, order: Order | undefined, wanted: Asked): Promise<void> {
  if (!order) return
  const { percent, amount, day, paid } = wanted
  const counted = orderCounted(order)
  const whole = rules.totalOf(counted)
  const open = order.status === "submitted" ? openOf(model, order, whole) : 0
  const share = rules.rounded(whole * Math.round((percent ?? 0) * 100), 10_000)
  const total = amount === null ? share : Math.max(1, Math.ceil(open * amount))
  const body = { invoiceDate: dateOf(day), ...(amount === null ? { percent } : { amount: total / 100 }) }
  const answer = await real.api.post(`/sales-orders/${order.id}/deposit-invoices`, body)
  const { parts, counted: taxes } = depositParts(model, order, counted.rows, Math.min(total, open))
  const reasons = [
    order.status !== "submitted" && refusalOf(order),
    (total > open || open === 0) && "DEPOSIT_TOO_LARGE",
    total === 0 && "VALIDATION_ERROR",
    day <= model.locked && "PERIOD_LOCKED",
    lacksTaxId(parts, order.customer, real) && "VALIDATION_ERROR",
  ]
  if (!isDone(answer, 201, reasons)) return
  const { data } = answer.body
  const { customer, isGross } = order
  const head = { id: data.id, order, customer, isGross, day, status: "", issued: nextIssue(model) }
  const own = { parts: withIds(parts, data), counted: taxes, off: [0, false] as ShownOff }
  const invoice: Invoice = { ...head, ...own, ...plainInvoice, isDeposit: true }
  model.invoices.push(invoice)
  settle(model, invoice)
  if (paid > 0) await pay(model, real.shop, invoice, { part: paid, day: 0 })
}

const asking = (isOfLatest: boolean) =>
  fc
    .tuple(fc.nat({ max: 50 }), shares, days, fc.constantFrom(0, 0.6, 1, 1))
    .map(([at, share, day, paid]): Step => ({
      title: "ask for a deposit",
      at,
      async run(model, real) {
        const order = isOfLatest ? model.orders.at(-1) : pickIn(model.orders, at, "submitted")
        await ask(model, real, order, { ...share, day, paid })
      },
    }))
/** A sale of which something is paid before, and which is invoiced in part. */
const sellingAhead = fc.tuple(creatingAs(fc.constant(true)), asking(true), billing(false, true))

const issuing = step("issue a draft", async (model, real, at) => {
  const invoice = pickIn(
    model.invoices.filter(({ order }) => order === null),
    at,
    "draft",
  )
  if (!invoice || !["draft", "cancelled"].includes(invoice.status)) return
  const answer = await real.shop.status("invoices", invoice.id, "unpaid")
  const reasons = [
    invoice.status === "cancelled" && "INVALID_STATUS_TRANSITION",
    invoice.day <= model.locked && "PERIOD_LOCKED",
    lacksTaxId(invoice.parts, invoice.customer, real) && "VALIDATION_ERROR",
  ]
  if (!isDone(answer, 200, reasons)) return
  invoice.issued = nextIssue(model)
  settle(model, invoice)
  moveStock(model, invoice, real, -1)
})

const cancelling = step("cancel an invoice", async (model, real, at) => {
  const invoice = pickIn(model.invoices, at, "unpaid", "draft")
  if (!invoice) return
  const [wasCancelled, isDraft] = [!isLive(invoice), invoice.status === "draft"]
  const day = model.isCreditedOnCancel ? Math.max(invoice.day, 0) : invoice.day
  const { paid, applied, credited, writtenOff } = sumsOf(model, invoice)
  const answer = await real.shop.status("invoices", invoice.id, "cancelled")
  const reasons = [
    deductedOf(model, invoice) > 0 && "DEPOSIT_DEDUCTED",
    writtenOff > 0 && "INVOICE_HAS_WRITE_OFFS",
    writtenOff === 0 && paid > 0 && applied + credited === 0 && "INVOICE_HAS_PAYMENTS",
    writtenOff === 0 && applied + credited > 0 && "INVOICE_HAS_CREDITS",
    !isDraft && day <= model.locked && "PERIOD_LOCKED",
  ]
  if (!isDone(answer, 200, wasCancelled ? [] : reasons)) return
  if (!wasCancelled && !isDraft && model.isCreditedOnCancel)
    cancelNote(model, invoice, answer.body.data.creditNotes[0], day)
  invoice.status = "cancelled"
  if (wasCancelled || isDraft || invoice.isDeposit) return
  if (!invoice.order) return moveStock(model, invoice, real, 1)
  for (const { line, quarters } of invoice.parts) leave(model, real, line, "invoiced", -quarters)
  if (invoice.order.status === "completed") invoice.order.status = "submitted"
})

const choosing = step("cancel by credit note", async (model, { api }) => {
  model.isCreditedOnCancel = !model.isCreditedOnCancel
  const correctBy = model.isCreditedOnCancel ? "credit-note" : "cancel"
  expect((await api.put("/settings", { correctBy })).status).toBe(200)
})

const deleting = step("delete an order", async (model, { api }, at) => {
  const order = pick(model.orders, at)
  if (!order) return
  const wasInvoiced = model.invoices.some((each) => each.order === order)
  const wasDelivered = model.deliveries.some((each) => each.order === order)
  const may = order.status === "draft" || (order.status === "cancelled" && !wasInvoiced && !wasDelivered)
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

/** True for an invoice that an order may leave behind: it is cancelled, or it was a deposit that is credited. */
const isOver = (invoice: Invoice): boolean =>
  !isLive(invoice) || (invoice.isDeposit && invoice.status === "credited")

/** Two customers have invoices when a story begins. Without them most operations would do nothing. */
const opening = fc.array(invoicing("unpaid", fc.constantFrom(1, 1, 2)), { minLength: 2, maxLength: 4 })
const middle = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: creating },
    { weight: 1, arbitrary: invoicing("draft", buyers) },
    { weight: 1, arbitrary: invoicing("unpaid", buyers) },
    { weight: 1, arbitrary: editing },
    { weight: 1, arbitrary: sendingBack },
    { weight: 1, arbitrary: changingSense },
    { weight: 1, arbitrary: discounting },
    { weight: 1, arbitrary: movingCustomer },
    { weight: 2, arbitrary: revising },
    { weight: 2, arbitrary: moving("submitted", (_, { status }) => status === "draft") },
    { weight: 1, arbitrary: moving("completed", (_, { status }) => status === "submitted") },
    {
      weight: 1,
      arbitrary: moving(
        "cancelled",
        (model, order) =>
          ["draft", "submitted"].includes(order.status) &&
          liveOf(model, order).length === 0 &&
          model.invoices.every((each) => each.order !== order || isOver(each)) &&
          order.lines.every(({ delivered }) => delivered === 0),
      ),
    },
    { weight: 2, arbitrary: billing(true) },
    { weight: 4, arbitrary: billing(false) },
    { weight: 1, arbitrary: asking(false) },
    { weight: 3, arbitrary: sellingAhead },
    { weight: 1, arbitrary: issuing },
    { weight: 2, arbitrary: cancelling },
    { weight: 1, arbitrary: deleting },
    { weight: 1, arbitrary: receiving },
    { weight: 1, arbitrary: locking },
    { weight: 1, arbitrary: choosing },
    ...moneySteps,
    ...writeOffSteps,
    ...deliverySteps,
  ),
  { minLength: 20, maxLength: 40 },
)
export const story = fc.tuple(opening, middle).map((parts) => readable(parts.flat(2)))
