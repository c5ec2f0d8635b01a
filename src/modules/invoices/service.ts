import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { fieldError, Refusal } from "../../lib/refusal"
import type { Reading } from "../../resource/body"
import { refuseMissing } from "../../resource/crud"
import type { Draft } from "../../resource/read"
import type { Expected } from "../../resource/tag"
import { correctionRoles } from "../../shared/rights"
import { warnOfDate } from "../documents/dates"
import { newHead, readContents } from "../documents/create"
import { creditOverride, type StatusRequest } from "../documents/kind"
import type { Billing } from "./billing"
import { dueDateBy } from "./due-date"
import { updateOutstanding } from "./effects"
import { invoiceOrder } from "./from-order"
import { newInvoice } from "./head"
import { invoicesOf, type Invoices } from "./invoices"
import { isCreditForced, issue, type InvoiceDeps } from "./issue"
import { invoices as invoiceKind, type Invoice, type InvoiceHead } from "./model"
import { isOverdueOutdated, markOverdue } from "./overdue"
import { partyOf } from "./party"
import { dueDateErrors, statusByPayments } from "./rules"

export function invoiceService(deps: InvoiceDeps) {
  const invoices = invoicesOf(deps)
  return {
    ...invoices,
    /** Creates an invoice without an order: a draft, unless the body asks to issue it. */
    create: (tx: Tx, draft: Draft, caller: Caller): Invoice =>
      createInvoice(deps, invoices, tx, draft, caller),

    /** Invoices an order, completely or in part. */
    fromOrder: (tx: Tx, billing: Reading<Billing>, caller: Caller): Invoice =>
      invoiceOrder(deps, invoices, tx, billing, caller),

    changeStatus(
      tx: Tx,
      id: string,
      request: StatusRequest<InvoiceHead["status"]>,
      expected: Expected = null,
    ): Invoice {
      if (request.status === "cancelled") assertMayCorrect(request.caller)
      return invoices.changeStatus(tx, id, request, expected)
    },

    /** Returns the head of an invoice. Payments do not need its lines. */
    loadHead: (id: string): InvoiceHead => invoices.findHead(id) ?? refuseMissing(invoiceKind, id),

    isOverdueOutdated: (): boolean => isOverdueOutdated(deps),
    markOverdue: (tx: Tx): boolean => markOverdue(deps, tx),

    /** Sets the total amount paid. The status follows. */
    setPaid: (tx: Tx, before: InvoiceHead, amountPaid: number): void => setPaid(deps, tx, before, amountPaid),
  }
}

export type InvoiceService = ReturnType<typeof invoiceService>

/** Refuses a caller who may write invoices but not undo them. */
function assertMayCorrect({ role }: Caller): void {
  if (!correctionRoles.includes(role))
    throw new Refusal("FORBIDDEN", `The role ${role} is not allowed to cancel invoices.`, {
      params: { role },
      details: [
        fieldError("status", "RULE", `may be set to cancelled by ${correctionRoles.join(", ")}`, {
          rule: "ROLE",
          allowed: correctionRoles,
        }),
      ],
    })
}

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

function setPaid(deps: InvoiceDeps, tx: Tx, before: InvoiceHead, amountPaid: number): void {
  const { id, total, paidAt, version, status: old } = before
  const status = statusByPayments(total, amountPaid)
  const head: InvoiceHead = {
    ...before,
    amountPaid,
    balance: total - amountPaid,
    status,
    paidAt: status === "paid" ? (paidAt ?? tx.now) : null,
    version: version + 1,
    updatedAt: tx.now,
  }
  deps.store.replace(tx, head, before)
  updateOutstanding(deps, tx, before, head)
  if (status !== old) tx.audit("invoices.status", id, { status: { from: old, to: status } })
}
