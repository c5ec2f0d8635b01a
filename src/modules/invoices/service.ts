import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { taxesOf, totalsOf } from "../../shared/money"
import { assertNoFaults, invalid, type Detail } from "../../lib/refusal"
import { whenDone } from "../../lib/turns"
import { assertVersion, type Expected } from "../../resource/crud"
import type { ListQuery } from "../../resource/list"
import { readChange, readDraft, type Input } from "../../resource/read"
import type { ItemService } from "../items/service"
import { taxesToWire, type GivenLine } from "../lines/model"
import { statusFaults } from "../lines/rules"
import { readOverride } from "../lines/status-change"
import {
  inactiveFaults,
  readCustomer,
  readLines,
  sameLines,
  servedParts,
  totalFaults,
  warnOfLines,
} from "../lines/service"
import { invoiceBook, partyOf, type Buyer, type Deps } from "./book"
import { assertBillable, assertPartAllowed, billLines, chooseLines, readBilling } from "./from-order"
import { invoices, type Invoice, type InvoiceHead, type InvoiceLine } from "./model"
import type { InvoiceStatus } from "../../shared/statuses"
import { assertDeletable, assertEditable, assertMayBecome, dueDateFaults, statusByPayments } from "./rules"
import { dueDateOf } from "../../shared/terms"
import { countParts, findCarried, findTaxes, invoiceLines, writeTaxes } from "./store"

/** What moves an invoice to another status. */
export type Move = { to: InvoiceStatus; reason: string | null; override: boolean; caller: Caller }

