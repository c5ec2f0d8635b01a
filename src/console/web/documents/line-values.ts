import type { InvoiceLine, Item } from "../api/types"
import type { Typed } from "../forms/number"
import type { PlainLine } from "../../../shared/totals"

/** A line as it stands in the inputs, where anything may be empty. */
export type LineValues = {
  /** Tells the lines apart while they have no id yet. */
  key: string
  id: string | null
  item: string
  itemCode: string
  itemName: string
  uom: string
  quantity: Typed
  rate: Typed
  /** What holds while the rate is left empty. */
  usualRate: number
  discount: Typed
  taxRate: number
}

type StoredLine = Omit<InvoiceLine, "orderLine" | "amount" | "discountAmount">

let made = 0

export const blankLine = (): LineValues => ({
  key: `new-${++made}`,
  id: null,
  item: "",
  itemCode: "",
  itemName: "",
  uom: "",
  quantity: 1,
  rate: "",
  usualRate: 0,
  discount: 0,
  taxRate: 0,
})

export const lineOf = (line: StoredLine): LineValues => ({
  key: line.id,
  id: line.id,
  item: line.item,
  itemCode: line.itemCode,
  itemName: line.itemName,
  uom: line.uom,
  quantity: line.quantity,
  rate: line.rate,
  usualRate: line.rate,
  discount: line.discount,
  taxRate: line.taxRate,
})

/** The line with another item on it: its price and tax are the item's, and it is another line than before. */
export const withItem = (line: LineValues, item: Item): LineValues => ({
  ...line,
  id: null,
  item: item.id,
  itemCode: item.itemCode,
  itemName: item.itemName,
  uom: item.uom,
  rate: item.sellingPrice,
  usualRate: item.sellingPrice,
  taxRate: item.taxRate,
})

/**
 * What is sent of the lines. Lines without an item at the end were only just added, and are left out. Between others
 * they are sent and refused, because the server's errors name a line by its index.
 */
export function linesBody(lines: readonly LineValues[]) {
  const last = lines.findLastIndex(({ item }) => item !== "")
  return lines.slice(0, last + 1).map(({ id, item, quantity, rate, discount }) => ({
    ...(id ? { id } : {}),
    item: item || null,
    quantity: given(quantity),
    rate: given(rate),
    discount: given(discount) ?? 0,
  }))
}

export const figuresOf = ({ quantity, rate, usualRate, discount, taxRate }: LineValues): PlainLine => ({
  quantity: counted(quantity),
  rate: rate === "" ? usualRate : counted(rate),
  discount: counted(discount),
  taxRate,
})

/** What is no number is sent as it was typed, for the server to refuse; it does not count in the totals. */
const given = (value: Typed): Typed | null => (value === "" ? null : value)
const counted = (value: Typed): number => (typeof value === "number" ? value : 0)

type LineInWords = ReturnType<typeof linesBody>[number] & { itemCode?: string }

/** The lines in a few words: what was sent of them, or as they were answered. */
export const linesInWords = (lines: readonly LineInWords[], codeOf: (item: string) => string): string =>
  lines
    .map(({ item, itemCode, quantity, rate, discount }) => {
      const less = discount ? `, less ${discount} %` : ""
      return `${quantity ?? "–"} × ${itemCode ?? codeOf(item ?? "")} at ${rate ?? "–"}${less}`
    })
    .join("; ")
