import type { Address } from "../../core/kind/address"
import type { Language } from "../../shared/languages"
import type { Line, TaxRow } from "../documents/model"
import type { Buyer, Seller } from "../documents/parties"

/**
 * How a kind of document is called on paper: its title, and the name of its date. It may have more words, for the dates
 * and texts that only this kind has.
 */
export type PaperWords = Readonly<
  Record<Language, { title: string; dateName: string } & Readonly<Record<string, string>>>
>

/** The content of a document on paper and in an e-invoice, in plain numbers. */
export type Paper = {
  /** The noun of the kind, such as "credit-note": the file of a draft is called by it. */
  kind: string
  title: string
  dateName: string
  /** Null in a draft. */
  number: string | null
  /** Printed prominently on the page. The kept paper of an issued document has none, because it never changes. */
  mark: "draft" | "cancelled" | null
  language: Language
  /** The date of the document. */
  date: string
  supplyDate: string | null
  /** The days in which it was supplied, in place of one date. */
  period: { from: string; to: string } | null
  deliveryDate: string | null
  dueDate: string | null
  /** The dates and short texts that only its kind has, such as the end of an offer. */
  ownDates: readonly { name: string; date: string | null; text?: string | null }[]
  paymentTerms: string | null
  orderNumber: string | null
  buyerReference: string | null
  /** The invoice that a credit note corrects, and why. */
  corrects: { number: string; date: string; reason: string } | null
  seller: Seller
  buyer: Buyer
  shippingAddress: Address | null
  currency: string
  /** The decimals of the currency. */
  digits: number
  /** True when the rates and amounts of the lines include tax. */
  pricesIncludeTax: boolean
  lines: PaperLine[]
  /** What a statement has instead of lines and totals; null in other papers. */
  account: PaperAccount | null
  /** What a reminder has instead of lines and totals; null in other papers. */
  claim: PaperClaim | null
  /**
   * What a delivery note has instead of prices and totals; null in other papers. Paper that waited for an update of the server
   * has no such field.
   */
  handover?: PaperHandover | null
  /** True for an invoice that asks for a deposit. Paper that waited for an update of the server does not say it. */
  isDeposit?: boolean
  /** The deposits that an invoice takes off. Paper that waited for an update of the server has no such field. */
  deposits?: readonly PaperDeposit[]
  /** The text of a letter, above what it is about. */
  text: string | null
  /** The discount on the whole document in percent, and its amount in the sense of the prices. */
  discount: number
  discountAmount: number
  /** True when the amount was given, and not the percentage. */
  isDiscountAmount: boolean
  /** The sum of the lines, after all discounts and without tax. */
  subtotal: number
  /** The discounts of the lines and of the document. */
  discountTotal: number
  taxes: TaxRow[]
  taxTotal: number
  total: number
  notes: string | null
  /** The texts that only its kind has, such as the terms of an offer. They are printed below the notes. */
  ownTexts: readonly { heading: string; text: string | null }[]
  /** When the document was issued; null in a draft and an order. */
  issuedAt: string | null
}

export type PaperLine = Pick<
  Line,
  | "itemCode"
  | "itemName"
  | "description"
  | "uom"
  | "quantity"
  | "rate"
  | "discount"
  | "discountAmount"
  | "amount"
  | "grossAmount"
  | "documentDiscount"
  | "taxCategory"
  | "taxRate"
> & {
  /** The UN/ECE code of the unit; null when the unit has none. */
  unitCode: string | null
  /** True for an amount of a credit note, which has no quantity. */
  isAmount: boolean
}

/** The movements of an account in a period. */
export type PaperAccount = {
  from: string
  to: string
  opening: number
  movements: readonly {
    date: string
    kind: "invoices" | "credit-notes" | "payments" | "refunds" | "write-offs"
    number: string | null
    amount: number
    balance: number
  }[]
  closing: number
}

/** How goods were sent, and what stands at the line on which their receipt is signed. */
export type PaperHandover = { facts: readonly { name: string; text: string | null }[]; received: string }

/** What an invoice takes off for a deposit invoice. */
export type PaperDeposit = { number: string; date: string; net: number; tax: number }

/** An invoice that is not paid: what is open of it, and the fee of the reminder. */
export type PaperClaim = {
  invoice: { number: string; date: string; dueDate: string; total: number }
  balance: number
  fee: number
}

/** What a document prints that can change after its issue, or that depends on the settings. It is stored at issue. */
export type PrintedValues = {
  notes: string | null
  dueDate: string | null
  /** The UN/ECE codes of the units of its lines. A unit without a code is absent. */
  unitCodes: Record<string, string>
}

export const xmlFormats = ["cii", "ubl"] as const
export type XmlFormat = (typeof xmlFormats)[number]
export const xmlProfiles = ["en16931", "xrechnung"] as const
export type XmlProfile = (typeof xmlProfiles)[number]

/** The forms of paper that are kept: one PDF per language, also of each revision, and the forms of XML. */
export type Form = `pdf-${Language}` | `pdf-${Language}.${number}` | `${XmlFormat}-${XmlProfile}`

/** Why an e-invoice would not be valid: the field that is missing or wrong, and the rule that requires it. */
export type Missing = { field: string; rule: string; message: string }
