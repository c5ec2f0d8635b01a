import { nearestUnits, priceDigits } from "../../../shared/decimal"
import type { StoredTax } from "../../../shared/documents/line"
import type { Typed } from "../../../console/forms/number"
import { t } from "../texts"

/** The figures of a line as they are stored. */
export type StoredFigures = StoredTax & {
  quantity: number
  rate: number
  discount: number
  discountAmount: number
  /** Its share of the discount of the document. */
  documentDiscount: number
}

/** The input values of a line. Each may be empty. */
export type LineValues = {
  /** Identifies a line that has no id yet. */
  key: string
  id: string | null
  /** Null for a line that is not stored yet, or that has another item than the stored one. */
  stored: StoredFigures | null
  /** True for a line without an item. It has a description instead. */
  isFree: boolean
  item: string
  itemCode: string
  itemName: string
  description: string
  uom: string
  quantity: Typed
  rate: Typed
  /** The rate that applies if the input is empty. */
  defaultRate: number
  /** A percentage, or an amount if `isAmount` is true. */
  discount: Typed
  isAmount: boolean
  /** The tax code that the user has chosen for this line; null if the line is taxed by its item or its customer. */
  taxCode: string | null
}

let lastKey = 0

export const blankLine = (): LineValues => ({
  key: `new-${++lastKey}`,
  id: null,
  stored: null,
  isFree: false,
  item: "",
  itemCode: "",
  itemName: "",
  description: "",
  uom: "",
  quantity: 1,
  rate: "",
  defaultRate: 0,
  discount: 0,
  isAmount: false,
  taxCode: null,
})

/** The unit of a line without an item for which none is typed. */
export const defaultUnit = t(($) => $.pickers.defaultUnit)

export const freeLine = (): LineValues => ({ ...blankLine(), isFree: true })

/** True for a line that says nothing: it is as it was added, or it was emptied. */
export const isBlank = ({ item, description, quantity, rate, discount }: LineValues): boolean =>
  item === "" &&
  description.trim() === "" &&
  rate === "" &&
  [1, ""].includes(quantity) &&
  [0, ""].includes(discount)

/** Returns the lines without those that say nothing, which are not saved. */
export const filledLines = (lines: readonly LineValues[]): LineValues[] =>
  lines.filter((line) => !isBlank(line))

/** Returns the value for the totals. Text that is not a number counts as 0. */
export const counted = (value: Typed): number => (typeof value === "number" ? value : 0)

/** Returns the rate that a line has: the typed one, or the one that applies if the input is empty. */
export const rateOf = ({ rate, defaultRate }: LineValues): number =>
  rate === "" ? defaultRate : counted(rate)

/** Converts a quantity, a rate or a percentage to 1/10000. */
export const inUnits = (value: number): number => nearestUnits(value, priceDigits)
