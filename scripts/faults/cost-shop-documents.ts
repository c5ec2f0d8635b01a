// Orders and invoices of extreme sizes: long notes, and the maximum number of lines.
import type { Database } from "../../src/core/engine/engine"
import { invoices } from "../../src/shop/invoices/model"
import { salesOrders } from "../../src/shop/sales-orders/model"
import { customerId, inserter, itemCode, itemId, numbered, searchFeed, type Row } from "../bench/data"
import { mixedText, createdAt, filler, longestProse, prose, stamps } from "./cost-rows"
import type { Size } from "./cost-shop-size"

export const mostLines = 500
export const largestOrder = (i: number): string => numbered("so", 1_000_000 + i)
export const largestInvoice = (i: number): string => numbered("inv", 1_000_000 + i)

/** `i` decides its time and its notes. Documents with a negative `i` have short notes. */
type Document = { id: string; i: number; lines: number; customer: number }
const notesOf = (i: number): string => (i > 0 ? mixedText(i, longestProse) : "A note")

export function fillDocuments(db: Database, size: Size): void {
  const order = orderFiller(db)
  const invoice = invoiceFiller(db)
  // Nine of ten belong to one customer.
  const customerOf = (i: number) => (i % 10 === 0 ? 1 + (i % size.customers) : 1)
  for (let i = 1; i <= size.orders; i++) {
    order.add({ id: numbered("so", i), i, lines: 1, customer: customerOf(i) })
    invoice.add({ id: numbered("inv", i), i, lines: 1, customer: customerOf(i) })
  }
  for (let i = 1; i <= size.largest; i++) {
    const common = { i: size.orders + i, lines: Math.min(mostLines, size.items), customer: customerOf(i) }
    order.add({ id: largestOrder(i), ...common })
    invoice.add({ id: largestInvoice(i), ...common })
  }
  for (let i = 1; i <= size.ordersOfOne; i++)
    order.add({ id: numbered("so", 2_000_000 + i), i: -i, lines: 1, customer: 1 })
  order.flush()
  invoice.flush()
}

function orderFiller(db: Database) {
  const insert = filler(db, "sales_orders", {
    status: "draft",
    invoice_status: "not_invoiced",
    payment_terms: "Net 30",
    currency: "USD",
    discount_total: 0,
    tax_total: 0,
    invoiced_total: 0,
    version: 1,
  })
  const line = lineFiller(db, "sales_order_lines", { invoiced_quantity: 0 })
  const search = searchFeed(db, salesOrders)
  let seq = 0
  const add = ({ id, i, lines, customer }: Document): void => {
    const number = `SO-2020-${String(++seq).padStart(5, "0")}`
    insert({
      id,
      order_number: number,
      customer: customerId(customer),
      customer_name: `Customer ${customer}`,
      order_date: createdAt(i).slice(0, 10),
      notes: notesOf(i),
      cancel_reason: prose(Math.abs(i), 500),
      subtotal: 100 * lines,
      total: 100 * lines,
      ...stamps(i),
    })
    line("sol", { sales_order: id }, seq, lines)
    search.add(seq, { orderNumber: number, customerName: `Customer ${customer}` })
  }
  return { add, flush: search.flush }
}

function invoiceFiller(db: Database) {
  const insert = filler(db, "invoices", {
    status: "draft",
    payment_terms: "Net 30",
    currency: "USD",
    discount_total: 0,
    tax_total: 0,
    amount_paid: 0,
    version: 1,
  })
  const line = lineFiller(db, "invoice_lines", {})
  const search = searchFeed(db, invoices)
  let seq = 0
  const add = ({ id, i, lines, customer }: Document): void => {
    insert({
      id,
      customer: customerId(customer),
      customer_name: `Customer ${customer}`,
      invoice_date: createdAt(i).slice(0, 10),
      due_date: createdAt(i).slice(0, 10),
      notes: notesOf(i),
      cancel_reason: prose(Math.abs(i), 500),
      subtotal: 100 * lines,
      total: 100 * lines,
      balance: 100 * lines,
      ...stamps(i),
    })
    line("inl", { invoice: id }, ++seq, lines)
    search.add(seq, { customerName: `Customer ${customer}` })
  }
  return { add, flush: search.flush }
}

function lineFiller(db: Database, table: string, same: Row) {
  const insert = inserter(db, table, {
    uom: "Nos",
    quantity: 10_000,
    rate: 10_000,
    discount: 0,
    amount: 100,
    discount_amount: 0,
    tax_rate: 0,
    is_discount_amount: 0,
    has_own_tax_code: 0,
    ...same,
  })
  return (prefix: string, of: Row, document: number, lines: number): void => {
    for (let position = 0; position < lines; position++)
      insert({
        ...of,
        id: numbered(prefix, document * 1_000 + position),
        position,
        item: itemId(position + 1),
        item_code: itemCode(position + 1),
        item_name: `Item ${position + 1}`,
      })
  }
}
