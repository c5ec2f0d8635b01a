import type { Address } from "../../../core/kind/address"
import type { TaxCategory } from "../../../shared/documents/tax"
import { usableVatId } from "../../../shared/documents/e-invoice"
import { xmlTextOf } from "../../../shared/sheet-escape"
import type { Buyer, Seller } from "../../documents/parties"
import type { Paper, PaperLine, XmlProfile } from "../model"
import type { Language } from "../../../shared/languages"
import { depositsOf, dueOf } from "../due"
import { depositName, wordedOf } from "../shown"
import { allowancesOf } from "./allowances"

/** The content of an e-invoice in the terms of EN 16931, for both formats. The comments name its business terms. */
export type Content = {
  isCreditNote: boolean
  /** BT-3. */
  typeCode: string
  /** BT-23, only in XRechnung. */
  process: string | null
  /** BT-24. */
  specification: string
  number: string
  date: string
  currency: string
  digits: number
  /** BT-22. */
  notes: string[]
  buyerReference: string | null
  /** BT-14: the number of the order is the seller's. */
  orderNumber: string | null
  /** BG-3: the invoice that a credit note corrects, or the deposit invoices that an invoice takes off. */
  preceding: { number: string; date: string }[]
  seller: Party
  buyer: Party
  /** BG-15. */
  deliverTo: Address | null
  /** BT-72. */
  deliveryDate: string | null
  /** BG-14. */
  period: { from: string; to: string } | null
  payment: Payment | null
  dueDate: string | null
  /** BT-20. */
  terms: string | null
  taxes: ContentTax[]
  lines: ContentLine[]
  /** BG-20: the discount of the document in each category and rate. */
  allowances: Allowance[]
  /** BT-106. */
  lineTotal: number
  /** BT-107. */
  allowanceTotal: number
  subtotal: number
  taxTotal: number
  total: number
  /** BT-113. */
  prepaid: number
  /** BT-115. */
  due: number
}

export type Party = {
  name: string | null
  /** BT-29 or BT-46: what the seller or the buyer is known as. */
  id: string | null
  /** BT-30. */
  registrationId: string | null
  vatId: string | null
  /** BT-32. */
  taxNumber: string | null
  contact: { name: string | null; phone: string | null; email: string | null }
  /** BT-34 or BT-49. */
  email: string | null
  address: Address | null
}

export type ContentTax = {
  category: TaxCategory
  /** Null where the rules forbid a rate. */
  rate: number | null
  base: number
  tax: number
  reason: string | null
  /** BT-121. */
  reasonCode: string | null
}

export type Allowance = {
  /** BT-92. */
  amount: number
  /** BT-97. */
  reason: string
  category: TaxCategory
  rate: number | null
}

export type ContentLine = LinePrice & {
  name: string | null
  description: string | null
  code: string | null
  unitCode: string
  amount: number
  category: TaxCategory
  rate: number | null
}

const specifications: Record<XmlProfile, string> = {
  en16931: "urn:cen.eu:en16931:2017",
  xrechnung: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
}
const billingProcess = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"

/** The codes of the list VATEX for categories whose reason the law names. */
const reasonCodes: Partial<Record<TaxCategory, string>> = {
  AE: "VATEX-EU-AE",
  K: "VATEX-EU-IC",
  G: "VATEX-EU-G",
  O: "VATEX-EU-O",
}

/** Returns what the e-invoice of a document says. Nothing may be missing in the document. */
export function contentOf(paper: Paper, profile: XmlProfile): Content {
  const { number, date, currency, digits, buyerReference, orderNumber, corrects, lines } = paper
  const hasVatIds = lines.every(({ taxCategory }) => taxCategory !== "O")
  const { lineAmounts, ...discounts } = allowancesOf(paper)
  return {
    isCreditNote: paper.kind === "credit-note",
    typeCode: typeCodeOf(paper, profile),
    process: profile === "xrechnung" ? billingProcess : null,
    specification: specifications[profile],
    number: number ?? "",
    date,
    currency,
    digits,
    notes: [paper.notes, corrects?.reason ?? null, depositNote(paper), paper.seller.documentFooter].flatMap(
      (note) => note ?? [],
    ),
    buyerReference,
    orderNumber,
    preceding: corrects ? [corrects] : [...(paper.deposits ?? [])],
    seller: sellerOf(paper.seller, hasVatIds),
    buyer: buyerOf(paper.buyer, hasVatIds),
    deliverTo: deliverToOf(paper, profile),
    deliveryDate: deliveryDateOf(paper),
    period: paper.period ?? null,
    payment: paymentOf(paper, profile),
    ...termsOf(paper, profile),
    taxes: taxesOf(paper, profile),
    lines: lines.map((line, i) => lineOf({ ...line, amount: lineAmounts[i] ?? 0 })),
    ...discounts,
    subtotal: paper.subtotal,
    taxTotal: paper.taxTotal,
    total: paper.total,
    prepaid: depositsOf(paper),
    due: dueOf(paper),
  }
}

/** XRechnung has no code for a deposit invoice, but one for an invoice of a part. */
const typeCodeOf = ({ kind, isDeposit }: Paper, profile: XmlProfile): string => {
  if (kind === "credit-note") return "381"
  if (!isDeposit) return "380"
  return profile === "xrechnung" ? "326" : "386"
}

