import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { compareSums, type Shown } from "../support/shop-compare"
import { compareFigures, figuresOf } from "../support/shop-figures"
import { creditLimit, makeCodes, makeCustomers, makeItems } from "../support/shop-makers"
import { compareMoney, compareUses } from "../support/shop-money"
import { deliveryStatusOf, goneOf } from "../support/shop-deliveries"
import { compareDeposits, depositSums, openOf } from "../support/shop-deposits"
import { compareWriteOffs } from "../support/shop-write-offs"
import { sum, totalOf, type Tax } from "../support/shop-model"
import { liveOf, orderCounted, orderOff, partsOf } from "../support/shop-lines"
import { story } from "../support/shop-steps"
import {
  cents,
  dateOf,
  emptyModel,
  invoiceTotal,
  leftIn,
  sumsOf,
  type Invoice,
  type Item,
  type Model,
  type Order,
  type Part,
  type Real,
} from "../support/shop-story"
import { trade } from "../support/trade"
import { isLong } from "../support/long"

/**
 * Random sequences of operations, applied to the API and to a simple model in memory (test/support/shop-*.ts). After
 * every operation both must agree on everything.
 */
async function compareOrder(model: Model, order: Order, real: Real): Promise<void> {
  const { shop } = real
  const shown = await shop.get("sales-orders", order.id)
  const counted = orderCounted(order)
  const live = liveOf(model, order)
  const billed = sum(live.map(invoiceTotal))
  expect([shown.status, cents(shown.invoicedTotal)]).toEqual([order.status, billed])
  const { asked, deducted } = depositSums(model, order)
  expect([shown.depositTotal, shown.deductedTotal].map(cents)).toEqual([asked, deducted])
  const parts = partsOf(order)
  compareSums(shown, parts, { isGross: order.isGross, off: orderOff(order) }, counted)
  const quantitiesOf = ({ invoicedQuantity, returnedQuantity, deliveredQuantity }: Shown) =>
    [invoicedQuantity, returnedQuantity, deliveredQuantity].map((quantity) => quantity * 4)
  expect(shown.items.map(quantitiesOf)).toEqual(
    order.lines.map(({ invoiced, returned, delivered }) => [invoiced, returned, delivered]),
  )
  expect([shown.deliveryStatus, shown.deliveries]).toEqual([
    deliveryStatusOf(order, real),
    model.deliveries.filter((each) => each.order === order).map(({ id }) => id),
  ])
  // The parts add up to the order, also after one was cancelled and invoiced again.
  const isWhole = order.lines.every(({ quarters, invoiced }) => quarters === invoiced)
  if (isWhole) {
    expect(billed).toBe(totalOf(counted))
    // After a revision, the discount of a line may take a cent of rounding.
    const discountsOf = (of: Part[]) => [
      order.shownOff ? 0 : sum(of.map(({ discount }) => discount)),
      sum(of.map(({ share }) => share)),
    ]
    expect(discountsOf(live.flatMap((invoice) => invoice.parts))).toEqual(discountsOf(parts))
  }
}

async function compareInvoice(model: Model, invoice: Invoice, { shop }: Real): Promise<void> {
  const shown = await shop.get("invoices", invoice.id)
  const { paid, applied, credited, taken, writtenOff, left, notes } = sumsOf(model, invoice)
  const total = invoiceTotal(invoice)
  expect([shown.status, shown.invoiceDate, shown.creditNotes]).toEqual([
    invoice.status,
    dateOf(invoice.day),
    notes.map(({ id }) => id),
  ])
  const { amountPaid, creditApplied, creditedTotal, creditTaken, balance } = shown
  expect(
    [amountPaid, creditApplied, creditedTotal, creditTaken, shown.writtenOff, balance].map(cents),
  ).toEqual([paid, applied, credited, taken, writtenOff, invoice.status === "draft" ? total : left])
  expect(shown.items.map((line: Shown) => [line.creditedQuantity * 4, cents(line.creditedAmount)])).toEqual(
    invoice.parts.map(({ creditedQuarters, creditedPrice }) => [creditedQuarters, creditedPrice]),
  )
  compareSums(shown, invoice.parts, invoice, invoice.counted)
  compareUses(model, invoice, shown)
  compareWriteOffs(model, invoice, shown)
  compareDeposits(model, invoice, shown)
}

async function compareItem(model: Model, i: number, { shop, items }: Real): Promise<void> {
  const { id, hasStock } = items[i] as Item
  const shown = await shop.get("items", id)
  const promised = model.orders
    .filter(({ status }) => hasStock && status === "submitted")
    .flatMap(({ lines }) => lines.filter(({ item }) => item === i))
  expect([shown.currentStock * 4, shown.reservedStock * 4]).toEqual([
    model.stock[i] ?? 0,
    sum(promised.map((line) => line.quarters - goneOf(line))),
  ])
}

