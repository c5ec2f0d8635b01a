import type { TaxCategory } from "./documents/tax"

/** A line as whole numbers: quantity, rate and discount (a percentage) in units of 1/10000. */
export type LineFigures = { quantity: number; rate: number; discount: number }

/** The amounts of a line, in the currency's minor unit. In a document whose prices include tax, both include it. */
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

/**
 * The same for numbers that are not negative, or null when a number cannot hold the dividend exactly. Big integers take
 * 3 % of the time of a new order, and almost no amount needs them.
 */
function divideSmall(dividend: number, divisor: number): number | null {
  const doubled = dividend * 2 + divisor
  return Number.isSafeInteger(doubled) ? (doubled - (doubled % (divisor * 2))) / (divisor * 2) : null
}

/** quantity × rate × (1 − discount/100), rounded once. `digits` are the decimals of the currency. */
export function lineAmounts({ quantity, rate, discount }: LineFigures, digits: number): LineAmounts {
  const small = discount === 0 ? divideSmall(quantity * rate * 10 ** digits, 100_000_000) : null
  if (small !== null) return { amount: small, discountAmount: 0 }
  const product = BigInt(quantity) * BigInt(rate) * 10n ** BigInt(digits)
  const amount = divideRounded(product * (hundredPercent - BigInt(discount)), units * units * hundredPercent)
  const full = divideRounded(product, units * units)
  return { amount: Number(amount), discountAmount: Number(full - amount) }
}

/** quantity × rate, rounded: the amount of a line before its discount. */
export const fullAmount = (figures: Omit<LineFigures, "discount">, digits: number): number =>
  lineAmounts({ ...figures, discount: 0 }, digits).amount

/** Returns the percentage of a discount that was given as an amount, in units of 1/10000, rounded. */
export const discountOf = (discountAmount: number, full: number): number =>
  full === 0 ? 0 : Number(divideRounded(BigInt(discountAmount) * hundredPercent, BigInt(full)))

/** Returns the share of an amount that belongs to a part of a quantity, rounded. */
export const shareOf = (amount: number, part: number, quantity: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(part), BigInt(quantity)))

/** Returns the tax on an amount. The tax rate is a percentage in units of 1/10000. */
export const taxOf = (amount: number, taxRate: number): number =>
  divideSmall(amount * taxRate, 1_000_000) ??
  Number(divideRounded(BigInt(amount) * BigInt(taxRate), hundredPercent))

/** Returns the tax that an amount includes. */
export const taxIn = (gross: number, taxRate: number): number =>
  Number(divideRounded(BigInt(gross) * BigInt(taxRate), hundredPercent + BigInt(taxRate)))

/** Converts a rate with tax to one without, or back. Rates and tax rates are in units of 1/10000. */
export const withoutTax = (rate: number, taxRate: number): number =>
  Number(divideRounded(BigInt(rate) * hundredPercent, hundredPercent + BigInt(taxRate)))
export const withTax = (rate: number, taxRate: number): number =>
  Number(divideRounded(BigInt(rate) * (hundredPercent + BigInt(taxRate)), hundredPercent))

type TaxKey = { taxCategory: TaxCategory | null; taxRate: number }
type TaxedLine = TaxKey & { amount: number; grossAmount: number | null }

/** The tax of a document in one category at one rate: of the amount `base`, which does not include it. */
export type TaxSum = { category: TaxCategory | null; rate: number; base: number; tax: number }

/**
 * What the earlier parts of a document contain in one category at one rate: the amount, with tax if prices include it.
 * `whole` is the same of the document, if its tax is known: all parts together have exactly that tax.
 */
export type Carried = Charge & { whole?: Charge }
type Charge = { charged: number; tax: number }

/** The key of a category at a rate. */
export const taxKeyOf = ({ taxCategory, taxRate }: TaxKey): string => `${taxCategory ?? ""}:${taxRate}`

/** The amount that a line charges: with tax if the prices of its document include tax. */
export const chargedBy = ({ amount, grossAmount }: Omit<TaxedLine, keyof TaxKey>): number =>
  grossAmount ?? amount

