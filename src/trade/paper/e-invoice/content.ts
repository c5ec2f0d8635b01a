import type { Address } from "../../../core/kind/address"
import type { TaxCategory } from "../../../shared/tax"
import { usableVatId } from "../../../shared/e-invoice"
import { xmlTextOf } from "../../../shared/sheet-escape"
import type { Buyer, Seller } from "../../documents/parties"
import type { Paper, PaperLine, XmlProfile } from "../model"
import { linePriceOf, type LinePrice } from "./line-price"
import { paymentOf, termsOf, type Payment } from "./payment"

/** The content of an e-invoice in the terms of EN 16931, for both formats. The comments name its business terms. */
export type Content = {
  isCreditNote: boolean
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
  corrects: { number: string; date: string } | null
  seller: Party
  buyer: Party
  /** BG-15. */
  deliverTo: Address | null
  /** BT-72. */
  deliveryDate: string | null
  payment: Payment | null
  dueDate: string | null
  /** BT-20. */
  terms: string | null
  taxes: ContentTax[]
  lines: ContentLine[]
  subtotal: number
  taxTotal: number
  total: number
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
  return {
    isCreditNote: paper.kind === "credit-note",
    process: profile === "xrechnung" ? billingProcess : null,
    specification: specifications[profile],
    number: number ?? "",
    date,
    currency,
    digits,
    notes: [paper.notes, corrects?.reason ?? null, paper.seller.documentFooter].flatMap((note) => note ?? []),
    buyerReference,
    orderNumber,
    corrects,
    seller: sellerOf(paper.seller, hasVatIds),
    buyer: buyerOf(paper.buyer, hasVatIds),
    deliverTo: deliverToOf(paper, profile),
    deliveryDate: deliveryDateOf(paper),
    payment: paymentOf(paper, profile),
    ...termsOf(paper, profile),
    taxes: taxesOf(paper, profile),
    lines: lines.map(lineOf),
    subtotal: paper.subtotal,
    taxTotal: paper.taxTotal,
    total: paper.total,
  }
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
  paper.supplyDate ?? (hasCategory(paper, "K") ? (paper.corrects?.date ?? paper.date) : null)

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
