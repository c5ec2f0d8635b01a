import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/rights"
import { fromUnits } from "../../lib/decimal"
import { newId } from "../../lib/id"
import { taxesOf, totalsOf, type Totals } from "../../lib/money"
import { assertNoFaults, invalid, Refusal, type Detail } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import { assertVersion, type Expected } from "../../resource/crud"
import type { Basis } from "../../resource/field"
import type { ListQuery } from "../../resource/list"
import { readChange, readDraft, type Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import { lineToWire, type GivenLine } from "../lines/model"
import { readLines, sameLines, totalFaults } from "../lines/service"
import { statusFaults, type SalesOrderService } from "../sales-orders/service"
import type { Settings } from "../settings/model"
import type { StockService } from "../stock-movements/service"
import { assertBillable, billLines, chooseLines, readBilling } from "./from-order"
import { invoices, type Invoice, type InvoiceHead, type InvoiceLine, type InvoiceStatus } from "./model"
import {
  allowedFrom,
  assertDeletable,
  assertEditable,
  assertMayBecome,
  dueDateFaults,
  dueDateOf,
  statusByPayments,
} from "./rules"
import { findCarried, findLines, findPayments, writeLines, writeTaxes } from "./store"

type Deps = {
  db: Database
  store: TableStore<typeof invoices>
  catalogue: ItemService
  clients: CustomerService
  stock: StockService
  orders: SalesOrderService
  settings: () => Settings
  basis: (at?: string) => Basis
}

type Buyer = NonNullable<ReturnType<CustomerService["forDocument"]>>

export function invoiceService({ db, store, catalogue, clients, stock, orders, settings, basis }: Deps) {
  const load = (id: string): InvoiceHead => {
    const head = store.load(id) as InvoiceHead | null
    if (!head) throw new Refusal("NOT_FOUND", `There is no invoice ${JSON.stringify(id.slice(0, 64))}.`)
    return head
  }

  /** Adds what lives in other tables to heads that are in plain numbers already. */
  const complete = (heads: InvoiceHead[]): Invoice[] => {
    const ids = heads.map(({ id }) => id)
    const lines = findLines(db, ids)
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
    customerName: customer.name,
    billingAddress:
      customer.address === null ? null : (JSON.parse(customer.address) as Invoice["billingAddress"]),
    taxId: customer.taxId,
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
  const issue = (tx: Tx, head: InvoiceHead, lines: readonly InvoiceLine[]): InvoiceHead => {
    assertInStock(lines)
    const moves = lines.map(({ item, quantity }) => ({ item, quantity: -quantity }))
    stock.move(tx, moves, { reason: "invoice", sourceType: "invoice", sourceId: head.id, by: head.createdBy })
    const status = statusByPayments(head.total, 0)
    return {
      ...head,
      invoiceNumber: nextNumber(db, `INV-${head.invoiceDate.slice(0, 4)}`),
      status,
      issuedAt: tx.now,
      paidAt: status === "paid" ? tx.now : null,
    }
  }

  const note = (tx: Tx, verb: string, before: Invoice | null, after: Invoice | null) =>
    tx.auditEntries.push({
      action: `invoices.${verb}`,
      kind: "invoices",
      recordId: (after ?? before)?.id,
      changes: changesOf(invoices, before, after),
    })

  const noteStatus = (tx: Tx, id: string, from: InvoiceStatus | null, to: InvoiceStatus, more: object = {}) =>
    tx.auditEntries.push({
      action: "invoices.status",
      kind: "invoices",
      recordId: id,
      changes: { status: { from, to }, ...more },
    })

  const readCustomer = (id: unknown, before: string | null, faults: Detail[]): Buyer | null => {
    if (typeof id !== "string") return null
    const customer = clients.forDocument(id)
    if (!customer) faults.push({ field: "customer", message: `${JSON.stringify(id)} does not exist` })
    else if (!customer.isActive && id !== before)
      faults.push({ field: "customer", message: `${customer.name} is inactive` })
    return customer
  }

  /** Bills an order, whole or in part. */
  const fromOrder = (tx: Tx, input: Input, caller: Caller): Invoice => {
    const billing = readBilling(input)
    const order = findOrder(billing.salesOrder)
    assertBillable(order.head)
    const { digits, today } = basis(tx.now)
    const chosen = chooseLines(order, billing.items)
    const { lines, taxes } = billLines(order, chosen, findCarried(db, order.head.id), { now: tx.now, digits })
    const invoiceDate = billing.invoiceDate ?? today
    const dueDate = billing.dueDate ?? dueDateOf(invoiceDate, order.head.paymentTerms)
    assertNoFaults(dueDateFaults(invoiceDate, dueDate))
    const customer = clients.forDocument(order.head.customer)
    if (!customer) throw invalid("salesOrder", "has no customer any more")
    if (invoiceDate < order.head.orderDate)
      tx.warnings.push({
        code: "DATE_BEFORE_ORDER",
        field: "invoiceDate",
        message: `invoiceDate is before orderDate (${order.head.orderDate}).`,
      })
    const totals = totalsOf(lines, taxes)
    const draft: InvoiceHead = {
      ...blank(tx, customer, caller, totals),
      salesOrder: order.head.id,
      orderNumber: order.head.orderNumber,
      invoiceDate,
      dueDate,
      paymentTerms: order.head.paymentTerms,
      notes: billing.notes,
      isOverdue: false,
    }
    const head = issue(tx, draft, lines)
    save(tx, null, head)
    writeLines(db, head.id, lines)
    writeTaxes(db, head.id, taxes)
    const billed = order.lines.map((line) => ({
      ...line,
      invoicedQuantity:
        line.invoicedQuantity + (chosen.find((each) => each.line.id === line.id)?.quantity ?? 0),
    }))
    orders.book(tx, order, billed, order.head.invoicedTotal + totals.total)
    const made = get(head.id)
    note(tx, "create", null, made)
    return made
  }

  const findOrder = (id: string) => {
    try {
      return orders.load(id)
    } catch {
      throw invalid("salesOrder", `${JSON.stringify(id.slice(0, 64))} does not exist`)
    }
  }

  /** An invoice without an order: a draft, unless it is to be issued at once. */
  const create = (tx: Tx, { status, ...input }: Input, caller: Caller): Invoice => {
    const { digits, today } = basis(tx.now)
    const faults: Detail[] = statusFaults(status, ["draft", "unpaid"])
    const draft = readDraft(invoices, input, faults)
    const customer = readCustomer(draft.customer, null, faults)
    const given = (draft.items ?? []) as GivenLine[]
    const lines = readLines(catalogue, given, {
      before: [],
      idPrefix: "inl",
      now: tx.now,
      digits,
      faults,
    }).map((line) => ({
      ...line,
      orderLine: null,
    }))
    const invoiceDate = String(draft.invoiceDate ?? today)
    const paymentTerms = (draft.paymentTerms ?? customer?.paymentTerms ?? null) as string | null
    const dueDate = String(draft.dueDate ?? dueDateOf(invoiceDate, paymentTerms))
    faults.push(...dueDateFaults(invoiceDate, dueDate))
    const taxes = taxesOf(lines)
    const totals = totalsOf(lines, taxes)
    faults.push(...totalFaults(totals))
    assertNoFaults(faults, "The invoice has invalid values.")
    if (!customer) throw invalid("customer", "is required")
    const notes = (draft.notes ?? null) as string | null
    const blankHead: InvoiceHead = {
      ...blank(tx, customer, caller, totals),
      invoiceDate,
      dueDate,
      paymentTerms,
      notes,
      isOverdue: false,
    }
    const head = status === "unpaid" ? issue(tx, blankHead, lines) : blankHead
    save(tx, null, head)
    writeLines(db, head.id, lines)
    writeTaxes(db, head.id, taxes)
    const made = get(head.id)
    note(tx, "create", null, made)
    return made
  }

  const update = (tx: Tx, id: string, input: Input, expected: Expected): Invoice => {
    const before = load(id)
    const shown = get(id)
    assertVersion(before, expected)
    const { digits, today } = basis(tx.now)
    const faults: Detail[] = []
    const change = readChange(invoices, shown, input, faults, tx.warnings)
    const given = change.items as GivenLine[] | undefined
    delete change.items
    const kept = findLines(db, [id]).get(id) ?? []
    const lines = given
      ? readLines(catalogue, given, { before: kept, idPrefix: "inl", now: tx.now, digits, faults }).map(
          (line) => ({
            ...line,
            orderLine: kept.find((each) => each.id === line.id)?.orderLine ?? null,
          }),
        )
      : kept
    const customer = readCustomer(change.customer ?? before.customer, before.customer, faults)
    if ("invoiceDate" in change) change.invoiceDate ??= today
    const wanted = { ...before, ...change } as InvoiceHead
    const termsMoved =
      wanted.invoiceDate !== before.invoiceDate || wanted.paymentTerms !== before.paymentTerms
    if (change.dueDate == null && ("dueDate" in change || (termsMoved && before.status === "draft")))
      change.dueDate = dueDateOf(wanted.invoiceDate, wanted.paymentTerms)
    faults.push(...dueDateFaults(wanted.invoiceDate, change.dueDate ?? before.dueDate))
    const differing = Object.keys(change).filter(
      (name) => !Bun.deepEquals(change[name], shown[name as keyof Invoice]),
    )
    const linesDiffer = faults.length === 0 && !sameLines(lines, kept)
    if (linesDiffer) differing.push("items")
    const taxes = taxesOf(lines)
    const totals = linesDiffer ? totalsOf(lines, taxes) : null
    if (totals) faults.push(...totalFaults(totals))
    assertNoFaults(faults, "The invoice has invalid values.")
    assertEditable(before, differing)
    if (differing.length === 0) return shown
    const moved = differing.includes("customer") && customer
    const { customerName, billingAddress, taxId } = moved
      ? blank(tx, customer, { userId: before.createdBy } as Caller, totalsOf([], new Map()))
      : before
    save(tx, before, {
      ...before,
      ...change,
      customerName,
      billingAddress,
      taxId,
      ...totals,
      ...(totals ? { balance: totals.total } : {}),
      version: before.version + 1,
      updatedAt: tx.now,
    } as InvoiceHead)
    if (linesDiffer) {
      writeLines(db, id, lines)
      writeTaxes(db, id, taxes)
    }
    const after = get(id)
    note(tx, "update", shown, after)
    return after
  }

  /** Takes back what an invoice did: goods, the order's quantities, the debt. Its number stays used. */
  const cancel = (tx: Tx, before: InvoiceHead, reason: string | null): void => {
    const lines = findLines(db, [before.id]).get(before.id) ?? []
    if (before.status !== "draft") {
      const cause = {
        reason: "cancellation" as const,
        sourceType: "invoice",
        sourceId: before.id,
        by: before.createdBy,
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
  }

  const changeStatus = (
    tx: Tx,
    id: string,
    to: InvoiceStatus,
    reason: string | null,
    expected: Expected,
  ): Invoice => {
    const before = load(id)
    assertVersion(before, expected)
    if (before.status === to) return get(id)
    assertMayBecome(before, to)
    if (to === "cancelled") cancel(tx, before, reason)
    else {
      const lines = findLines(db, [id]).get(id) ?? []
      assertIssuable(before, lines)
      save(tx, before, { ...issue(tx, before, lines), version: before.version + 1, updatedAt: tx.now })
    }
    noteStatus(
      tx,
      id,
      before.status,
      load(id).status,
      reason ? { cancelReason: { from: null, to: reason } } : {},
    )
    return get(id)
  }

  const assertIssuable = (head: InvoiceHead, lines: readonly InvoiceLine[]): void => {
    const faults: Detail[] = []
    readCustomer(head.customer, null, faults)
    const sold = catalogue.forLines(lines.map(({ item }) => item))
    lines.forEach(({ item, itemCode }, i) => {
      if (!sold.get(item)?.isActive)
        faults.push({ field: `items[${i}].item`, message: `${itemCode} is inactive` })
    })
    assertNoFaults(faults, "The invoice cannot be issued.")
  }

  return {
    get,
    load,
    create,
    fromOrder,
    update,
    changeStatus,

    list(query: ListQuery) {
      const page = store.list(query)
      return { ...page, rows: complete(page.rows as unknown as InvoiceHead[]) }
    },

    remove(tx: Tx, id: string, expected: Expected): void {
      const before = get(id)
      assertVersion(before, expected)
      assertDeletable(load(id))
      store.remove(tx, id)
      note(tx, "delete", before, null)
    },

    /** Books what has been paid in all; the status follows. */
    setPaid(tx: Tx, before: InvoiceHead, amountPaid: number): void {
      const status = statusByPayments(before.total, amountPaid)
      const turned = status !== before.status
      save(tx, before, {
        ...before,
        amountPaid,
        balance: before.total - amountPaid,
        status,
        paidAt: status === "paid" ? (before.paidAt ?? tx.now) : null,
        ...(turned ? { version: before.version + 1, updatedAt: tx.now } : {}),
      })
      if (turned) noteStatus(tx, before.id, before.status, status)
    },
  }
}

export type InvoiceService = ReturnType<typeof invoiceService>

/** What a customer owes on an invoice: nothing before it is issued or once it is cancelled. */
const owedOn = ({ status, balance }: InvoiceHead): number =>
  status === "draft" || status === "cancelled" ? 0 : balance
