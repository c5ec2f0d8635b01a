import fc from "fast-check"
import * as rules from "./shop-model"
import { count, priceOf, sum, type Line, type Off, type Tax } from "./shop-model"
import { isLive, type Model, type Order, type Part, type Real, type ShownOff } from "./shop-story"

/** What the stories of shop-steps.ts make orders and invoices of: lines, their taxes and discounts. */
export const orderCounted = (order: Order) => count(partsOf(order), order.isGross)
export const fullOf = (lines: Line[]): number => sum(lines.map((line) => priceOf(line, line.quarters)))
/** The discount of an order as a response shows it. */
export const orderOff = ({ lines, off, shownOff }: Pick<Order, "lines" | "off" | "shownOff">): ShownOff =>
  shownOff ?? rules.shownOff(off, fullOf(lines))
/** The lines of an order or of a new invoice, each with its share of the discount of the document. */
export function partsOf({ lines, off }: Pick<Order, "lines" | "off">) {
  const prices = lines.map((line) => priceOf(line, line.quarters))
  const shares = rules.spread(rules.offOf(off, sum(prices)), prices)
  return lines.map((line, i) => ({
    line,
    tax: line.tax,
    quarters: line.quarters,
    discount: rules.discountOf(line)[1],
    ...(line.fixed ?? { price: (prices[i] ?? 0) - (shares[i] ?? 0), share: shares[i] ?? 0 }),
    ...uncredited,
  }))
}
export const uncredited = { id: "", creditedQuarters: 0, creditedPrice: 0 }
/** The same parts with the ids of the lines of a response. */
export const withIds = (parts: Part[], { items }: { items: { id: string }[] }): Part[] =>
  parts.map((part, i) => ({ ...part, id: items[i]?.id ?? "" }))
export const liveOf = (model: Model, order: Order) =>
  model.invoices.filter((each) => each.order === order && !each.isDeposit && isLive(each))

/** The tax of a line: its own code wins, then the treatment of the customer, then the item. */
export function taxFor(item: number | null, own: Tax | null, customer: number, real: Real): Tax {
  if (own) return own
  const sold = item === null ? null : real.items[item]
  const treatment = real.customers[customer]?.treatment
  const category = sold?.hasStock ? treatment?.goods : treatment?.others
  return category ? { code: null, category, rate: 0 } : (sold?.tax ?? real.freeTax)
}

/** The amount of a partial invoice: everything invoiced including it, minus the amount of the other invoices. */
export function bill(model: Model, order: Order, chosen: { line: Line; quarters: number }[]) {
  const live = liveOf(model, order)
  const earlier = live.flatMap(({ parts }) => parts)
  const carriedOf = (line: Line) => earlier.filter((part) => part.line === line)
  const wholes = partsOf(order)
  const parts = chosen.map(({ line, quarters }): Part & { tax: Tax } => {
    const carried = carriedOf(line)
    const whole = wholes.find((each) => each.line === line) ?? { price: 0, share: 0 }
    const upTo = line.invoiced + quarters
    const rest = (amount: number, of: "price" | "discount" | "share") =>
      Math.max(0, amount - sum(carried.map((part) => part[of])))
    const shareOf = (amount: number) => rules.rounded(amount * upTo, line.quarters)
    // A line with a share of the discount of the order has both in proportion to its quantity.
    const price = rest(whole.share === 0 ? priceOf(line, upTo) : shareOf(whole.price), "price")
    const discount = rest(rules.discountUpTo(line, upTo), "discount")
    const share = rest(shareOf(whole.share), "share")
    return { line, quarters, price, discount, share, tax: line.tax, ...uncredited }
  })
  const counted = count(parts, order.isGross, (key) => ({
    price: sum(earlier.filter(({ line }) => rules.keyOf(line.tax) === key).map(({ price }) => price)),
    tax: sum(live.map(({ counted: { rows } }) => rows.get(key)?.tax ?? 0)),
  }))
  return { parts, counted }
}

export const givenLines = fc.array(
  fc.record({
    /** One of the five items; the sixth is a line without an item. */
    item: fc.nat({ max: 5 }).map((item) => (item === 5 ? null : item)),
    quarters: fc.integer({ min: 1, max: 20 }),
    cents: fc.integer({ min: 0, max: 999 }),
    percent: fc.constantFrom(0, 10, 33),
    /** A discount given as an amount: this part of the price. */
    cut: fc.constantFrom(null, null, 0.3, 1),
    /** One of the tax codes; mostly none. */
    code: fc.constantFrom(null, null, null, 0, 1, 2, 3),
  }),
  { minLength: 1, maxLength: 4 },
)
export type Given = typeof givenLines extends fc.Arbitrary<infer T> ? T : never

/** The discount of a document, mostly none: a percentage, or a part of the price as an amount. */
export const givenOff = fc.constantFrom(
  ...[0, 0, 0, 5, 33, 100].map((percent) => ({ percent, part: null })),
  ...[0.1, 0.3, 1].map((part) => ({ percent: 0, part })),
)
export type GivenOff = { percent: number; part: number | null }
export const noOff: Off = { percent: 0, cut: null }

/** The discount of a body, and of the model. */
export function offFrom({ percent, part }: GivenOff, lines: Line[]): { body: object; off: Off } {
  const cut = part === null ? null : Math.floor(fullOf(lines) * part)
  if (cut === null || cut === 0) return { body: { discount: percent }, off: { percent, cut: null } }
  return { body: { discountAmount: cut / 100 }, off: { percent: 0, cut } }
}

/** The lines of a body, and of the model. */
export function linesFrom(given: Given, customer: number, real: Real): { body: object[]; lines: Line[] } {
  const lines = given.map(({ item, quarters, cents: price, percent, cut, code }): Line => {
    const rate = price * 100
    const amount = cut === null ? 0 : Math.floor(rules.fullPrice({ rate }, quarters) * cut)
    const own = code === null ? null : (real.codes[code] ?? null)
    const tax = taxFor(item, own, customer, real)
    const discount =
      amount > 0 ? { percent: 0, cut: amount } : { percent: cut === null ? percent : 0, cut: null }
    return {
      id: "",
      item,
      quarters,
      rate,
      ...discount,
      tax,
      hasOwnCode: own !== null,
      invoiced: 0,
      delivered: 0,
      returned: 0,
    }
  })
  const body = lines.map((line) => ({
    ...(line.item === null ? { description: "Work" } : { item: real.items[line.item]?.id }),
    quantity: line.quarters / 4,
    rate: line.rate / 10_000,
    ...(line.cut === null ? { discount: line.percent } : { discountAmount: line.cut / 100 }),
    ...(line.hasOwnCode ? { taxCode: line.tax.code } : {}),
  }))
  return { body, lines }
}

export const named = (lines: Line[], shown: { id: string }[]): Line[] =>
  lines.map((line, i) => ({ ...line, id: shown[i]?.id ?? "" }))

/** True when the tax of a line needs a tax ID that the customer does not have. */
export const lacksTaxId = (lines: { line: Line }[], customer: number, { customers }: Real) =>
  !customers[customer]?.hasTaxId &&
  lines.some(({ line: { tax } }) => ["AE", "K"].includes(tax.category ?? ""))

export const refusalOf = ({ status }: Order): string =>
  ({ draft: "ORDER_NOT_SUBMITTED", cancelled: "ORDER_CANCELLED" })[status] ?? "ORDER_ALREADY_INVOICED"
export const nextIssue = ({ invoices }: Model) => 1 + Math.max(0, ...invoices.map(({ issued }) => issued))
