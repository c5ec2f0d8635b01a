import { fromUnits, nearestUnits, priceDigits } from "../../../shared/decimal"
import { figuresBy } from "../../../shared/documents/line"
import { counted, inUnits, rateOf, type LineValues, type StoredFigures } from "./line-values"

/** Nobody types a percentage with more decimals than this. */
const typedDecimals = 2

/**
 * True if the discount of a stored line is shown as an amount: its percentage has many decimals, or does not give the
 * amount exactly.
 */
export function startsAsAmount(line: StoredFigures, digits: number): boolean {
  const { discount, discountAmount } = line
  if (discountAmount === 0) return false
  if (inUnits(discount) % 10 ** (priceDigits - typedDecimals) !== 0) return true
  return amountByPercent(line, discount, digits) !== discountAmount
}

type Priced = { quantity: number; rate: number }

const unitsOf = ({ quantity, rate }: Priced) => ({ quantity: inUnits(quantity), rate: inUnits(rate) })

const amountByPercent = (priced: Priced, percent: number, digits: number): number =>
  fromUnits(figuresBy(unitsOf(priced), { discount: inUnits(percent) }, digits).discountAmount, digits)

function percentByAmount(priced: Priced, amount: number, digits: number): number {
  const discountAmount = nearestUnits(amount, digits)
  return fromUnits(figuresBy(unitsOf(priced), { discountAmount }, digits).discount, priceDigits)
}

const pricedOf = (line: LineValues): Priced => ({ quantity: counted(line.quantity), rate: rateOf(line) })

/** Returns the line with its discount as an amount instead of a percentage, or the other way round. */
export function withOtherDiscount(line: LineValues, digits: number): LineValues {
  const { discount, isAmount } = line
  const convert = isAmount ? percentByAmount : amountByPercent
  return {
    ...line,
    isAmount: !isAmount,
    discount: typeof discount === "number" ? convert(pricedOf(line), discount, digits) : discount,
  }
}

type DiscountBody = { discount?: unknown; discountAmount?: unknown }

/**
 * Returns the discount for the request body. The server counts the one of the two fields that differs from the stored
 * value, and remembers which one was given. If the stored line has a discount, the other field is sent where it is
 * needed to make clear which one counts.
 */
export function discountBody(line: LineValues, digits: number): DiscountBody {
  const { discount: typed, isAmount, stored } = line
  const discount = typed === "" ? 0 : typed
  const isStored = stored !== null && (stored.discount !== 0 || stored.discountAmount !== 0)
  if (!isAmount)
    return isStored && typeof discount === "number"
      ? { discount, discountAmount: amountByPercent(pricedOf(line), discount, digits) }
      : { discount }
  const isFromPercent = isStored && discount === stored.discountAmount && !startsAsAmount(stored, digits)
  return isFromPercent
    ? { discount: percentByAmount(pricedOf(line), discount, digits), discountAmount: discount }
    : { discountAmount: discount }
}
