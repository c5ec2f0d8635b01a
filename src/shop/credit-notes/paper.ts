import type { InvoiceHead } from "../invoices/model"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Papers } from "../../trade/paper/routes"
import type { InvoiceService } from "../invoices/service"
import type { CreditNote } from "./model"
import type { CreditNoteService } from "./service"

type Needs = { paper: PaperContents; creditNotes: CreditNoteService; invoices: InvoiceService }

export const creditNotePapers = ({ paper, creditNotes, invoices }: Needs): Papers => ({
  issued: "credit-notes",
  refuses: [404],
  load: (id) => {
    const note = creditNotes.get(id)
    return creditNotePaper(paper, note, invoices.loadHead(note.invoice))
  },
})

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
