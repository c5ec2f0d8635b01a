import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { Refusal } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import type { Basis } from "../../resource/field"
import type { TableStore } from "../../resource/table-store"
import type { CustomerService } from "../customers/service"
import { lineToWire } from "../lines/model"
import { inWholes } from "../lines/whole"
import type { StockService } from "../stock-movements/service"
import { salesOrders, type Order, type OrderHead, type OrderLine, type SalesOrder } from "./model"
import type { OrderStatus } from "../../shared/statuses"
import {
  automaticStatuses,
  invoiceStatusOf,
  isInvoiced,
  nextStatuses,
  openValueOf,
  promisedBy,
} from "./rules"
import { findInvoiceIds, orderLines, setInvoicedQuantities } from "./store"

export type Deps = {
  db: Database
  store: TableStore<typeof salesOrders>
  clients: CustomerService
  stock: StockService
  basis: (at?: string) => Basis
}

/** What every way of writing an order shares: reading it whole, and booking what it promises and will bring in. */
export function orderBook({ db, store, clients, stock, basis }: Deps) {
  const load = (id: string): Order => {
    const head = store.load(id) as OrderHead | null
    if (!head) throw new Refusal("NOT_FOUND", `There is no sales order ${JSON.stringify(id.slice(0, 64))}.`)
    return { head, lines: orderLines.find(db, [id]).get(id) ?? [] }
  }

  /** The head of an order, if there is one. */
  const find = (id: string): OrderHead | null => store.load(id) as OrderHead | null

  /** Adds what lives in other tables to heads that are in plain numbers already. */
  const complete = (heads: OrderHead[]): SalesOrder[] => {
    const ids = heads.map(({ id }) => id)
    const lines = orderLines.find(db, ids)
    const invoices = findInvoiceIds(db, ids)
    const { digits } = basis()
    return heads.map((head) => ({
      ...head,
      allowedTransitions: [...nextStatuses[head.status]],
      items: (lines.get(head.id) ?? []).map((line) => ({
        ...lineToWire(line, digits),
        invoicedQuantity: fromUnits(line.invoicedQuantity, priceDigits),
      })),
      invoices: invoices.get(head.id) ?? [],
    })) as SalesOrder[]
  }

  const completeAll = inWholes(complete, (heads) =>
    orderLines.count(
      db,
      heads.map(({ id }) => id),
    ),
  )

  const get = (id: string): SalesOrder => {
    const head = store.find(id) as OrderHead | null
    const [order] = head ? complete([head]) : []
    if (!order) throw new Refusal("NOT_FOUND", `There is no sales order ${JSON.stringify(id.slice(0, 64))}.`)
    return order
  }

  /** Writes an order's head, and what follows from it: reservations and the customer's open orders. */
  const save = (before: Order | null, after: Order, tx: Tx): void => {
    if (before) store.replace(tx, after.head as SalesOrder, before.head as SalesOrder)
    else store.insert(tx, after.head as SalesOrder)
    stock.reserve(before ? promisedBy(before) : [], promisedBy(after))
    if (before) clients.addFigures(before.head.customer, { openOrders: -openValueOf(before.head) })
    clients.addFigures(after.head.customer, { openOrders: openValueOf(after.head) })
  }

  const move = (tx: Tx, before: Order, head: OrderHead, lines = before.lines): void =>
    save(before, { head: { ...head, version: head.version + 1, updatedAt: tx.now }, lines }, tx)

  const note = (tx: Tx, verb: string, before: SalesOrder | null, after: SalesOrder | null) =>
    tx.auditEntries.push({
      action: `sales-orders.${verb}`,
      kind: "sales-orders",
      recordId: (after ?? before)?.id,
      changes: changesOf(salesOrders, before, after),
    })

  /** Books a change of what has been billed; the order completes, or opens again, by itself. */
  const book = (tx: Tx, before: Order, lines: OrderLine[], invoicedTotal: number): void => {
    const invoiceStatus = invoiceStatusOf(lines)
    const isDone = isInvoiced(lines)
    const status: OrderStatus = isDone
      ? automaticStatuses.submitted
      : before.head.status === "completed"
        ? automaticStatuses.completed
        : before.head.status
    setInvoicedQuantities(db, lines)
    const head: OrderHead = { ...before.head, invoiceStatus, invoicedTotal }
    if (status === before.head.status) return save(before, { head, lines }, tx)
    const completedAt = status === "completed" ? tx.now : null
    move(tx, before, { ...head, status, completedAt }, lines)
    const changes = { status: { from: before.head.status, to: status } }
    tx.auditEntries.push({
      action: "sales-orders.status",
      kind: "sales-orders",
      recordId: head.id,
      changes,
    })
  }

  return { find, load, completeAll, get, save, move, note, book }
}
