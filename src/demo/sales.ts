import { readDraft } from "../core/kind/read"
import type { Tx } from "../core/write/writer"
import { kinds } from "../kinds"
import { dateIn, dayAt, later } from "../shared/dates"
import type { Customer } from "../shop/customers/model"
import { delivering } from "../shop/deliveries/model"
import { deposit as depositBody } from "../shop/invoices/deposits/model"
import { billing } from "../shop/invoices/invoices"
import type { Invoice } from "../shop/invoices/model"
import type { Item } from "../shop/items/model"
import type { SalesOrder } from "../shop/sales-orders/model"
import { invoicePayments as invoicePaymentKind } from "../trade/settlements/model"
import { pick } from "./random"
import type { Shop } from "./shop"

/** An invoice of the demo shop, and what is left to pay of it. */
export type Sale = { invoice: Invoice; balance: number }

/** A payment that arrives later. */
type Expected = { sale: Sale; at: string; amount: number }

/** What the shop sells, to whom, and what has happened so far. */
export type Trading = {
  items: readonly Item[]
  customers: readonly Customer[]
  /** How much of each item may still be sold. */
  left: Map<string, number>
  /** The invoices that were not corrected yet. */
  sales: Sale[]
  expected: Expected[]
}

const day = 86_400_000

/** Receives goods. The stock must last until the next time. */
function receive({ stockMovements, caller }: Shop, tx: Tx, { left }: Trading, received: Received): void {
  const movement = { ...received, reason: "receipt" }
  stockMovements.create(tx, readDraft(kinds.stockMovements, movement), caller)
  left.set(received.item, (left.get(received.item) ?? 0) + received.quantity)
}

type Received = { item: string; quantity: number; note?: string }

/** Every ninth item is ordered late and in small numbers, so that it runs low. */
const runsLow = (i: number): boolean => i % 9 === 4

export function openStock(shop: Shop, tx: Tx, trading: Trading): void {
  for (const [i, { id: item, itemType }] of trading.items.entries()) {
    if (itemType === "Service") continue
    const quantity = runsLow(i) ? 20 : 60 + Math.floor(shop.random() * 60)
    receive(shop, tx, trading, { item, quantity, note: "Opening stock" })
  }
}

/** Orders again what has become scarce, once a month. */
export function restock(shop: Shop, tx: Tx, trading: Trading): void {
  for (const [i, { id: item, itemType }] of trading.items.entries()) {
    if (itemType === "Service") continue
    const left = trading.left.get(item) ?? 0
    if (left < (runsLow(i) ? 3 : 25)) receive(shop, tx, trading, { item, quantity: runsLow(i) ? 12 : 60 })
  }
}

/** What happens with the order at one of the times: `share` is how much of all time has passed then. */
export type Turn = { i: number; share: number }

/** Creates one order and, for most orders, its invoice. */
export function createOrder(shop: Shop, tx: Tx, trading: Trading, { i, share }: Turn): void {
  const { salesOrders, random, caller } = shop
  const order = salesOrders.create(tx, readDraft(kinds.salesOrders, orderOf(shop, tx, i, trading)), caller)
  // The last orders are still being worked on.
  const chance = share > 0.97 ? random() * 0.4 : random()
  if (chance < 0.05) return
  const setStatus = (status: "submitted" | "cancelled") =>
    salesOrders.changeStatus(tx, order.id, { status, reason: null, override: true, caller })
  setStatus(chance < 0.1 ? "cancelled" : "submitted")
  if (chance >= 0.1 && share > 0.6 && i % 8 === 3)
    deliver(shop, tx, trading, { order, i, isNew: share > 0.9 })
  if (chance >= 0.1 && share > 0.5 && i % 13 === 6) askDeposit(shop, tx, order, { isPaid: i % 26 === 6 })
  if (chance < (share > 0.9 ? 0.22 : 0.11)) return
  const [line] = order.items
  const part =
    chance < 0.3 && share > 0.6 && line && line.quantity > 1
      ? { items: [{ orderLine: line.id, quantity: 1 }] }
      : {}
  createInvoice(shop, tx, trading, { salesOrder: order.id, invoiceDate: order.orderDate, ...part })
}

/** An order. Private customers see prices with tax. Some orders have a discount on everything. */
function orderOf({ random }: Shop, tx: Tx, i: number, trading: Trading): Record<string, unknown> {
  const { id, type, taxTreatment } = pick(random, trading.customers)
  return {
    customer: id,
    pricesIncludeTax: type === "Individual" && taxTreatment === "domestic",
    orderDate: dateIn("UTC", tx.now),
    deliveryDate: dateIn("UTC", later(tx.now, (3 + Math.floor(random() * 18)) * day)),
    items: Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
      ...lineOf(random, trading),
      ...(random() < 0.2 ? { discount: pick(random, [5, 10, 15]) } : {}),
    })),
    ...(random() < 0.15 ? { notes: pick(random, notes) } : {}),
    ...(i % 17 === 5 ? { discount: i % 2 === 0 ? 5 : 10 } : {}),
  }
}