/** The deposits with their tax, for which there is no element. Of several, CII can also name only one. */
function depositNote(paper: Paper): string | null {
  if (!paper.deposits?.length) return null
  const worded = wordedOf(paper)
  return paper.deposits.map((deposit) => depositName(deposit, worded)).join("\n")
}

/** A document that is not subject to tax must not contain the VAT IDs. */
function sellerOf(seller: Seller, hasVatId: boolean): Party {
  const { legalName, phone, email, address } = seller
  const [registrationId, taxNumber] = [xmlTextOf(seller.registrationId), xmlTextOf(seller.taxNumber)]
  const vatId = hasVatId ? usableVatId(seller.vatId) : null
  return {
    name: legalName,
    // One ID of the seller is required. A small business may have nothing but its tax number.
    id: vatId === null && registrationId === null ? taxNumber : null,
    registrationId,
    vatId,
    taxNumber,
    contact: { name: legalName, phone, email },
    email,
    address,
  }
}

const buyerOf = (buyer: Buyer, hasVatId: boolean): Party => ({
  name: buyer.name,
  id: buyer.customerNumber,
  registrationId: null,
  vatId: hasVatId ? usableVatId(buyer.taxId) : null,
  taxNumber: null,
  contact: { name: buyer.contactName, phone: buyer.phone, email: buyer.email },
  email: buyer.email,
  address: buyer.address,
})

export const hasCategory = ({ lines }: Paper, category: TaxCategory): boolean =>
  lines.some(({ taxCategory }) => taxCategory === category)

const hasText = (text: string | null): boolean => xmlTextOf(text) !== null

/** An intra-Community supply needs an address of delivery. XRechnung accepts only one with a city and a zip code. */
export function deliverToOf(paper: Paper, profile: XmlProfile): Address | null {
  const { shippingAddress: given, buyer } = paper
  const isNeeded = hasCategory(paper, "K")
  if (!given?.country) return isNeeded ? buyer.address : null
  const isComplete = profile === "en16931" || (hasText(given.city) && hasText(given.zipCode))
  return isComplete || isNeeded ? given : null
}

/** An intra-Community supply needs a date of delivery. */
const deliveryDateOf = (paper: Paper): string | null =>
  paper.supplyDate ?? (hasCategory(paper, "K") && !paper.period ? (paper.corrects?.date ?? paper.date) : null)

const taxesOf = ({ taxes }: Paper, profile: XmlProfile): ContentTax[] =>
  taxes.map(({ category, rate, base, tax, reason }) => ({
    category: category ?? "S",
    // EN 16931 forbids the rate of O in lines only, and XRechnung requires it here.
    rate: category === "O" && profile === "en16931" ? null : rate,
    base,
    tax,
    // A standard or zero rate must not have a reason.
    reason: category === "S" || category === "Z" ? null : reason,
    reasonCode: reasonCodes[category ?? "S"] ?? null,
  }))

/** The amount of a line is before the discount of the document. */
function lineOf(line: PaperLine): ContentLine {
  const { itemName, itemCode, unitCode, isAmount, amount, taxCategory, taxRate } = line
  return {
    ...linePriceOf(line),
    ...namesOf(itemName, line.description),
    code: itemCode,
    unitCode: isAmount ? "C62" : (unitCode ?? ""),
    amount,
    category: taxCategory ?? "S",
    rate: taxCategory === "O" ? null : taxRate,
  }
}

/** The name of a line without an item is the first line of its description. */
export function namesOf(itemName: string | null, description: string | null) {
  const whole = xmlTextOf(description)
  const name = xmlTextOf(itemName) ?? xmlTextOf(whole?.split("\n", 1)[0] ?? null)
  return { name, description: whole === name ? null : whole }
}

/** How a line of an e-invoice arrives at its amount: quantity × price / base − allowance. */
type LinePrice = {
  quantity: number
  price: number
  /** The quantity that the price is for; null when it is 1. */
  base: number | null
  allowance: number
}

/** Half a cent: what an amount may differ from its calculation by rounding, and a little for binary fractions. */
const tolerance = 0.005_001
const priceFactor = 1e8

/**
 * Returns the price of a line without tax. The price of the document is used if it gives the amount. It does not if
 * it includes tax, if the line is a part whose cents were carried, or if the currency has no cents. Then the price is
 * the amount divided by the quantity, or, where eight decimals are not enough, the amount for the whole quantity.
 */
export function linePriceOf(line: PaperLine): LinePrice {
  const { quantity, rate, amount, discountAmount } = line
  if (line.isAmount) return { quantity: 1, price: amount, base: null, allowance: 0 }
  const isExplained = Math.abs(quantity * rate - discountAmount - amount) <= tolerance
  if (isExplained) return { quantity, price: rate, base: null, allowance: discountAmount }
  const price = Math.round((amount / quantity) * priceFactor) / priceFactor
  const isExact = Math.abs(price * quantity - amount) <= tolerance
  return isExact
    ? { quantity, price, base: null, allowance: 0 }
    : { quantity, price: amount, base: quantity, allowance: 0 }
}

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