/**
 * Computes the taxes of a document: rounded once per category and rate, not per line. If prices include tax, the tax is
 * taken out of the sum of `grossAmount`, and `amount` is set to each line's part of what is left, so that net and tax
 * add up to the typed prices. `carried` is what earlier parts of the same document contain: the parts add up to it.
 */
export function applyTax<L extends TaxedLine>(
  lines: readonly L[],
  includesTax: boolean,
  carried: ReadonlyMap<string, Carried> = new Map(),
): { lines: readonly L[]; taxes: TaxSum[] } {
  const groups = Map.groupBy(lines, taxKeyOf)
  const nets = new Map<L, number>()
  const taxes = [...groups].map(([key, group]): TaxSum => {
    const { taxCategory: category, taxRate: rate } = group[0] as L
    const before = carried.get(key) ?? { charged: 0, tax: 0 }
    const charged = group.reduce((sum, line) => sum + chargedBy(line), 0)
    const tax = partOf(taxUpTo(before.charged + charged, rate, includesTax, before.whole), before.tax)
    if (!includesTax) return { category, rate, base: charged, tax }
    const included = Math.min(tax, charged)
    const parts = spread(charged - included, group.map(chargedBy))
    group.forEach((line, i) => nets.set(line, parts[i] ?? 0))
    return { category, rate, base: charged - included, tax: included }
  })
  return {
    lines: includesTax ? lines.map((line) => ({ ...line, amount: nets.get(line) ?? 0 })) : lines,
    taxes: taxes.sort(byRate),
  }
}

/** The tax of all parts up to an amount: never more than that of the whole document, and the same at its end. */
function taxUpTo(charged: number, rate: number, includesTax: boolean, whole: Charge | undefined): number {
  if (whole && charged >= whole.charged) return whole.tax
  const tax = (includesTax ? taxIn : taxOf)(charged, rate)
  return whole ? Math.min(tax, whole.tax) : tax
}

const byRate = (a: TaxSum, b: TaxSum): number =>
  b.rate - a.rate || (a.category ?? "").localeCompare(b.category ?? "")

/**
 * Divides an amount in proportion to the weights. What rounding leaves goes to the largest remainders, of equal ones to
 * the first. No part is larger than its weight if the amount is not larger than all weights.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const parts = products.map((product) => Number(product / BigInt(sum)))
  const left = amount - parts.reduce((all, part) => all + part, 0)
  const order = products.map((product, i) => ({ i, remainder: product % BigInt(sum) }))
  order.sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder < b.remainder ? 1 : -1))
  for (const { i } of order.slice(0, left)) parts[i] = (parts[i] ?? 0) + 1
  return parts
}

/**
 * Takes an amount, with tax, out of what is left of a document per category and rate, in proportion to it. Parts that take
 * all that is left have exactly its taxes, however they split it.
 */
export function takeGross(amount: number, left: readonly TaxSum[]): TaxSum[] {
  const grossOf = ({ base, tax }: TaxSum) => Math.max(0, base + tax)
  const parts = spread(amount, left.map(grossOf))
  return left.flatMap((each, i) => {
    const part = parts[i] ?? 0
    if (part === 0) return []
    const gross = grossOf(each)
    const tax = shareOf(Math.min(Math.max(0, each.tax), gross), part, gross)
    return [{ category: each.category, rate: each.rate, base: part - tax, tax }]
  })
}

/** The amounts of a line of a document. `amount` is after the line's share of the discount of the whole document. */
type Counted = LineAmounts & { documentDiscount: number }

/** Adds up a document's totals from its lines and its taxes. Discounts are those of the lines and of the document. */
export function totalsOf(lines: readonly Counted[], taxes: readonly TaxSum[]): Totals {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const discountTotal = lines.reduce((sum, line) => sum + line.discountAmount + line.documentDiscount, 0)
  const taxTotal = taxes.reduce((sum, { tax }) => sum + tax, 0)
  return { subtotal, discountTotal, taxTotal, total: subtotal + taxTotal }
}

/**
 * Returns the amount of one part, so that all parts add up to the whole. `everything` is the amount of all parts up to
 * and including this one; `carried` is the amount of the earlier parts. The result is never negative: if the earlier
 * parts add up to more than `everything`, later parts compensate for it.
 */
export const partOf = (everything: number, carried: number): number => Math.max(0, everything - carried)