/** Delivers the goods of an order with a delivery note: all of them, or of a new order sometimes one piece. */
function deliver(
  { deliveries, caller }: Shop,
  tx: Tx,
  { items }: Trading,
  { order, i, isNew }: { order: SalesOrder; i: number; isNew: boolean },
): void {
  const goods = new Set(items.filter(({ itemType }) => itemType !== "Service").map(({ id }) => id))
  const line = order.items.find(({ item }) => item !== null && goods.has(item))
  if (!line) return
  const part = isNew && i % 16 === 3 ? { items: [{ orderLine: line.id, quantity: 1 }] } : {}
  const sent = { carrier: "DHL", trackingNumber: `00340434161${String(i).padStart(9, "0")}` }
  deliveries.fromOrder(tx, delivering.read({ salesOrder: order.id, ...sent, ...part }), caller)
}

/** Asks for a deposit on an order. It is paid on the same day, or only half of it, before the order is invoiced. */
function askDeposit(
  { invoices, payments, caller }: Shop,
  tx: Tx,
  order: SalesOrder,
  { isPaid }: { isPaid: boolean },
): void {
  const asked = depositBody.read({ percent: isPaid ? 30 : 20, invoiceDate: order.orderDate })
  const { id, total } = invoices.requestDeposit(tx, order.id, asked, caller)
  const amount = isPaid ? total : Math.max(0.01, Math.round(total * 50) / 100)
  const payment = { amount, paymentDate: order.orderDate, method: "Bank transfer" }
  payments.ofInvoice.create(tx, id, readDraft(invoicePaymentKind, payment), caller)
}

/** Some items sell better than others. What is not in stock is not sold. */
function lineOf(random: Shop["random"], { items, left }: Trading): { item: string; quantity: number } {
  const wanted = 1 + Math.floor(random() * 8)
  for (;;) {
    const item = items[Math.floor(random() ** 1.4 * items.length)] as Item
    if (item.itemType === "Service") return { item: item.id, quantity: Math.min(wanted, 3) }
    const stock = left.get(item.id) ?? 0
    const quantity = Math.min(wanted, stock)
    if (quantity <= 0) continue
    left.set(item.id, stock - quantity)
    return { item: item.id, quantity }
  }
}

const notes = ["Deliver to the back door.", "Call before delivery.", "Gift wrapping, please."]

/** Invoices an order, and decides when it will be paid. */
function createInvoice({ invoices, random, caller }: Shop, tx: Tx, trading: Trading, input: object): void {
  const invoice = invoices.fromOrder(tx, billing.read({ ...input }), caller)
  const { balance } = invoice
  const sale = { invoice, balance }
  trading.sales.push(sale)
  if (balance === 0 || random() < 0.02) return
  const place = trading.customers.findIndex(({ id }) => id === invoice.customer)
  const isSlow = place % 11 === 7
  const days = isSlow ? 45 + random() * 60 : 1 + random() ** 2 * 34
  const half = Math.max(0.01, Math.round(balance * 50) / 100)
  const isInParts = random() < 0.12
  const first = { sale, at: later(tx.now, Math.floor(days) * day), amount: isInParts ? half : balance }
  trading.expected.push(first)
  if (isInParts)
    trading.expected.push({
      sale,
      at: later(first.at, 30 * day),
      amount: Math.round((balance - half) * 100) / 100,
    })
}

/** Reminds customers of what is late, as the shop does on the first days of a month. */
export function remindLate({ reminders, caller }: Shop, tx: Tx, { sales }: Trading): void {
  const today = dateIn("UTC", tx.now)
  for (const { invoice, balance } of sales)
    if (balance > 0 && invoice.dueDate !== null && invoice.dueDate < today)
      reminders.remindIfDue(tx, invoice.id, caller.userId)
}

/** What the shop charges again and again, from the first day of the next month on. */
const contracts = [
  {
    description: "Rent of chairs and tables, {from} to {to}",
    rate: 180,
    every: { unit: "month" },
    mode: "issue",
  },
  { description: "Maintenance, {from} to {to}", rate: 95, every: { unit: "month", count: 3 }, mode: "issue" },
  { description: "Storage, {from} to {to}", rate: 240, every: { unit: "year" }, mode: "draft" },
]

export function writeContracts(
  { recurringInvoices, caller }: Shop,
  tx: Tx,
  { customers, items }: Trading,
): void {
  const [year = 0, month = 1] = dateIn("UTC", tx.now).split("-").map(Number)
  const taxCode = items.find(({ itemType }) => itemType === "Service")?.taxCode ?? null
  for (const [i, { description, rate, ...contract }] of contracts.entries()) {
    const draft = {
      ...contract,
      customer: customers[i * 3]?.id,
      startsOn: dayAt(year, month + 1, 1),
      items: [{ description, quantity: 1, rate, taxCode }],
    }
    recurringInvoices.create(tx, readDraft(kinds.recurringInvoices, draft), caller)
  }
}

/** Records the payments that have arrived by now, of invoices that were not corrected meanwhile. */
export function takePayments({ payments, random, caller }: Shop, tx: Tx, trading: Trading): void {
  const arrived = trading.expected.filter(({ at }) => at <= tx.now)
  trading.expected = trading.expected.filter(({ at }) => at > tx.now)
  for (const { sale, at, amount } of arrived) {
    if (!trading.sales.includes(sale) || amount <= 0) continue
    const method = pick(random, ["Bank transfer", "Bank transfer", "Card", "Cash", "voucher"])
    const payment = { amount, paymentDate: dateIn("UTC", at), method }
    payments.ofInvoice.create(tx, sale.invoice.id, readDraft(invoicePaymentKind, payment), caller)
    sale.balance = Math.round((sale.balance - amount) * 100) / 100
  }
}
