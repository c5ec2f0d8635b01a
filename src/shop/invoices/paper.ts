import type { Language } from "../../shared/languages"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Paper, PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { Invoice } from "./model"
import { assertIssuedHere } from "./rules"
import type { InvoiceService } from "./service"

type Needs = { paper: PaperContents; invoices: InvoiceService }

/** How it is called on paper. */
export const invoicePaperWords = {
  en: { title: "Invoice", dateName: "Invoice date" },
  de: { title: "Rechnung", dateName: "Rechnungsdatum" },
  fr: { title: "Facture", dateName: "Date de facture" },
} satisfies PaperWords

export const invoicePapers = ({ paper, invoices }: Needs): Papers => ({
  issued: "invoices",
  // Another system issued an opening invoice, so it has no paper.
  refuses: [404, 422],
  load: (id, language) => invoicePaper(paper, invoices.get(id), language),
  mailed(id) {
    const { customer, issuedAt, balance } = invoices.get(id)
    return { customer, isDraft: issuedAt === null, isBilling: true, balance }
  },
})

/** Returns an invoice as it is put on paper. An issued one is printed as it was issued. */
export function invoicePaper(
  { commonOf }: PaperContents,
  invoice: Invoice,
  language: Language | null = null,
): Loaded {
  assertIssuedHere(invoice, "its paper and its e-invoice are those of that system")
  const { common, values } = commonOf(invoice, invoicePaperWords, language)
  const isIssued = invoice.issuedAt !== null
  const paper: Paper = {
    ...common,
    kind: "invoice",
    number: invoice.invoiceNumber,
    mark: markOf(invoice),
    date: invoice.invoiceDate,
    supplyDate: invoice.supplyDate,
    paymentTerms: invoice.paymentTerms,
    orderNumber: invoice.orderNumber,
    issuedAt: invoice.issuedAt,
  }
  return { id: invoice.id, paper, values, isIssued }
}

function markOf({ issuedAt, status }: Invoice): "draft" | "cancelled" | null {
  if (issuedAt !== null) return null
  return status === "cancelled" ? "cancelled" : "draft"
}
