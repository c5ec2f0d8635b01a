import type { Line, TaxRow } from "../documents/model"

/** A document as it goes to a customer, of whatever kind, in plain numbers. */
export type Sheet = {
  title: string
  number: string | null
  /** What nobody may overlook. */
  mark: "draft" | "cancelled" | "paid" | null
  customer: { name: string; address: Address | null; taxId: string | null }
  dates: Fact[]
  facts: Fact[]
  currency: string
  lines: SheetLine[]
  /** What the lines come to, their discounts taken off already. */
  subtotal: number
  discountTotal: number
  taxes: TaxRow[]
  total: number
  /** Null where nothing is owed on it, as on an order or a draft. */
  payment: { paid: number; balance: number } | null
  notes: string | null
}

export type SheetLine = Pick<
  Line,
  "itemCode" | "itemName" | "uom" | "quantity" | "rate" | "discount" | "amount" | "taxRate"
>

/** A label and what it says; one without a value is left out. */
export type Fact = [label: string, value: string | null]

export type Address = Readonly<Record<string, string | null | undefined>>
