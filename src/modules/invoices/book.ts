import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Changes, Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { fromUnits } from "../../shared/decimal"
import { newId } from "../../lib/id"
import type { Totals } from "../../shared/money"
import { Refusal } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import type { Basis } from "../../resource/field"
import type { TableStore } from "../../resource/table-store"
import type { CustomerService } from "../customers/service"
import { lineToWire } from "../lines/model"
import { inWholes } from "../lines/whole"
import type { SalesOrderService } from "../sales-orders/service"
import type { Settings } from "../settings/model"
import type { StockService } from "../stock-movements/service"
import { invoices, type Invoice, type InvoiceHead, type InvoiceLine } from "./model"
import type { InvoiceStatus } from "../../shared/statuses"
import { allowedFrom, statusByPayments } from "./rules"
import { findPayments, invoiceLines } from "./store"

export type Deps = {
  db: Database
  store: TableStore<typeof invoices>
  clients: CustomerService
  stock: StockService
  orders: SalesOrderService
  settings: () => Settings
  basis: (at?: string) => Basis
}

export type Buyer = NonNullable<ReturnType<CustomerService["forDocument"]>>

/** What every way of writing an invoice shares: reading it whole, booking the debt, issuing and taking back. */
export function invoiceBook({ db, store, clients, stock, orders, settings, basis }: Deps) {
  const load = (id: string): InvoiceHead => {
    const head = store.load(id) as InvoiceHead | null
    if (!head) throw new Refusal("NOT_FOUND", `There is no invoice ${JSON.stringify(id.slice(0, 64))}.`)
    return head
  }

  /** Adds what lives in other tables to heads that are in plain numbers already. */
  const complete = (heads: InvoiceHead[]): Invoice[] => {
    const ids = heads.map(({ id }) => id)
    const lines = invoiceLines.find(db, ids)
    const paid = findPayments(db, ids)
    const { digits } = basis()
    return heads.map((head) => ({
      ...head,
      allowedTransitions: allowedFrom(head.status, head.amountPaid),
      items: (lines.get(head.id) ?? []).map((line) => lineToWire(line, digits)),
      payments: (paid.get(head.id) ?? []).map((payment) => ({
        ...payment,
        amount: fromUnits(payment.amount, digits),
      })),
    })) as Invoice[]
  }

  const completeAll = inWholes(complete, (heads) =>
    invoiceLines.count(
      db,
      heads.map(({ id }) => id),
    ),
  )

  const get = (id: string): Invoice => {
    const head = store.find(id) as InvoiceHead | null
    const [invoice] = head ? complete([head]) : []
    return invoice ?? (load(id) as never)
  }

  /** Writes a head, and what its customer owes with it. */
  const save = (tx: Tx, before: InvoiceHead | null, after: InvoiceHead): void => {
    if (before) store.replace(tx, after as Invoice, before as Invoice)
    else store.insert(tx, after as Invoice)
    if (before) clients.addFigures(before.customer, { outstanding: -owedOn(before) })
    clients.addFigures(after.customer, { outstanding: owedOn(after) })
  }

  const blank = (tx: Tx, customer: Buyer, caller: Caller, totals: Totals) => ({
    id: newId(invoices.idPrefix, tx.now),
    invoiceNumber: null,
    status: "draft" as const,
    salesOrder: null,
    orderNumber: null,
    customer: customer.id,
    ...partyOf(customer),
    currency: basis(tx.now).currency,
    ...totals,
    amountPaid: 0,
    balance: totals.total,
    issuedAt: null,
    paidAt: null,
    cancelledAt: null,
    cancelReason: null,
    createdBy: caller.userId,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  })

  const assertInStock = (lines: readonly InvoiceLine[]): void => {
    if (settings().allowNegativeStock) return
    const short = stock.shortages(lines)
    if (short.length === 0) return
    throw new Refusal("INSUFFICIENT_STOCK", "There is not enough stock to invoice this.", {
      details: short.map(({ index, itemCode, left }) => ({
        field: `items[${index}].quantity`,
        message: `${itemCode}: only ${left} in stock`,
      })),
    })
  }

  /** Gives the number and moves the goods: from here on somebody owes something. */
  const issue = (
    tx: Tx,
    head: InvoiceHead,
    lines: readonly InvoiceLine[],
    { userId }: Caller,
  ): InvoiceHead => {
    assertInStock(lines)
    const moves = lines.map(({ item, quantity }) => ({ item, quantity: -quantity }))
    stock.move(tx, moves, { reason: "invoice", sourceType: "invoice", sourceId: head.id, by: userId })
    const status = statusByPayments(head.total, 0)
    return {
      ...head,
      invoiceNumber: nextNumber(db, `INV-${head.invoiceDate.slice(0, 4)}`),
      status,
      issuedAt: tx.now,
      paidAt: status === "paid" ? tx.now : null,
    }
  }

  const note = (tx: Tx, verb: string, before: Invoice | null, after: Invoice | null, more: Changes = {}) =>
    tx.auditEntries.push({
      action: `invoices.${verb}`,
      kind: "invoices",
      recordId: (after ?? before)?.id,
      changes: { ...changesOf(invoices, before, after), ...more },
    })

  const noteStatus = (tx: Tx, id: string, from: InvoiceStatus | null, to: InvoiceStatus, more: object = {}) =>
    tx.auditEntries.push({
      action: "invoices.status",
      kind: "invoices",
      recordId: id,
      changes: { status: { from, to }, ...more },
    })

  /** Takes back what an invoice did: goods, the order's quantities, the debt. Its number stays used. */
  const cancel = (tx: Tx, before: InvoiceHead, reason: string | null, { userId }: Caller): void => {
    const lines = invoiceLines.find(db, [before.id]).get(before.id) ?? []
    if (before.status !== "draft") {
      const cause = {
        reason: "cancellation" as const,
        sourceType: "invoice",
        sourceId: before.id,
        by: userId,
      }
      stock.move(tx, lines, cause)
    }
    const stamps = { status: "cancelled" as const, balance: 0, cancelledAt: tx.now, cancelReason: reason }
    save(tx, before, { ...before, ...stamps, version: before.version + 1, updatedAt: tx.now })
    if (!before.salesOrder) return
    const order = orders.load(before.salesOrder)
    const open = order.lines.map((line) => ({
      ...line,
      invoicedQuantity:
        line.invoicedQuantity - (lines.find(({ orderLine }) => orderLine === line.id)?.quantity ?? 0),
    }))
    orders.book(tx, order, open, order.head.invoicedTotal - before.total)
    const { digits } = basis(tx.now)
    if (order.head.status === "completed")
      clients.warnOfCredit(tx, before.customer, { digits, policy: settings().creditPolicy })
  }

  return { load, completeAll, get, save, blank, issue, cancel, note, noteStatus }
}

/** The customer as it stands on an invoice. */
export const partyOf = ({ name, address, taxId }: Buyer) => ({
  customerName: name,
  billingAddress: address === null ? null : (JSON.parse(address) as Invoice["billingAddress"]),
  taxId,
})

/** What a customer owes on an invoice: nothing before it is issued or once it is cancelled. */
const owedOn = ({ status, balance }: InvoiceHead): number =>
  status === "draft" || status === "cancelled" ? 0 : balance
