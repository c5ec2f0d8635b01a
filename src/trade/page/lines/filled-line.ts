import { fromUnits, nearestUnits, priceDigits } from "../../../shared/decimal"
import { keptDiscount, type PriceSense, usualRate } from "../../../shared/documents/line"
import type { InvoiceLine, Item } from "../../../console/api/types"
import { startsAsAmount } from "./line-discount"
import { inUnits, type LineValues, type StoredFigures } from "./line-values"

/** The sense of the prices of a document, and the decimals of its currency. */
export type FormSense = PriceSense & { digits: number }

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
  const rate = defaultRateOf(changed, item, sense)
  return { ...changed, rate, defaultRate: rate }
}

/** Returns the rate of a line that the user has not changed, as the server would set it. */
function defaultRateOf(
  { stored, defaultRate }: Pick<LineValues, "stored" | "defaultRate">,
  item: Item | undefined,
  sense: FormSense,
): number {
  const sold = item && { sellingPrice: inUnits(item.sellingPrice), taxRate: inUnits(item.taxRate) }
  const rate = usualRate(stored && unitsOf(stored, sense.digits), sold ?? null, sense)
  return rate === null ? defaultRate : fromUnits(rate, priceDigits)
}

/** Returns the line in another sense of prices. What the user has typed stays. */
export function inSense(
  line: LineValues,
  item: Item | undefined,
  before: FormSense,
  after: FormSense,
): LineValues {
  const { rate, discount, isAmount } = line
  const defaultRate = defaultRateOf(line, item, after)
  return {
    ...line,
    defaultRate,
    rate: rate === line.defaultRate ? defaultRate : rate,
    discount: isAmount && discount === storedAmount(line, before) ? storedAmount(line, after) : discount,
  }
}

/** Returns the discount of a line as it is stored, which a document that becomes net has without tax. */
function storedAmount({ stored, discount }: LineValues, sense: FormSense) {
  const { digits } = sense
  return stored ? fromUnits(keptDiscount(unitsOf(stored, digits), sense, digits), digits) : discount
}

const unitsOf = ({ quantity, rate, taxRate, discountAmount }: StoredFigures, digits: number) => ({
  quantity: inUnits(quantity),
  rate: inUnits(rate),
  taxRate: inUnits(taxRate),
  discountAmount: nearestUnits(discountAmount, digits),
})