export function invoiceService({ catalogue, ...deps }: Deps & { catalogue: ItemService }) {
  const { db, store, clients, orders, settings, basis } = deps
  const { load, completeAll, get, save, blank, issue, cancel, note, noteStatus } = invoiceBook(deps)

  /** Bills an order, whole or in part. */
  const fromOrder = (tx: Tx, input: Input, caller: Caller): Invoice => {
    const billing = readBilling(input, (id) => orders.find(id) !== null)
    const order = orders.load(billing.salesOrder)
    assertBillable(order.head)
    assertPartAllowed(order, billing.items, countParts(db, order.head.id))
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
    const head = issue(tx, draft, lines, caller)
    save(tx, null, head)
    invoiceLines.replace(db, head.id, lines)
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

  /** An invoice without an order: a draft, unless it is to be issued at once. */
  const create = (tx: Tx, { status, override, ...input }: Input, caller: Caller): Invoice => {
    const { digits, today } = basis(tx.now)
    const faults: Detail[] = statusFaults(status, ["draft", "unpaid"])
    const isForcing = readOverride(override, faults)
    const draft = readDraft(invoices, input, faults)
    const customer = readCustomer(clients, draft.customer, null, faults)
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
    faults.push(...totalFaults(totals, digits))
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
    const isIssued = status === "unpaid"
    const isForced = isIssued && isCreditForced(tx, customer, totals.total, { override: isForcing, caller })
    const head = isIssued ? issue(tx, blankHead, lines, caller) : blankHead
    save(tx, null, head)
    invoiceLines.replace(db, head.id, lines)
    writeTaxes(db, head.id, taxes)
    const made = get(head.id)
    note(tx, "create", null, made, isForced ? creditOverride : {})
    return made
  }

  /** Holds an invoice without an order against its customer's credit limit. True when a manager's word was needed. */
  const isCreditForced = (
    tx: Tx,
    customer: Buyer,
    total: number,
    { override, caller }: { override: boolean; caller: Caller },
  ): boolean => {
    const { digits } = basis(tx.now)
    const policy = settings().creditPolicy
    return clients.assertCredit(tx, customer, { total, what: "invoice", digits, policy, override, caller })
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
    const kept = invoiceLines.find(db, [id]).get(id) ?? []
    const lines = given
      ? readLines(catalogue, given, { before: kept, idPrefix: "inl", now: tx.now, digits, faults }).map(
          (line) => ({
            ...line,
            orderLine: kept.find((each) => each.id === line.id)?.orderLine ?? null,
          }),
        )
      : kept
    warnOfLines(tx, input.items, shown.items, [...servedParts, "orderLine"])
    if ("invoiceDate" in change) change.invoiceDate ??= today
    if ("dueDate" in change && change.dueDate === null) delete change.dueDate
    const differing = Object.keys(change).filter(
      (name) => !Bun.deepEquals(change[name], shown[name as keyof Invoice]),
    )
    const linesDiffer = given !== undefined && !sameLines(lines, kept)
    if (linesDiffer) differing.push("items")
    // What is locked is locked, whatever it was to become.
    assertEditable(before, differing)
    const customer = readCustomer(clients, change.customer ?? before.customer, before.customer, faults)
    const moved = differing.includes("customer") ? customer : null
    if (moved && !("paymentTerms" in change)) change.paymentTerms = moved.paymentTerms
    const wanted = { ...before, ...change } as InvoiceHead
    const clears = "dueDate" in input && input.dueDate === null
    const termsMoved =
      wanted.invoiceDate !== before.invoiceDate || wanted.paymentTerms !== before.paymentTerms
    if (clears || (termsMoved && before.status === "draft" && !("dueDate" in change)))
      change.dueDate = dueDateOf(wanted.invoiceDate, wanted.paymentTerms)
    if (change.dueDate !== undefined && change.dueDate !== before.dueDate && !differing.includes("dueDate"))
      differing.push("dueDate")
    faults.push(...dueDateFaults(wanted.invoiceDate, change.dueDate ?? before.dueDate))
    const taxes = taxesOf(lines)
    const totals = linesDiffer ? totalsOf(lines, taxes) : null
    if (totals) faults.push(...totalFaults(totals, digits))
    assertNoFaults(faults, "The invoice has invalid values.")
    if (differing.length === 0) return shown
    const party = moved ? partyOf(moved) : {}
    save(tx, before, {
      ...before,
      ...change,
      ...party,
      ...totals,
      ...(totals ? { balance: totals.total } : {}),
      version: before.version + 1,
      updatedAt: tx.now,
    } as InvoiceHead)
    if (linesDiffer) {
      invoiceLines.replace(db, id, lines)
      writeTaxes(db, id, taxes)
    }
    const after = get(id)
    note(tx, "update", shown, after)
    return after
  }

  const changeStatus = (tx: Tx, id: string, move: Move, expected: Expected): Invoice => {
    const { to, reason, override, caller } = move
    const before = load(id)
    assertVersion(before, expected)
    if (before.status === to) return get(id)
    assertMayBecome(before, to)
    let isForced = false
    if (to === "cancelled") cancel(tx, before, reason, caller)
    else {
      const lines = invoiceLines.find(db, [id]).get(id) ?? []
      const customer = assertIssuable(before, lines)
      isForced = isCreditForced(tx, customer, before.total, { override, caller })
      // As they are now: from here on they stay.
      const head = issue(tx, { ...before, ...partyOf(customer) }, lines, caller)
      save(tx, before, { ...head, version: before.version + 1, updatedAt: tx.now })
    }
    const why = to === "cancelled" ? "cancelReason" : "reason"
    noteStatus(tx, id, before.status, load(id).status, {
      ...(reason ? { [why]: { from: null, to: reason } } : {}),
      ...(isForced ? creditOverride : {}),
    })
    return get(id)
  }

  const assertIssuable = (head: InvoiceHead, lines: readonly InvoiceLine[]): Buyer => {
    const faults: Detail[] = []
    const customer = readCustomer(clients, head.customer, null, faults)
    faults.push(...inactiveFaults(catalogue, lines))
    assertNoFaults(faults, "The invoice cannot be issued.")
    if (!customer) throw invalid("customer", "does not exist any more")
    return customer
  }

  return {
    get,
    load,
    create,
    fromOrder,
    update,
    changeStatus,

    /** The tax at each rate, which on a part of an order is more than its own lines can tell. */
    taxes: (id: string) =>
      taxesToWire(invoiceLines.find(db, [id]).get(id) ?? [], findTaxes(db, id), basis().digits),

    list(query: ListQuery) {
      return whenDone(store.list(query), (page) =>
        whenDone(completeAll(page.rows as unknown as InvoiceHead[]), (rows) => ({ ...page, rows })),
      )
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

const creditOverride = { creditOverride: { from: false, to: true } }
