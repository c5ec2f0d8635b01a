import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { fromUnits } from "../../shared/decimal"
import type { Doc } from "../../trade/documents/kind"
import { warnOfDate } from "../../trade/documents/dates"
import { assertOpenPeriod } from "../../office/settings/period"
import type { Application } from "../../trade/settlements/model"
import { assertLeft, assertPayable } from "../../trade/settlements/money"
import { newPart, sumOf } from "../../trade/settlements/part"
import { toApplication } from "../../trade/settlements/shown"
import { notBefore, readTarget } from "../../trade/settlements/target"
import {
  findSettlements,
  insertSettlement,
  voidSettlement,
  type Settlement,
} from "../../trade/settlements/store"
import type { CreditNoteDeps, CreditNotes } from "./issue"
import type { ApplicationBody, CreditNoteHead, CreditNoteLine } from "./model"
import { nameOf } from "./rules"

type Note = Doc<CreditNoteHead, CreditNoteLine>

/** Pays an invoice with what is left of a credit note. */
export function applyCredit(
  deps: CreditNoteDeps,
  notes: CreditNotes,
  tx: Tx,
  before: Note,
  reading: Reading<ApplicationBody>,
  caller: Caller,
): Application {
  const { head } = before
  const { invoice, amount, money } = readTarget(deps, tx, reading, "application")
  const date = reading.values.applicationDate ?? notBefore(head.creditNoteDate, money)
  assertOpenPeriod(deps.settings(), date, "applicationDate")
  warnOfDate(tx.warnings, "applicationDate", date, money.today)
  assertLeft({ name: nameOf(head), left: head.unapplied, amount }, money)
  assertPayable(deps.db, invoice, { amount, field: "amount", customer: head.customer }, money)
  const owners = { creditNote: head.id, invoice: invoice.id }
  const application = newPart(tx, { kind: "application", ...owners, amount, date, createdBy: caller.userId })
  insertSettlement(deps.db, application)
  deps.invoices.settle(tx, invoice, { creditApplied: invoice.creditApplied + amount })
  tellBoth(deps, tx, application, "application")
  recount(deps, notes, tx, before)
  const numbers = { invoiceNumber: invoice.invoiceNumber, creditNoteNumber: head.creditNoteNumber }
  return toApplication({ ...application, ...numbers }, money.digits)
}

/** Voids an application: the invoice has that much more left to pay. */
export function releaseApplication(
  deps: CreditNoteDeps,
  tx: Tx,
  application: Settlement,
  caller: Caller,
): void {
  assertOpenPeriod(deps.settings(), application.date, "applicationDate")
  voidSettlement(deps.db, application.id, { now: tx.now, by: caller.userId })
  const invoice = deps.invoices.loadHead(application.invoice ?? "")
  deps.invoices.settle(tx, invoice, { creditApplied: invoice.creditApplied - application.amount })
  tellBoth(deps, tx, application, "application-removed")
}

/** Adds an entry to the history of the credit note and of the invoice. */
function tellBoth(
  { moneyContext }: CreditNoteDeps,
  tx: Tx,
  { id, creditNote, invoice, amount }: Settlement,
  what: "application" | "application-removed",
): void {
  const isNew = what === "application"
  const shown = fromUnits(amount, moneyContext(tx.now).digits)
  const change = (value: string | number | null) =>
    isNew ? { from: null, to: value } : { from: value, to: null }
  const common = { application: change(id), amount: change(shown) }
  tx.audit(`credit-notes.${what}`, creditNote, { ...common, invoice: change(invoice) })
  tx.audit(`invoices.${what}`, invoice, { ...common, creditNote: change(creditNote) })
}

/** Stores how much of a credit note is applied and refunded now. */
export function recount({ db }: CreditNoteDeps, notes: CreditNotes, tx: Tx, before: Note): void {
  const parts = findSettlements(db, "credit_note", [before.head.id])
  const [applied, refunded] = [sumOf(parts, "application"), sumOf(parts, "refund")]
  const { total, appliedToInvoice, version } = before.head
  const unapplied = total - appliedToInvoice - applied - refunded
  const head: CreditNoteHead = {
    ...before.head,
    applied,
    refunded,
    unapplied,
    status: unapplied > 0 ? "open" : "settled",
    version: version + 1,
    updatedAt: tx.now,
  }
  notes.save(tx, before, { head, lines: before.lines })
}
