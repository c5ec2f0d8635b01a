import type { PaperLine } from "../model"

/** How a line of an e-invoice arrives at its amount: quantity × price / base − allowance. */
export type LinePrice = {
  quantity: number
  price: number
  /** The quantity that the price is for; null when it is 1. */
  base: number | null
  allowance: number
}

/** Half a cent: what an amount may differ from its calculation by rounding, and a little for binary fractions. */
const tolerance = 0.005_001
const priceFactor = 1e8

/**
 * Returns the price of a line without tax. The price of the document is used if it gives the amount. It does not if
 * it includes tax, if the line is a part whose cents were carried, or if the currency has no cents. Then the price is
 * the amount divided by the quantity, or, where eight decimals are not enough, the amount for the whole quantity.
 */
export function linePriceOf(line: PaperLine): LinePrice {
  const { quantity, rate, amount, discountAmount } = line
  if (line.isAmount) return { quantity: 1, price: amount, base: null, allowance: 0 }
  const isExplained = Math.abs(quantity * rate - discountAmount - amount) <= tolerance
  if (isExplained) return { quantity, price: rate, base: null, allowance: discountAmount }
  const price = Math.round((amount / quantity) * priceFactor) / priceFactor
  const isExact = Math.abs(price * quantity - amount) <= tolerance
  return isExact
    ? { quantity, price, base: null, allowance: 0 }
    : { quantity, price: amount, base: quantity, allowance: 0 }
}
