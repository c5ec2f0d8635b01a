import type { Database } from "../../core/engine/engine"
import type { MoneyContext } from "../../core/kind/field"
import type { Language } from "../../shared/languages"
import { unitCodes } from "../../shared/documents/units"
import type { Customers, TaxCodes } from "../needs"
import { withReasons } from "../../shared/documents/line"
import type { Line } from "../documents/model"
import type { Buyer, Seller } from "../documents/parties"
import type { Settings } from "../../office/settings/model"
import { sellerOf } from "../../office/settings/seller"
import { isUnitCode } from "../../shared/documents/unit-codes"
import type { Paper, PaperLine, PaperWords, PrintedValues, XmlProfile } from "./model"
import { findValues } from "./store"
import type { Address } from "../../core/kind/address"
import { digitsOf } from "../../shared/countries"
import { millisOf } from "../../shared/dates"

/** The fields of a document that paper shows as they are. */
type Figure =
  | "buyerReference"
  | "shippingAddress"
  | "currency"
  | "pricesIncludeTax"
  | "discount"
  | "discountAmount"
  | "isDiscountAmount"
  | "subtotal"
  | "discountTotal"
  | "taxTotal"
  | "total"

/** A document of any kind as responses show it, as far as paper needs it. */
type Printable = Pick<Paper, Figure | "taxes" | "notes"> & {
  id: string
  customer: string
  /** The invoice that a credit note corrects. */
  invoice?: string
  items: (Omit<Line, "isDiscountAmount" | "hasOwnTaxCode"> & { isAmount?: boolean })[]
}

/** A document of an issue: it stores its parties and its language. */
type Issued = { seller: Seller | null; buyer: Buyer | null; language: Language | null }

type Deps = {
  db: Database
  settings: () => Settings
  customers: Customers
  taxCodes: TaxCodes
  moneyContext: () => MoneyContext
}

/** The content of a document with what it is made of. */
export type Loaded = {
  id: string
  paper: Paper
  values: PrintedValues
  isIssued: boolean
  /** The revision of a document that can be revised after it was sent. A PDF of each is kept. */
  revision?: number
  /** True for an issued document that was cancelled later. Its kept files have no mark. */
  isCancelled?: boolean
  contacts: () => Contacts
}

/** How the company and the customer are reached today. */
export type Contacts = { seller: Pick<Seller, "phone" | "email">; buyer: Pick<Buyer, "email"> }

/**
 * Returns what an e-invoice is made of. XRechnung needs to know how the company and the customer are reached. No paper
 * depends on that, so a document that was issued without it has that of today.
 */
export function paperFor(
  { paper, contacts }: Pick<Loaded, "paper" | "contacts">,
  profile: XmlProfile,
): Paper {
  const { seller, buyer } = paper
  const isComplete = seller.phone !== null && seller.email !== null && buyer.email !== null
  if (profile !== "xrechnung" || isComplete) return paper
  const now = contacts()
  const [phone, email] = [seller.phone ?? now.seller.phone, seller.email ?? now.seller.email]
  return {
    ...paper,
    seller: { ...seller, phone, email },
    buyer: { ...buyer, email: buyer.email ?? now.buyer.email },
  }
}

/** A document that was cancelled after its issue, as paper of today says it: it is drawn anew, with a mark. */
export const asCancelled = (loaded: Loaded): Loaded => ({
  ...loaded,
  isIssued: false,
  paper: { ...loaded.paper, mark: "cancelled" },
})

/** What a document has only if its kind says so. */
const nothing = {
  supplyDate: null,
  period: null,
  deliveryDate: null,
  ownDates: [],
  ownTexts: [],
  account: null,
  claim: null,
  text: null,
  paymentTerms: null,
  orderNumber: null,
  corrects: null,
  issuedAt: null,
}

/**
 * What the documents of all kinds have on paper: the company, the customer, the lines and the totals. What only some
 * kinds have is null.
 */
export type Common = Omit<Paper, "kind" | "number" | "mark" | "date">

/** Returns the functions that read what a document prints: what is stored with it, or else what is true now. */
export const paperContents = (deps: Deps) => ({
  commonOf<W extends PaperWords>(
    document: Printable & Partial<Issued> & { dueDate?: string },
    wordsOf: W,
    language: Language | null,
  ): Pick<Loaded, "values" | "contacts"> & { common: Common; words: W[Language] } {
    const values = findValues(deps.db, document.id) ?? valuesNow(deps, document)
    const parties = storedParties(document) ?? partiesNow(deps, document, language)
    const { digits } = deps.moneyContext()
    const words: W[Language] = wordsOf[parties.language]
    const { title, dateName } = words
    return {
      common: { ...nothing, ...figuresOf(document, values), digits, ...parties, title, dateName },
      values,
      words,
      contacts: () => contactsNow(deps, document.customer),
    }
  },
})

export type PaperContents = ReturnType<typeof paperContents>

