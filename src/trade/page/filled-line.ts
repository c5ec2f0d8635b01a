import type { InvoiceLine, Item } from "../../console/api/types"
import { startsAsAmount } from "./line-discount"
import type { LineValues, StoredFigures } from "./line-values"
import { defaultRateOf, type PriceSense } from "./price-sense"

type StoredLine = StoredFigures &
  Pick<InvoiceLine, "id" | "item" | "itemCode" | "itemName" | "description" | "uom">

/** `digits` are the decimals of the currency. */
export const lineOf = (line: StoredLine, digits: number): LineValues => {
  const { quantity, rate, discount, discountAmount, taxCode, taxCategory, taxRate } = line
  const isAmount = startsAsAmount(line, digits)
  return {
    key: line.id,
    id: line.id,
    stored: { quantity, rate, discount, discountAmount, taxCode, taxCategory, taxRate },
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
export function withItem(line: LineValues, item: Item, sense: PriceSense): LineValues {
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
  const rate = defaultRateOf(changed, item, sense)
  return { ...changed, rate, defaultRate: rate }
}
