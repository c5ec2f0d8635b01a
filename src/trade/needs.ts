// What trade needs of the kinds that documents name. The services of those kinds have it.
import type { Related } from "../core/http/answer/expand"
import type { Read } from "../core/engine/engine"
import type { FieldError } from "../core/lib/refusal"
import type { Tx } from "../core/write/writer"
import type { Address } from "../core/kind/address"
import type { Language } from "../shared/languages"
import type { TaxCategory, TaxTreatment } from "../shared/documents/tax"

/**
 * The customer data that a document needs. The credit limit is in 1/10000, the other amounts in the minor unit. The
 * addresses are JSON.
 */
export type DocumentCustomer = {
  id: string
  customerNumber: string
  name: string
  contactName: string | null
  email: string | null
  /** The address for invoices, if it is not `email`. */
  invoiceEmail: string | null
  phone: string | null
  isActive: boolean
  paymentTerms: string | null
  address: string | null
  shippingAddress: string | null
  language: Language | null
  taxId: string | null
  taxTreatment: TaxTreatment
  taxReason: string | null
  buyerReference: string | null
  /** No reminder of an invoice is made until this day. */
  remindersPausedUntil: string | null
  /** Whether prices of its new documents include tax; null if the settings say it. */
  pricesIncludeTax: boolean | null
  creditLimit: number | null
  outstandingBalance: number
  openOrdersValue: number
  creditBalance: number
  /** The customer that was asked for, if it was merged into this one. */
  merged: Pick<DocumentCustomer, "customerNumber" | "name"> | null
}

/** The customer of a draft, as paper shows it. */
type PrintedCustomer = Pick<
  DocumentCustomer,
  | "customerNumber"
  | "name"
  | "contactName"
  | "email"
  | "invoiceEmail"
  | "phone"
  | "language"
  | "taxId"
  | "taxReason"
  | "buyerReference"
> & { address: Address | null }

/** The customers of documents. */
export type Customers = {
  /** Returns a customer, or the one that it was merged into. */
  forDocument(id: string): DocumentCustomer | null
  /** The query of `forDocument`. */
  readOf(id: string): Read
  get(id: string): PrintedCustomer
  /** For `expand`. */
  asRelated: Related
}

/** The item data that a document needs. Selling price, tax rate and stock are in 1/10000. */
export type SoldItem = {
  id: string
  itemCode: string
  itemName: string
  uom: string
  sellingPrice: number
  taxRate: number
  taxCode: string | null
  isActive: boolean
  /** False for services. */
  hasStock: boolean
  currentStock: number
  reservedStock: number
}
/** The items of lines. */
export type Items = {
  forLines(ids: readonly string[]): Map<string, SoldItem>
  /** The query of `forLines`. */
  readOf(ids: readonly string[]): Read
  asRelated: Related
}

/** The data of a tax code that items, settings and lines need. The rate is in 1/10000. */
export type NamedTaxCode = {
  id: string
  code: string
  category: TaxCategory
  rate: number
  reason: string | null
  isActive: boolean
  isUsed: boolean
}
/** The tax codes of lines. */
export type TaxCodes = {
  find(id: string): NamedTaxCode | null
  choiceErrors(field: string, id: string, before?: string | null): FieldError[]
  markUsed(tx: Tx, ids: Iterable<string>): void
}

/** An invoice that is paid. Its balance is in the minor unit. */
export type PayableInvoice = {
  id: string
  customer: string
  status: string
  balance: number
  invoiceNumber: string | null
}
