import type { Address } from "../../resource/address"
import type { Line, TaxRow } from "../documents/model"
import type { Seller } from "../documents/parties"

/** The content of a printed document of any kind, in plain numbers. */
export type Sheet = {
  title: string
  number: string | null
  /** Printed prominently on the page. */
  mark: "draft" | "cancelled" | "paid" | null
  seller: Seller
  customer: SheetCustomer
  /** Where the goods go, if that is not the address of the customer. */
  shippingAddress: Address | null
  dates: Fact[]
  facts: Fact[]
  currency: string
  /** True when the rates and amounts of the lines include tax. */
  pricesIncludeTax: boolean
  lines: SheetLine[]
  /** The sum of the lines, after discounts and without tax. */
  subtotal: number
  discountTotal: number
  taxes: TaxRow[]
  total: number
  /** Null when nothing is owed, as for an order or a draft. */
  payment: { paid: number; credited: number; balance: number } | null
  notes: string | null
}

export type SheetCustomer = {
  name: string
  contactName: string | null
  address: Address | null
  taxId: string | null
}

export type SheetLine = Pick<
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
  | "taxRate"
>

/** A label and its value; a fact without a value is not printed. */
export type Fact = [label: string, value: string | null]

/** Returns the shipping address of a document, unless it is the address of its customer. */
export const otherAddress = (shipping: Address | null, address: Address | null): Address | null =>
  Bun.deepEquals(shipping, address) ? null : shipping
