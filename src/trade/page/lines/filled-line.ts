import { fromUnits, priceDigits } from "../../../shared/decimal"
import { type PriceSense, usualRate } from "../../../shared/documents/line"
import type { InvoiceLine, Item } from "../../../console/api/types"
import { startsAsAmount } from "./line-discount"
import { inUnits, type LineValues, type StoredFigures } from "./line-values"

/** Whether prices of a document and selling prices include tax, and the decimals of its currency. */
export type FormSense = Omit<PriceSense, "isTaxRemoved"> & { digits: number }

type StoredLine = StoredFigures &
  Pick<InvoiceLine, "id" | "item" | "itemCode" | "itemName" | "description" | "uom">

/** `digits` are the decimals of the currency. */
export const lineOf = (line: StoredLine, digits: number): LineValues => {
  const { quantity, rate, discount, discountAmount, documentDiscount } = line
  const { taxCode, taxCategory, taxRate } = line
  const isAmount = startsAsAmount(line, digits)
  return {
    key: line.id,
    id: line.id,
    stored: { quantity, rate, discount, discountAmount, documentDiscount, taxCode, taxCategory, taxRate },
    isFree: line.item === null,
    item: line.item ?? "",
    itemCode: line.itemCode ?? "",
    itemName: line.itemName ?? "",
    description: line.description ?? "",
    uom: line.uom,
    quantity,
    rate,
    defaultRate: rate,
    discount: isAmount ? discountAmount : discount,
    isAmount,
    taxCode: null,
  }
}

/** The same line for another document. */
export const copyOfLine = (line: StoredLine, digits: number): LineValues => ({
  ...lineOf(line, digits),
  id: null,
  stored: null,
  taxCode: line.taxCode,
})

/** Returns the line with another item, with the selling price of that item. It counts as a new line. */
export function withItem(line: LineValues, item: Item, sense: FormSense): LineValues {
  const changed = {
    ...line,
    id: null,
    stored: null,
    item: item.id,
    itemCode: item.itemCode,
    itemName: item.itemName,
    uom: item.uom,
    taxCode: null,
  }
  const rate = usualRateOf(item, sense)
  return { ...changed, rate, defaultRate: rate }
}

/** Returns the rate of a line for which none is given, as the server would set it: the selling price of the item. */
export function usualRateOf(item: Item, { includesTax, sellingPricesIncludeTax }: FormSense): number {
  const sold = { sellingPrice: inUnits(item.sellingPrice), taxRate: inUnits(item.taxRate) }
  const sense = { includesTax, sellingPricesIncludeTax, isTaxRemoved: false }
  return fromUnits(usualRate(null, sold, sense) ?? 0, priceDigits)
}