async function compareCustomer(model: Model, i: number, { shop, customers }: Real): Promise<void> {
  const shown = await shop.get("customers", customers[i]?.id ?? "")
  const ofCustomer = model.invoices.filter(({ customer }) => customer === i)
  const owed = sum(ofCustomer.map((each) => sumsOf(model, each).left))
  const open = model.orders.filter(({ customer, status }) => customer === i && status === "submitted")
  const ordered = sum(open.map((order) => openOf(model, order, totalOf(orderCounted(order)))))
  const payments = model.payments.filter(({ customer }) => customer === i)
  const notes = model.notes.filter(({ invoice }) => invoice.customer === i)
  const credit = sum([...payments, ...notes].map((each) => leftIn(model, each)))
  const { outstandingBalance, openOrdersValue, creditBalance, creditAvailable } = shown
  expect([outstandingBalance, openOrdersValue, creditBalance, creditAvailable].map(cents)).toEqual([
    owed,
    ordered,
    credit,
    creditLimit * 100 - owed - ordered + credit,
  ])
}

type Statement = { opening: number; movements: { date: string; amount: number }[]; closing: number }

/** How many periods of each customer's statement are compared after a story. */
const periods = 25

/**
 * The statement of a customer ends with what the model says is owed, and those of random periods are parts of it: opening and
 * movements add up to closing.
 */
async function compareStatement(model: Model, i: number, { api, customers }: Real): Promise<void> {
  const id = customers[i]?.id ?? ""
  const read = async (from: string, to: string): Promise<Statement> =>
    (await api.get(`/customers/${id}/statement?from=${from}&to=${to}`)).body.data
  const { movements, opening, closing } = await read("0001-01-01", "9999-12-31")
  const owed = sum(
    model.invoices.filter(({ customer }) => customer === i).map((each) => sumsOf(model, each).left),
  )
  const notes = model.notes.filter(({ invoice }) => invoice.customer === i)
  const payments = model.payments.filter(({ customer }) => customer === i)
  const credit = sum([...payments, ...notes].map((each) => leftIn(model, each)))
  expect([opening, cents(closing)]).toEqual([0, owed - credit])
  const until = (date: string) =>
    sum(movements.filter((each) => each.date < date).map((each) => cents(each.amount) ?? 0))
  const days = [...new Set(movements.map(({ date }) => date)), "2020-02-29", "9999-12-31"].toSorted()
  const dayAt = (n: number) => days[n % days.length] ?? ""
  for (let n = 0; n < periods; n++) {
    const [from = "", to = ""] = [dayAt(n * 7), dayAt(n * 7 + n * 3 + 1)].toSorted()
    const part = await read(from, to)
    const moved = sum(part.movements.map(({ amount }) => cents(amount) ?? 0))
    expect([cents(part.opening), cents(part.closing)]).toEqual([until(from), until(from) + moved])
    expect(part.movements.every(({ date }) => date >= from && date <= to)).toBe(true)
  }
}

const compare = (model: Model, real: Real) =>
  Promise.all([
    ...model.orders.map((order) => compareOrder(model, order, real)),
    ...model.invoices.map((invoice) => compareInvoice(model, invoice, real)),
    ...real.items.map((_, i) => compareItem(model, i, real)),
    ...real.customers.map((_, i) => compareCustomer(model, i, real)),
    ...compareMoney(model, real),
  ])

let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

test("after any sequence of operations the API and a simple model agree, and the checks find nothing", async () => {
  const shop = trade(api)
  const codes = await makeCodes(api)
  const freeTax = codes.at(-1) as Tax
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await api.put("/settings", {
        lockedUntil: null,
        correctBy: "cancel",
        invoiceFrom: "ordered",
        defaultTaxCode: freeTax.code,
      })
      const [items, customers] = await Promise.all([makeItems(shop, codes), makeCustomers(shop)])
      const [model, before] = [emptyModel(), await figuresOf(api)]
      const real: Real = { shop, api, items, customers, codes, freeTax }
      for (const { run: tell, at } of steps) {
        await tell(model, real, at)
        await compare(model, real)
      }
      compareFigures(model, before, await figuresOf(api))
      for (const i of customers.keys()) await compareStatement(model, i, real)
    }),
    { numRuns: Number(process.env.KONTOR_STORIES ?? (isLong ? 40 : 15)) },
  )
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})
