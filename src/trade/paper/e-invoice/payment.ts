import type { Language } from "../../../shared/languages"
import type { Paper, XmlProfile } from "../model"

/** BG-16: how a document is paid. */
export type Payment = {
  /** BT-81. */
  code: string
  /** BT-83. */
  reference: string | null
  account: { iban: string; name: string | null; bic: string | null } | null
}

const sepaTransfer = "58"
const transfer = "30"
const undefinedMeans = "1"

/** The countries whose IBANs can receive SEPA credit transfers. */
const sepaCountries = new Set(
  (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS " +
    "SE SI SK SM VA"
  ).split(" "),
)

/** An invoice with an IBAN is paid by transfer. XRechnung requires a means of payment of credit notes too. */
export function paymentOf({ kind, seller, currency, number }: Paper, profile: XmlProfile): Payment | null {
  if (kind === "credit-note")
    return profile === "xrechnung" ? { code: undefinedMeans, reference: null, account: null } : null
  if (seller.iban === null) return null
  const isSepa = currency === "EUR" && sepaCountries.has(seller.iban.slice(0, 2))
  return {
    code: isSepa ? sepaTransfer : transfer,
    reference: number,
    account: { iban: seller.iban, name: seller.legalName, bic: seller.bic },
  }
}

const credited: Record<Language, string> = {
  en: "The amount is credited to you.",
  de: "Der Betrag wird Ihnen gutgeschrieben.",
  fr: "Le montant est porté à votre crédit.",
}
const onReceipt: Record<Language, string> = {
  en: "Due on receipt",
  de: "Sofort fällig",
  fr: "Payable à réception",
}

/** Returns the due date and the terms of payment. One of the two is required. */
export function termsOf(paper: Paper, profile: XmlProfile): { dueDate: string | null; terms: string | null } {
  const { kind, dueDate, language } = paper
  if (kind === "credit-note") return { dueDate: null, terms: credited[language] }
  const terms = paper.paymentTerms?.trim() || null
  // XRechnung reads a line that begins with # as a discount for early payment in a format of its own.
  const isKept = profile === "en16931" || !/^\s*#/m.test(terms ?? "")
  const shown = isKept ? terms : null
  return { dueDate, terms: shown ?? (dueDate === null ? onReceipt[language] : null) }
}
