import type { Language } from "../../shared/languages"
import type { Loaded, PaperContents } from "../../trade/paper/contents"
import type { Paper, PaperWords } from "../../trade/paper/model"
import type { Papers } from "../../trade/paper/routes"
import type { Quotation } from "./model"
import type { QuotationService } from "./service"

type Needs = { paper: PaperContents; quotations: QuotationService }

/** How it is called on paper. */
export const quotationPaperWords = {
  en: {
    title: "Quotation",
    dateName: "Quotation date",
    validUntil: "Valid until",
    revision: "Revision",
    terms: "Terms",
  },
  de: {
    title: "Angebot",
    dateName: "Angebotsdatum",
    validUntil: "Gültig bis",
    revision: "Fassung",
    terms: "Bedingungen",
  },
  fr: {
    title: "Devis",
    dateName: "Date du devis",
    validUntil: "Valable jusqu’au",
    revision: "Révision",
    terms: "Conditions",
  },
} satisfies PaperWords

export const quotationPapers = ({ paper, quotations }: Needs): Papers => ({
  issued: null,
  keptAs: "quotations",
  isOffer: true,
  refuses: [404],
  load: (id, language) => quotationPaper(paper, quotations.get(id), language),
  beforeSending: quotations.markSent,
  page: { isOn: quotations.arePagesOn, open: quotations.linkFor },
  mailed(id) {
    const { customer, total } = quotations.get(id)
    // Sending a draft makes it a quotation that was sent.
    return { customer, isDraft: false, isBilling: false, balance: total }
  },
})

/** Returns a quotation as it is put on paper. The PDF of one that was sent is kept for each revision. */
function quotationPaper(
  { commonOf }: PaperContents,
  quotation: Quotation,
  language: Language | null = null,
): Loaded {
  const { common, words, ...more } = commonOf(quotation, quotationPaperWords, language ?? quotation.language)
  const { status, revision } = quotation
  const paper: Paper = {
    ...common,
    kind: "quotation",
    number: quotation.quotationNumber,
    mark: status === "draft" ? "draft" : null,
    date: quotation.quotationDate,
    ownDates: [
      { name: words.validUntil, date: quotation.validUntil },
      { name: words.revision, date: null, text: revision > 1 ? String(revision) : null },
    ],
    ownTexts: [{ heading: words.terms, text: quotation.terms }],
    paymentTerms: quotation.paymentTerms,
    issuedAt: quotation.sentAt,
  }
  return { id: quotation.id, paper, isIssued: status !== "draft", revision, ...more }
}
