/** A line in plain numbers, as it stands in the inputs; discount and tax rate are percentages. */
export type LineFigures = { quantity: number; rate: number; discount: number; taxRate: number }

/** What a document comes to, in plain numbers. */
export type Totals = {
  /** One for each line, in their order. */
  amounts: number[]
  subtotal: number
  discountTotal: number
  taxes: { taxRate: number; tax: number }[]
  taxTotal: number
  total: number
}

/** Prices, quantities and percentages are counted in whole ten-thousandths, as the server does. */
const units = 10_000
const hundredPercent = 100n * BigInt(units)
const priceScale = BigInt(units) * BigInt(units)

/**
 * Counts exactly as the server will, so that nobody sees another total after saving: each line is rounded once, the
 * tax once for each rate. `digits` are the decimals of the currency.
 */
export function totalsOf(lines: readonly LineFigures[], digits: number): Totals {
  const scale = 10n ** BigInt(digits)
  const taxed = new Map<bigint, bigint>()
  let [subtotal, discountTotal, taxTotal] = [0n, 0n, 0n]
  const amounts = lines.map((line) => {
    const product = inUnits(line.quantity) * inUnits(line.rate) * scale
    const amount = divideRounded(
      product * (hundredPercent - inUnits(line.discount)),
      priceScale * hundredPercent,
    )
    const taxRate = inUnits(line.taxRate)
    subtotal += amount
    discountTotal += divideRounded(product, priceScale) - amount
    taxed.set(taxRate, (taxed.get(taxRate) ?? 0n) + amount)
    return amount
  })
  const taxes = [...taxed].map(([taxRate, amount]) => ({
    taxRate,
    tax: divideRounded(amount * taxRate, hundredPercent),
  }))
  for (const { tax } of taxes) taxTotal += tax
  const plain = (minor: bigint) => Number(minor) / 10 ** digits
  return {
    amounts: amounts.map(plain),
    subtotal: plain(subtotal),
    discountTotal: plain(discountTotal),
    taxes: taxes
      .filter(({ taxRate }) => taxRate > 0n)
      .map(({ taxRate, tax }) => ({ taxRate: Number(taxRate) / units, tax: plain(tax) }))
      .sort((a, b) => a.taxRate - b.taxRate),
    taxTotal: plain(taxTotal),
    total: plain(subtotal + taxTotal),
  }
}

const inUnits = (value: number): bigint => BigInt(Number.isFinite(value) ? Math.round(value * units) : 0)

/** Divides and rounds half away from zero. The divisor is positive. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = (dividend < 0n ? -dividend : dividend) * 2n + divisor
  const rounded = doubled / (divisor * 2n)
  return dividend < 0n ? -rounded : rounded
}
