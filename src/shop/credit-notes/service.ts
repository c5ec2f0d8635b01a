import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { Doc, DocumentKind, Effects } from "../../trade/documents/kind"
import { documentDeps, type Trade } from "../../trade/documents/documents"
import { documentService } from "../../trade/documents/service"
import type { DocumentMail } from "../../trade/mail/service"
import type { PaperContents } from "../../trade/paper/contents"
import type { PaperStore } from "../../trade/paper/papers"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { applicationsIn, assertMayCorrect, refundsIn, toApplication } from "../../trade/settlements/shown"
import type { Application, Refund, RefundBody } from "../../trade/settlements/model"
import { newPart, notBefore, partOf, readTarget, sumOf } from "../../trade/settlements/part"
import { insertRefund, voidRefund } from "../../trade/settlements/refund"
import {
  countSettlementsOf,
  findSettlements,
  insertSettlement,
  type Settlement,
  voidSettlement,
} from "../../trade/settlements/store"
import { creditCancelled, creditInvoice, type CreditNoteDeps, type CreditNotes } from "./issue"
import {
  type ApplicationBody,
  type Credit,
  type CreditNote,
  type CreditNoteHead,
  type CreditNoteLine,
  creditNotes,
} from "./model"
import { creditNotePaper } from "./paper"
import { editable, nameOf, transitions } from "./rules"
import { lineToApi } from "../../trade/documents/model"
import { creditNoteLines } from "./store"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { fromUnits } from "../../shared/decimal"
import { assertOpenPeriod, warnOfDate } from "../../trade/documents/dates"
import { assertLeft, assertPayable } from "../../trade/settlements/money"

type Needs = Trade &
  Pick<CreditNoteDeps, "customers" | "invoices" | "salesOrders" | "stockMovements"> & {
    paper: PaperContents
    papers: PaperStore
    mail: DocumentMail
  }

const depsOf = (the: Needs): CreditNoteDeps => ({
  ...documentDeps<CreditNoteHead, Needs>(the, creditNotes),
  invoices: the.invoices,
  salesOrders: the.salesOrders,
  stockMovements: the.stockMovements,
  keepPaper: (tx, note, invoice) => the.papers.issue(tx, "credit-notes", creditNotePaper(the, note, invoice)),
})

/** The credit notes of invoices. */
export function creditNoteService(the: Needs) {
  const deps = depsOf(the)
  const notes: CreditNotes = documentService<CreditNoteHead, CreditNoteLine, CreditNote>(
    creditNoteDocument,
    creditNoteEffects(deps),
    deps,
  )
  return {
    ...notes,
    ...usesOf(deps, notes),
    related: { ...notes.related, invoice: the.invoices.asRelated },
    /** Credits an invoice, completely or in part. */
    credit(tx: Tx, invoice: string, reading: Reading<Credit>, caller: Caller): CreditNote {
      const note = creditInvoice(deps, notes, tx, invoice, reading, caller)
      if (reading.values.send) the.mail.sendBy(tx, { kind: creditNotes.name, id: note.id, caller })
      return note
    },
    /** Writes the credit note of an invoice that is being cancelled. */
    creditCancelled: (
      tx: Tx,
      invoice: Doc<InvoiceHead, InvoiceLine>,
      why: { reason: string | null; caller: Caller },
    ): void => creditCancelled(deps, notes, tx, invoice, why),
  }
}

export type CreditNoteService = ReturnType<typeof creditNoteService>

/** The functions that use what is left of a credit note. */
function usesOf(deps: CreditNoteDeps, notes: CreditNotes) {
  const { load } = notes
  const part = (id: string, kind: Settlement["kind"], partId: string) =>
    partOf(deps.db, { table: "credit_note", id, noun: "credit note" }, kind, partId)
  /** Checks the version, voids a part of a credit note, and counts what is left. */
  const removePart = (tx: Tx, id: string, expected: Expected, remove: () => void): void => {
    const before = load(id)
    assertVersion(before.head, expected)
    remove()
    recount(deps, notes, tx, before)
  }
  return {
    apply: (tx: Tx, id: string, reading: Reading<ApplicationBody>, caller: Caller): Application =>
      applyCredit(deps, notes, tx, load(id), reading, caller),
    removeApplication: (tx: Tx, id: string, partId: string, expected: Expected, caller: Caller): void =>
      removePart(tx, id, expected, () =>
        releaseApplication(deps, tx, part(id, "application", partId), caller),
      ),
    refund(tx: Tx, id: string, reading: Reading<RefundBody>, caller: Caller): Refund {
      assertMayCorrect(caller, "refund", "amount")
      const before = load(id)
      const { unapplied: left, creditNoteDate: date } = before.head
      const source = { kind: "credit-notes" as const, id, left, name: nameOf(before.head), date }
      const refund = insertRefund(deps, tx, source, reading, caller)
      recount(deps, notes, tx, before)
      return refund
    },
    removeRefund: (tx: Tx, id: string, partId: string, expected: Expected, caller: Caller): void =>
      removePart(tx, id, expected, () => voidRefund(deps, tx, part(id, "refund", partId), caller)),
  }
}

/** A credit note as a kind of document. Its lines are computed from those of its invoice, never read from a body. */
const creditNoteDocument: DocumentKind<CreditNoteHead, CreditNoteLine> = {
  resource: creditNotes,
  lines: creditNoteLines,
  lineIdPrefix: "cnl",
  withOwnPart: (line, before) => ({
    ...line,
    invoiceLine: before?.invoiceLine ?? "",
    isAmount: before?.isAmount ?? 0,
  }),
  ownParts: ["invoiceLine", "isAmount"],
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    invoiceLine: line.invoiceLine,
    isAmount: line.isAmount === 1,
  }),
  transitions,
  editable,
  nameOf,
}

/** The effects of credit notes: what is left of them is credit of their customers. */
const creditNoteEffects = (deps: CreditNoteDeps): Effects<CreditNoteHead, CreditNoteLine> => ({
  beside(heads) {
    const ids = heads.map(({ id }) => id)
    const parts = Map.groupBy(findSettlements(deps.db, "credit_note", ids), ({ creditNote }) => creditNote)
    const { digits } = deps.moneyContext()
    return ({ id }) => {
      const own = parts.get(id) ?? []
      return {
        applications: applicationsIn(own, digits),
        refunds: refundsIn(own, digits),
      }
    }
  },
  countBeside: (heads) =>
    countSettlementsOf(
      deps.db,
      "credit_note",
      heads.map(({ id }) => id),
    ),
  book(tx, before, after) {
    const share = ({ head: { customer, unapplied } }: Doc<CreditNoteHead, CreditNoteLine>) => ({
      customer,
      amount: unapplied,
    })
    deps.customers.moveFigure(tx, "credit_balance", before && share(before), share(after))
  },
  become: {},
  assertDeletable: (head) => {
    throw new Refusal("DOCUMENT_LOCKED", `${nameOf(head)} is issued and cannot be deleted.`, {
      params: { number: head.creditNoteNumber, status: head.status },
      details: [fieldError("status", "RULE", "is issued", { rule: "STATUS", status: head.status })],
    })
  },
})

type Note = Doc<CreditNoteHead, CreditNoteLine>

/** Pays an invoice with what is left of a credit note. */
function applyCredit(
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
function releaseApplication(deps: CreditNoteDeps, tx: Tx, application: Settlement, caller: Caller): void {
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
function recount({ db }: CreditNoteDeps, notes: CreditNotes, tx: Tx, before: Note): void {
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
