import type { InvoiceLine, Item } from "../api/types"
import type { Typed } from "../forms/number"
import { number } from "../format"
import { t } from "../texts"
import type { PlainLine } from "../../../shared/totals"

/** The input values of a line. Each may be empty. */
export type LineValues = {
  /** Identifies a line that has no id yet. */
  key: string
  id: string | null
  item: string
  itemCode: string
  itemName: string
  uom: string
  quantity: Typed
  rate: Typed
  /** The rate that applies if the input is empty. */
  defaultRate: number
  discount: Typed
  taxRate: number
}

type StoredLine = Omit<InvoiceLine, "orderLine" | "amount" | "discountAmount">

let lastKey = 0

export const blankLine = (): LineValues => ({
  key: `new-${++lastKey}`,
  id: null,
  item: "",
  itemCode: "",
  itemName: "",
  uom: "",
  quantity: 1,
  rate: "",
  defaultRate: 0,
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
  defaultRate: line.rate,
  discount: line.discount,
  taxRate: line.taxRate,
})

/** The same line for another document. */
export const copyOfLine = (line: StoredLine): LineValues => ({ ...lineOf(line), id: null })

/** Returns the line with another item, with the selling price and tax rate of that item. It counts as a new line. */
export const withItem = (line: LineValues, item: Item): LineValues => ({
  ...line,
  id: null,
  item: item.id,
  itemCode: item.itemCode,
  itemName: item.itemName,
  uom: item.uom,
  rate: item.sellingPrice,
  defaultRate: item.sellingPrice,
  taxRate: item.taxRate,
})

/**
 * Returns the lines for the request body. Leaves out empty lines at the end. Empty lines between others are sent, and
 * the server rejects them, because its errors identify a line by its index.
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

export const figuresOf = ({ quantity, rate, defaultRate, discount, taxRate }: LineValues): PlainLine => ({
  quantity: counted(quantity),
  rate: rate === "" ? defaultRate : counted(rate),
  discount: counted(discount),
  taxRate,
})

/** Returns the value to send. Text that is not a number is sent as typed, and the server rejects it. */
const given = (value: Typed): Typed | null => (value === "" ? null : value)
/** Returns the value for the totals. Text that is not a number counts as 0. */
const counted = (value: Typed): number => (typeof value === "number" ? value : 0)

type LineInWords = ReturnType<typeof linesBody>[number] & { itemCode?: string }

/** Text that is not a number is shown as typed. */
const figure = (value: Typed | null): string => (typeof value === "string" ? value : number(value))

/** Describes the lines of a request or a response in one short text. */
export const linesInWords = (lines: readonly LineInWords[], codeOf: (item: string) => string): string =>
  lines
    .map((line) => {
      const { quantity, rate, discount } = line
      const item = line.itemCode ?? codeOf(line.item ?? "")
      const told = { quantity: figure(quantity), item, rate: figure(rate) }
      return discount
        ? t(($) => $.documents.discountedLineInWords, { ...told, discount: figure(discount) })
        : t(($) => $.documents.lineInWords, told)
    })
    .join("; ")