/** The codes of units of a credit note are those of its invoice, which was valid with them. */
const valuesNow = (
  { db, settings }: Deps,
  { notes, dueDate, items, invoice }: Printable & { dueDate?: string },
): PrintedValues => {
  const corrected = invoice === undefined ? null : findValues(db, invoice)
  const known = new Map(Object.entries(corrected?.unitCodes ?? {}))
  const codeOf = unitCodes(settings().unitCodes, isUnitCode)
  const units = new Set(items.map(({ uom }) => uom))
  const codes = [...units].flatMap((uom) => {
    const code = known.get(uom) ?? codeOf(uom)
    return code === null ? [] : [[uom, code] as const]
  })
  return { notes, dueDate: dueDate ?? null, unitCodes: Object.fromEntries(codes) }
}

type Parties = Pick<Paper, "seller" | "buyer" | "buyerReference" | "language" | "taxes">

/** The parties of an issued document, which never change. */
const storedParties = ({
  seller,
  buyer,
  buyerReference,
  language,
  taxes,
}: Printable & Partial<Issued>): Parties | null =>
  seller && buyer && language ? { seller, buyer, buyerReference, language, taxes } : null

/** The parties that a draft would be issued with now. */
function partiesNow(
  { settings, customers, taxCodes }: Deps,
  document: Printable,
  wanted: Language | null,
): Parties {
  const customer = customers.get(document.customer)
  const { customerNumber, name, contactName, phone, address, taxId, taxReason } = customer
  const email = emailOf(customer)
  const language = wanted ?? customer.language ?? settings().defaultLanguage
  return {
    seller: sellerOf(settings()),
    buyer: { customerNumber, name, contactName, email, phone, address, taxId },
    buyerReference: document.buyerReference ?? customer.buyerReference,
    language,
    taxes: withReasons(document.taxes, document.items, { findCode: taxCodes.find, taxReason, language }),
  }
}

const emailOf = ({ invoiceEmail, email }: ReturnType<Customers["get"]>): string | null =>
  invoiceEmail ?? email

const contactsNow = ({ settings, customers }: Deps, customer: string): Contacts => ({
  seller: sellerOf(settings()),
  buyer: { email: emailOf(customers.get(customer)) },
})

const figuresOf = (document: Printable, { notes, dueDate, unitCodes }: PrintedValues) => ({
  notes,
  dueDate,
  shippingAddress: document.shippingAddress,
  currency: document.currency,
  pricesIncludeTax: document.pricesIncludeTax,
  lines: document.items.map((line) => lineOf(line, unitCodes)),
  discount: document.discount,
  discountAmount: document.discountAmount,
  isDiscountAmount: document.isDiscountAmount,
  subtotal: document.subtotal,
  discountTotal: document.discountTotal,
  taxTotal: document.taxTotal,
  total: document.total,
})

const lineOf = (line: Printable["items"][number], unitCodes: Record<string, string>): PaperLine => ({
  itemCode: line.itemCode,
  itemName: line.itemName,
  description: line.description,
  uom: line.uom,
  quantity: line.quantity,
  rate: line.rate,
  discount: line.discount,
  discountAmount: line.discountAmount,
  amount: line.amount,
  grossAmount: line.grossAmount,
  documentDiscount: line.documentDiscount,
  taxCategory: line.taxCategory,
  taxRate: line.taxRate,
  // A unit can be called "constructor".
  unitCode: Object.hasOwn(unitCodes, line.uom) ? (unitCodes[line.uom] ?? null) : null,
  isAmount: line.isAmount ?? false,
})

/** Countries that write the city before the ZIP code, on one line with the state. */
const townFirst = ["US", "CA", "AU"]

/** An address as it is written in its country, with line breaks. */
export function addressLines(address: Address | null, formats: Formats): string {
  if (address === null) return ""
  const { street, city, state, zipCode, country } = address
  const joined = (parts: (string | null)[], by: string) => parts.filter(Boolean).join(by)
  const town = townFirst.includes(country ?? "")
    ? [joined([city, joined([state, zipCode], " ")], ", ")]
    : [joined([zipCode, city], " "), state === city ? null : state]
  return joined([street, ...town, country && formats.country(country)], "\n")
}

/** Formatters by locale and currency, because creating them takes longer than the XML of a document. */
const known = new Map<string, Formats>()
const mostKnown = 16

/** Returns the functions that format the values of a document for a locale and a currency. */
export function formatsOf(locale: string, currency: string): Formats {
  const key = `${locale} ${currency}`
  const formats = known.get(key) ?? newFormats(locale, currency)
  if (known.size >= mostKnown) known.clear()
  known.set(key, formats)
  return formats
}

function newFormats(locale: string, currency: string) {
  const digits = digitsOf(currency)
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const money = new Intl.NumberFormat(locale, { style: "currency", currency, ...places })
  const amount = new Intl.NumberFormat(locale, places)
  const rate = new Intl.NumberFormat(locale, { ...places, maximumFractionDigits: 4 })
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
  const regions = new Intl.DisplayNames(locale, { type: "region" })
  return {
    money: money.format,
    amount: amount.format,
    rate: rate.format,
    quantity: quantity.format,
    percent: (value: number) => percent.format(value / 100),
    date: (value: string) => date.format(millisOf(value)),
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code),
  }
}

export type Formats = ReturnType<typeof newFormats>
