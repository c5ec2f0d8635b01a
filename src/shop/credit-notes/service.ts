import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { Doc } from "../../trade/documents/kind"
import { documentDeps, type Trade } from "../../trade/documents/documents"
import { documentService } from "../../trade/documents/service"
import type { PaperContents } from "../../trade/paper/contents"
import type { PaperStore } from "../../trade/paper/papers"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { assertMayCorrect } from "../../trade/settlements/correct"
import type { Application, Refund, RefundBody } from "../../trade/settlements/model"
import { partOf } from "../../trade/settlements/part"
import { insertRefund, voidRefund } from "../../trade/settlements/refund"
import type { Settlement } from "../../trade/settlements/store"
import { applyCredit, recount, releaseApplication } from "./apply"
import { creditNoteDocument } from "./document"
import { creditNoteEffects } from "./effects"
import { creditCancelled, creditInvoice, type CreditNoteDeps, type CreditNotes } from "./issue"
import {
  creditNotes,
  type ApplicationBody,
  type Credit,
  type CreditNote,
  type CreditNoteHead,
  type CreditNoteLine,
} from "./model"
import { creditNotePaper } from "./paper"
import { nameOf } from "./rules"

type Needs = Trade &
  Pick<CreditNoteDeps, "customers" | "invoices" | "salesOrders" | "stockMovements"> & {
    paper: PaperContents
    papers: PaperStore
  }

const depsOf = (the: Needs): CreditNoteDeps => ({
  ...documentDeps<CreditNoteHead, Needs>(the, creditNotes),
  invoices: the.invoices,
  salesOrders: the.salesOrders,
  stockMovements: the.stockMovements,
  keepPaper: (tx, note, invoice) =>
    the.papers.issue(tx, "credit-notes", creditNotePaper(the.paper, note, invoice)),
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
    /** Credits an invoice, completely or in part. */
    credit: (tx: Tx, invoice: string, reading: Reading<Credit>, caller: Caller): CreditNote =>
      creditInvoice(deps, notes, tx, invoice, reading, caller),
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
