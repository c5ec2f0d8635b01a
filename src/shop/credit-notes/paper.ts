import type { InvoiceHead } from "../invoices/model"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Paper, PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { InvoiceService } from "../invoices/service"
import type { CreditNote } from "./model"
import type { CreditNoteService } from "./service"

type Needs = { paper: PaperContents; creditNotes: CreditNoteService; invoices: InvoiceService }

/** How it is called on paper. */
export const creditNotePaperWords = {
  en: { title: "Credit note", dateName: "Credit note date" },
  // In German VAT law a "Gutschrift" is an invoice that the buyer issues, so a credit note must not have that title.
  de: { title: "Rechnungskorrektur", dateName: "Datum" },
  fr: { title: "Facture d’avoir", dateName: "Date de l’avoir" },
} satisfies PaperWords

export const creditNotePapers = ({ paper, creditNotes, invoices }: Needs): Papers => ({
  issued: "credit-notes",
  refuses: [404],
  load: (id) => {
    const note = creditNotes.get(id)
    return creditNotePaper({ paper, invoices }, note, invoices.loadHead(note.invoice))
  },
  mailed(id) {
    const { customer, total } = creditNotes.get(id)
    return { customer, isDraft: false, isBilling: true, balance: total }
  },
})

/** Returns a credit note as it is put on paper. */
export function creditNotePaper(
  { paper: { commonOf }, invoices }: Pick<Needs, "paper" | "invoices">,
  note: CreditNote,
  { id, invoiceDate, supplyDate, invoiceType }: InvoiceHead,
): Loaded {
  const { common, ...more } = commonOf(note, creditNotePaperWords, null)
  const paper: Paper = {
    ...common,
    kind: "credit-note",
    number: note.creditNoteNumber,
    mark: null,
    date: note.creditNoteDate,
    supplyDate: invoiceType === "deposit" ? null : supplyDate,
    // A cancelled invoice had taken off deposits, so less is credited than its total.
    deposits: note.depositTotal > 0 ? invoices.get(id).deposits : [],
    corrects: { number: note.invoiceNumber, date: invoiceDate, reason: note.reason },
    issuedAt: note.createdAt,
  }
  return { id: note.id, paper, isIssued: true, ...more }
}
