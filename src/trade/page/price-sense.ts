import { fromUnits, nearestUnits, priceDigits } from "../../shared/decimal"
import { fullAmount, withoutTax, withTax } from "../../shared/money"
import type { Item } from "../../console/api/types"
import type { LineValues } from "./line-values"

/** Whether the prices of a document include tax, and whether selling prices do. */
export type PriceSense = {
  includesTax: boolean
  sellingPricesIncludeTax: boolean
  /** True if the customer has made a stored document net whose prices included tax. */
  isTaxRemoved: boolean
  /** The decimals of the currency. */
  digits: number
}

/** Returns the rate of a line that the user has not changed, as the server would set it. */
export function defaultRateOf(
  { stored, defaultRate }: Pick<LineValues, "stored" | "defaultRate">,
  item: Item | undefined,
  { includesTax, sellingPricesIncludeTax, isTaxRemoved }: PriceSense,
): number {
  if (stored) return isTaxRemoved ? converted(withoutTax, stored.rate, stored.taxRate) : stored.rate
  if (!item) return defaultRate
  if (includesTax === sellingPricesIncludeTax) return item.sellingPrice
  return converted(includesTax ? withTax : withoutTax, item.sellingPrice, item.taxRate)
}

/** Returns the line in another sense of prices. What the user has typed stays. */
export function inSense(
  line: LineValues,
  item: Item | undefined,
  before: PriceSense,
  after: PriceSense,
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

/**
 * Returns the discount of a line as it is stored, which a document that becomes net has without tax. Rounding must not
 * make it larger than the price.
 */
function storedAmount({ stored, discount }: LineValues, { isTaxRemoved, digits }: PriceSense) {
  if (!stored) return discount
  if (!isTaxRemoved) return stored.discountAmount
  const { quantity, taxRate } = stored
  const rate = converted(withoutTax, stored.rate, taxRate)
  const full = fullAmount({ quantity: inUnits(quantity), rate: inUnits(rate) }, digits)
  return Math.min(converted(withoutTax, stored.discountAmount, taxRate, digits), fromUnits(full, digits))
}

const inUnits = (value: number): number => nearestUnits(value, priceDigits)

function converted(convert: typeof withTax, amount: number, taxRate: number, digits = priceDigits): number {
  return fromUnits(convert(nearestUnits(amount, digits), inUnits(taxRate)), digits)
}
