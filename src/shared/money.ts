/** A line as whole numbers: quantity, rate and discount (a percentage) in units of 1/10000. */
export type LineFigures = { quantity: number; rate: number; discount: number }

/** The amounts of a line, in the currency's minor unit. */
export type LineAmounts = { amount: number; discountAmount: number }

export type Totals = { subtotal: number; discountTotal: number; taxTotal: number; total: number }

const units = 10_000n
const hundredPercent = 100n * units

/** True when JavaScript and JSON can represent the amount exactly. */
export const isExact = (amount: number): boolean => Number.isSafeInteger(amount)

/** Divides and rounds half away from zero. The divisor is positive. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = (dividend < 0n ? -dividend : dividend) * 2n + divisor
  const rounded = doubled / (divisor * 2n)
  return dividend < 0n ? -rounded : rounded
}

/** quantity × rate × (1 − discount/100), rounded once. `digits` are the decimals of the currency. */
export function lineAmounts({ quantity, rate, discount }: LineFigures, digits: number): LineAmounts {
  const product = BigInt(quantity) * BigInt(rate) * 10n ** BigInt(digits)
  const amount = divideRounded(product * (hundredPercent - BigInt(discount)), units * units * hundredPercent)
  const gross = divideRounded(product, units * units)
  return { amount: Number(amount), discountAmount: Number(gross - amount) }
}

/** Returns the tax on an amount. The tax rate is a percentage in units of 1/10000. */
export const taxOf = (amount: number, taxRate: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(taxRate), hundredPercent))

type Taxed = { amount: number; taxRate: number }

/** Adds up the amounts of the lines per tax rate. */
export function amountsByRate(lines: readonly Taxed[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { taxRate, amount } of lines) sums.set(taxRate, (sums.get(taxRate) ?? 0) + amount)
  return sums
}

/** Returns the tax per tax rate. It is rounded once per rate, on the document and not on the line. */
export const taxesOf = (lines: readonly Taxed[]): Map<number, number> =>
  new Map([...amountsByRate(lines)].map(([taxRate, amount]) => [taxRate, taxOf(amount, taxRate)]))

/** Adds up a document's totals from its lines and its taxes. */
export function totalsOf(lines: readonly LineAmounts[], taxes: ReadonlyMap<number, number>): Totals {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const discountTotal = lines.reduce((sum, { discountAmount }) => sum + discountAmount, 0)
  const taxTotal = [...taxes.values()].reduce((sum, tax) => sum + tax, 0)
  return { subtotal, discountTotal, taxTotal, total: subtotal + taxTotal }
}

/**
 * Returns the amount of one part, so that all parts add up to the whole. `everything` is the amount of all parts up to
 * and including this one; `carried` is the amount of the earlier parts. The result is never negative: if the earlier
 * parts add up to more than `everything`, later parts compensate for it.
 */
export const partOf = (everything: number, carried: number): number => Math.max(0, everything - carried)
