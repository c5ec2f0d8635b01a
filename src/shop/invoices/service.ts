import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { refuseMissing } from "../../core/store/crud"
import type { Draft, Input } from "../../core/kind/read"
import type { Expected } from "../../core/kind/tag"
import { warnOfDate } from "../../trade/documents/dates"
import { newHead, readContents } from "../../trade/documents/create"
import { documentDeps, type Trade } from "../../trade/documents/documents"
import type { PaperContents } from "../../trade/paper/contents"
import type { PaperStore } from "../../trade/paper/papers"
import { creditOverride, type StatusRequest } from "../../trade/documents/kind"
import { assertMayCorrect } from "../../trade/settlements/correct"
import type { Billing } from "./billing"
import { dueDateBy } from "./due-date"
import { invoiceOrder } from "./from-order"
import { newInvoice } from "./head"
import { invoicesOf, type Invoices } from "./invoices"
import { isCreditForced, issue, type InvoiceDeps } from "./issue"
import { invoices as invoiceKind, type Invoice, type InvoiceHead } from "./model"
import { createOpening } from "./opening"
import { isOverdueOutdated, markOverdue } from "./overdue"
import { invoicePaper } from "./paper"
import { partyOf } from "./party"
import { balanceOf, dueDateErrors, owedOn, statusBySums, type Sums } from "./rules"
import { updateSums } from "./store"

type Needs = Trade &
  Pick<InvoiceDeps, "customers" | "stockMovements" | "salesOrders" | "invoiceFormatOf"> & {
    paper: PaperContents
    papers: PaperStore
    /** Credit notes need invoices too. */
    creditNotes: Pick<InvoiceDeps, "creditCancelled">
  }

/** What invoices need. Cancelling an invoice may write a credit note. */
const depsOf = (the: Needs): InvoiceDeps => ({
  ...documentDeps<InvoiceHead, Needs>(the, invoiceKind),
  stockMovements: the.stockMovements,
  salesOrders: the.salesOrders,
  invoiceFormatOf: the.invoiceFormatOf,
  keepPaper: (tx, invoice) => the.papers.issue(tx, "invoices", invoicePaper(the.paper, invoice)),
  creditCancelled: (...given) => the.creditNotes.creditCancelled(...given),
})

export function invoiceService(the: Needs) {
  const deps = depsOf(the)
  const invoices = invoicesOf(deps)
  /** Keeps what an invoice prints, if this write issued it. An opening invoice was issued elsewhere. */
  const withPaper = (tx: Tx, invoice: Invoice): Invoice => {
    if (invoice.issuedAt === tx.now && !invoice.isOpening) deps.keepPaper(tx, invoice)
    return invoice
  }
  return {
    ...invoices,
    /** Creates an invoice without an order: a draft, unless the body asks to issue it. */
    create: (tx: Tx, draft: Draft, caller: Caller): Invoice =>
      withPaper(tx, createInvoice(deps, invoices, tx, draft, caller)),

    /** Invoices an order, completely or in part. */
    fromOrder: (tx: Tx, billing: Reading<Billing>, caller: Caller): Invoice =>
      withPaper(tx, invoiceOrder(deps, invoices, tx, billing, caller)),

    /** Stores an invoice of another system that is not paid yet. */
    createOpening: (tx: Tx, input: Input, caller: Caller): Invoice =>
      createOpening(deps, invoices, tx, input, caller),

    changeStatus(
      tx: Tx,
      id: string,
      request: StatusRequest<InvoiceHead["status"]>,
      expected: Expected = null,
    ): Invoice {
      if (request.status === "cancelled") assertMayCorrect(request.caller, "cancel", "status")
      return withPaper(tx, invoices.changeStatus(tx, id, request, expected))
    },

    /** Returns the head of an invoice. Payments do not need its lines. */
    loadHead: (id: string): InvoiceHead => invoices.findHead(id) ?? refuseMissing(invoiceKind, id),

    isOverdueOutdated: (): boolean => isOverdueOutdated(deps),
    markOverdue: (tx: Tx): boolean => markOverdue(deps, tx),

    /** Changes what was paid or credited. The balance and the status follow. */
    settle: (tx: Tx, before: InvoiceHead, change: Partial<Sums>): void =>
      settleAll(deps, tx, [{ before, change }]),

    /** Does the same for different invoices, with one change of each customer. */
    settleAll: (tx: Tx, changes: readonly SumsChange[]): void => settleAll(deps, tx, changes),
  }
}

export type InvoiceService = ReturnType<typeof invoiceService>

function createInvoice(deps: InvoiceDeps, invoices: Invoices, tx: Tx, draft: Draft, caller: Caller): Invoice {
  const { values, extras } = draft
  const { today } = deps.moneyContext(tx.now)
  const invoiceDate = String(values.invoiceDate ?? today)
  warnOfDate(tx.warnings, "invoiceDate", invoiceDate, today)
  // A due date that the terms set is never before the invoice date.
  const contents = readContents(invoices, tx, draft, () => dueDateErrors(invoiceDate, values.dueDate))
  const { customer, lines, totals } = contents
  const terms = customer.paymentTerms ?? deps.settings().defaultPaymentTerms
  const paymentTerms = (values.paymentTerms ?? terms) as string | null
  const draftHead: InvoiceHead = {
    ...newHead(invoices, tx, contents, caller),
    ...newInvoice,
    ...partyOf(customer),
    balance: totals.total,
    invoiceDate,
    supplyDate: String(values.supplyDate ?? invoiceDate),
    dueDate: String(values.dueDate ?? dueDateBy(invoiceDate, paymentTerms, tx.warnings)),
    paymentTerms,
  }
  if (extras.status !== "unpaid") return invoices.create(tx, { head: draftHead, lines })
  const charge = { total: totals.total, override: extras.override === true, caller }
  const isForced = isCreditForced(deps, tx, customer, charge)
  const head = issue(deps, tx, { head: draftHead, lines }, { customer, userId: caller.userId })
  return invoices.create(tx, { head, lines, changes: isForced ? creditOverride : {} })
}

type SumsChange = { before: InvoiceHead; change: Partial<Sums> }

function settleAll(deps: InvoiceDeps, tx: Tx, changes: readonly SumsChange[]): void {
  const owed = new Map<string, number>()
  for (const { before, change } of changes) {
    const head = withSums(before, change, tx.now)
    updateSums(deps.db, head)
    deps.store.noteUpdated(tx, head, before)
    owed.set(before.customer, (owed.get(before.customer) ?? 0) + owedOn(head) - owedOn(before))
    if (head.status !== before.status)
      tx.audit("invoices.status", before.id, { status: { from: before.status, to: head.status } })
  }
  for (const [customer, amount] of owed)
    deps.customers.moveFigure(tx, "outstanding_balance", null, { customer, amount })
}

/** The invoice with other sums, and the balance and status that follow from them. */
function withSums(before: InvoiceHead, change: Partial<Sums>, now: string): InvoiceHead {
  const summed = { ...before, ...change }
  const status = statusBySums(summed)
  return {
    ...summed,
    balance: balanceOf(summed),
    status,
    paidAt: paidAtBy(status, summed, now),
    version: before.version + 1,
    updatedAt: now,
  }
}

/** A credited invoice keeps the time when it was paid, as long as nothing is left to pay. */
function paidAtBy(status: InvoiceHead["status"], summed: InvoiceHead, now: string): string | null {
  if (status === "paid") return summed.paidAt ?? now
  return status === "credited" && balanceOf(summed) === 0 ? summed.paidAt : null
}
