import { warnOfReference } from "../../trade/documents/customer"
import type { Language } from "../../shared/languages"
import type { Warning } from "../../core/lib/warning"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Missing, Paper, PaperWords } from "../../trade/paper/model"
import { missingIn } from "../../trade/paper/e-invoice/missing"
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

const wordsByType = {
  standard: invoicePaperWords,
  deposit: {
    en: { title: "Deposit invoice", dateName: "Invoice date" },
    de: { title: "Abschlagsrechnung", dateName: "Rechnungsdatum" },
    fr: { title: "Facture d’acompte", dateName: "Date de facture" },
  },
  final: {
    en: { title: "Final invoice", dateName: "Invoice date" },
    de: { title: "Schlussrechnung", dateName: "Rechnungsdatum" },
    fr: { title: "Facture de solde", dateName: "Date de facture" },
  },
} satisfies Record<Invoice["invoiceType"], PaperWords>

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
  const { common, ...more } = commonOf(invoice, wordsByType[invoice.invoiceType], language)
  const isIssued = invoice.issuedAt !== null
  const paper: Paper = {
    ...common,
    kind: "invoice",
    number: invoice.invoiceNumber,
    mark: markOf(invoice),
    date: invoice.invoiceDate,
    ...suppliedIn(invoice),
    isDeposit: invoice.invoiceType === "deposit",
    deposits: invoice.deposits,
    paymentTerms: invoice.paymentTerms,
    orderNumber: invoice.orderNumber,
    issuedAt: invoice.issuedAt,
  }
  return { id: invoice.id, paper, isIssued, isCancelled: isIssued && invoice.status === "cancelled", ...more }
}

/** When it was supplied: on a day, or in the period of a recurring invoice. What a deposit is for was not yet. */
const suppliedIn = ({ invoiceType, ...invoice }: Invoice) => {
  const { supplyDate, periodStartDate: from, periodEndDate: to } = invoice
  if (invoiceType === "deposit") return { supplyDate: null, period: null }
  return from !== null && to !== null
    ? { supplyDate: null, period: { from, to } }
    : { supplyDate, period: null }
}

function markOf({ issuedAt, status }: Invoice): "draft" | "cancelled" | null {
  if (issuedAt !== null) return null
  return status === "cancelled" ? "cancelled" : "draft"
}

const mostTold = 5

/** Warns of an invoice with a buyer reference, which the public sector gives, that would not be a valid XRechnung. */
export function warnOfXrechnung(warnings: Warning[], paper: Paper): void {
  if (paper.buyerReference === null) return
  warnOfReference(warnings, paper.buyerReference)
  const found = missingIn(paper, "xrechnung")
  if (found.length === 0) return
  const [sentences, missing] = [distinct(found, "message"), distinct(found, "field")]
  warnings.push({
    code: "XRECHNUNG_INCOMPLETE",
    field: "buyerReference",
    message: [
      "The invoice has a buyer reference, but it would not be a valid XRechnung.",
      ...sentences.slice(0, mostTold),
      ...(sentences.length > mostTold ? [`And ${sentences.length - mostTold} more.`] : []),
    ].join(" "),
    params: { missing: missing.slice(0, mostTold) },
  })
}

const distinct = (found: readonly Missing[], name: "field" | "message"): string[] => [
  ...new Set(found.map((each) => each[name])),
]
