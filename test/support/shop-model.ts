/**
 * The rules of prices and tax, written a second time in the simplest way, for the model that test/api/model.test.ts
 * compares with the server. It shares no code with the server. Amounts are in cents, quantities in quarters, rates in
 * 1/10000, and percentages are whole.
 */
export type Tax = { code: string | null; category: string | null; rate: number }
export type Line = {
  id: string
  /** The index of an item; null in a line without an item. */
  item: number | null
  quarters: number
  rate: number
  percent: number
  /** The discount if it was given as an amount; else null. */
  cut: number | null
  tax: Tax
  hasOwnCode: boolean
  invoiced: number
  delivered: number
  /** What came back into stock with credit notes. */
  returned: number
  /** What it costs, and its share of the discount of the order, since a revision of an order that others name. */
  fixed?: { price: number; share: number }
}
export type Row = { category: string | null; rate: number; base: number; tax: number }
export type Counted = { nets: number[]; rows: Map<string, Row> }

/** The treatments, and the category that each gives to goods and to anything else. A domestic sale has no category. */
export const treatments = [
  { name: "domestic", goods: null, others: null },
  { name: "reverse-charge", goods: "AE", others: "AE" },
  { name: "intra-community", goods: "K", others: "AE" },
  { name: "export", goods: "G", others: "G" },
  { name: "exempt", goods: "E", others: "E" },
] as const
export type Treatment = (typeof treatments)[number]

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Divides and rounds half up. Nothing here is negative. */
export const rounded = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator))

export const keyOf = ({ category, rate }: Pick<Tax, "category" | "rate">): string => `${category} ${rate}`

/** What a quantity of a line costs before the discount. */
export const fullPrice = ({ rate }: Pick<Line, "rate">, quarters: number): number =>
  rounded(quarters * rate, 400)

/** What a quantity of a line costs, in the sense of its document: of a discount given as an amount, its share. */
export function priceOf(line: Line, quarters: number): number {
  if (line.cut === null) return rounded(quarters * line.rate * (100 - line.percent), 40_000)
  return rounded((fullPrice(line, line.quarters) - line.cut) * quarters, line.quarters)
}

/** The discount as a response shows it: the percentage in 1/10000, and the amount. */
export function discountOf(line: Line): [percent: number, amount: number] {
  const full = fullPrice(line, line.quarters)
  if (line.cut === null) return [line.percent * 10_000, full - priceOf(line, line.quarters)]
  return [full === 0 ? 0 : rounded(line.cut * 1_000_000, full), line.cut]
}

/** The discount of a part of a line: never more than that of the whole line. */
export function discountUpTo(line: Line, quarters: number): number {
  const [, whole] = discountOf(line)
  if (line.cut !== null) return rounded(whole * quarters, line.quarters)
  return Math.min(whole, fullPrice(line, quarters) - priceOf(line, quarters))
}

/** The discount of a whole document: in percent, or `cut` if it was given as an amount. */
export type Off = { percent: number; cut: number | null }

/** What it takes off lines that cost `full` together. */
export const offOf = ({ percent, cut }: Off, full: number): number =>
  cut ?? full - rounded(full * (100 - percent), 100)

/** The discount as a response shows it: the percentage in 1/10000, and whether it was given as an amount. */
export function shownOff({ percent, cut }: Off, full: number): [percent: number, isAmount: boolean] {
  if (cut === null) return [percent * 10_000, false]
  return [full === 0 ? 0 : rounded(cut * 1_000_000, full), true]
}

/** Removes the tax from a price. */
export const withoutTax = (price: number, rate: number): number => rounded(price * 100, 100 + rate)

/** Divides an amount by weights. The largest remainders get what rounding leaves; of equal ones the first. */
export function spread(amount: number, weights: readonly number[]): number[] {
  const all = sum(weights)
  if (all === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => Math.floor((amount * weight) / all))
  const places = weights.map((weight, i) => ({ i, rest: (amount * weight) % all }))
  places.sort((a, b) => b.rest - a.rest || a.i - b.i)
  const left = amount - sum(parts)
  return parts.map((part, i) => part + (places.findIndex((place) => place.i === i) < left ? 1 : 0))
}

type Priced = { price: number; tax: Tax }
type Charged = { price: number; tax: number }
/** What earlier parts of a document have; `whole` is the document itself, if its tax is known. */
type Carried = Charged & { whole?: Charged }

/** Taxes prices once per category and rate. `carried` is what earlier parts of the same document have. */
export function count(
  lines: readonly Priced[],
  isGross: boolean,
  carried: (key: string) => Carried = () => ({ price: 0, tax: 0 }),
): Counted {
  const nets = lines.map(({ price }) => price)
  const rows = new Map<string, Row>()
  for (const key of new Set(lines.map(({ tax }) => keyOf(tax)))) {
    const places = lines.flatMap(({ tax }, i) => (keyOf(tax) === key ? [i] : []))
    const prices = places.map((i) => lines[i]?.price ?? 0)
    const { category, rate } = (lines[places[0] ?? 0] as { tax: Tax }).tax
    const before = carried(key)
    const due = Math.max(
      0,
      taxUpTo(before, sum(prices), isGross ? [rate, 100 + rate] : [rate, 100]) - before.tax,
    )
    const tax = isGross ? Math.min(due, sum(prices)) : due
    const base = isGross ? sum(prices) - tax : sum(prices)
    if (isGross) spread(base, prices).forEach((net, i) => (nets[places[i] ?? 0] = net))
    rows.set(key, { category, rate, base, tax })
  }
  return { nets, rows }
}

/** The tax of everything up to and including new prices. All parts together have exactly the tax of the whole. */
function taxUpTo({ price, whole }: Carried, added: number, [part, of]: [number, number]): number {
  const tax = rounded((price + added) * part, of)
  if (!whole) return tax
  return price + added === whole.price ? whole.tax : Math.min(tax, whole.tax)
}

export const totalOf = ({ nets, rows }: Counted): number =>
  sum(nets) + sum([...rows.values()].map(({ tax }) => tax))

/** A line of an invoice: its price, its discount and its share of that of the document, and what was credited of it. */
export type Billed = {
  quarters: number
  price: number
  discount: number
  share: number
  creditedQuarters: number
  creditedPrice: number
}

export const leftOf = ({ quarters, price, creditedQuarters, creditedPrice }: Billed) => ({
  quarters: quarters - creditedQuarters,
  price: price - creditedPrice,
})

/** What a credited quantity of a line costs: its part of the price, at most what is left of it. The rest is discount. */
export function creditOf(line: Billed, quarters: number): { price: number; discount: number; share: number } {
  const upTo = (whole: number, part: number) => rounded(whole * part, line.quarters)
  const share = (whole: number) =>
    upTo(whole, line.creditedQuarters + quarters) - upTo(whole, line.creditedQuarters)
  const price = Math.min(share(line.price), leftOf(line).price)
  const discount = Math.max(0, share(line.price + line.discount) - price)
  return { price, discount, share: share(line.share) }
}
