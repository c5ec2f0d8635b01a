import type { Line, TaxRow } from "../documents/model"

/** The content of a printed document of any kind, in plain numbers. */
export type Sheet = {
  title: string
  number: string | null
  /** Printed prominently on the page. */
  mark: "draft" | "cancelled" | "paid" | null
  customer: { name: string; address: Address | null; taxId: string | null }
  dates: Fact[]
  facts: Fact[]
  currency: string
  lines: SheetLine[]
  /** The sum of the lines, after discounts. */
  subtotal: number
  discountTotal: number
  taxes: TaxRow[]
  total: number
  /** Null when nothing is owed, as for an order or a draft. */
  payment: { paid: number; balance: number } | null
  notes: string | null
}

export type SheetLine = Pick<
  Line,
  "itemCode" | "itemName" | "uom" | "quantity" | "rate" | "discount" | "amount" | "taxRate"
>

/** A label and its value; a fact without a value is not printed. */
export type Fact = [label: string, value: string | null]

export type Address = Readonly<Record<string, string | null | undefined>>
