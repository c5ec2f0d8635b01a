import type { InvoiceHead } from "../invoices/model"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { CreditNote } from "./model"

/** Returns a credit note as it is put on paper. */
export function creditNotePaper(
  { commonOf }: PaperContents,
  note: CreditNote,
  { invoiceDate, supplyDate }: Pick<InvoiceHead, "invoiceDate" | "supplyDate">,
): Loaded {
  const { common, values } = commonOf(note, null)
  const paper = {
    ...common,
    kind: "credit-note" as const,
    number: note.creditNoteNumber,
    mark: null,
    date: note.creditNoteDate,
    supplyDate,
    deliveryDate: null,
    paymentTerms: null,
    orderNumber: null,
    corrects: { number: note.invoiceNumber, date: invoiceDate, reason: note.reason },
    issuedAt: note.createdAt,
  }
  return { id: note.id, paper, values, isIssued: true }
}
