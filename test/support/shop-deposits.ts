import { expect } from "bun:test"
import fc from "fast-check"
import type { Shown } from "./shop-compare"
import { rounded, spread, sum, totalOf, type Row } from "./shop-model"
import { cents, deductedOf, invoiceTotal, isLive, paidOf, sumsOf } from "./shop-story"
import type { Deduction, Invoice, Model, Order, Part } from "./shop-story"

/** Deposits in the stories of shop-steps.ts: what they ask for, and what later invoices deduct of them. */

type Rows = ReadonlyMap<string, Row>

/** Taxes in the order of documents: by rate, the highest first. */
const sorted = (rows: Rows) =>
  [...rows].toSorted(([, a], [, b]) => b.rate - a.rate || (a.category ?? "").localeCompare(b.category ?? ""))

/** What is left of taxes after others were added or, with the sign -1, taken away. */
function combined(rows: Rows, others: readonly (readonly [sign: 1 | -1, rows: Rows])[]): Map<string, Row> {
  return new Map(
    sorted(rows).map(([key, row]) => {
      const more = (name: "base" | "tax") =>
        sum(others.map(([sign, each]) => sign * (each.get(key)?.[name] ?? 0)))
      return [key, { ...row, base: row.base + more("base"), tax: row.tax + more("tax") }]
    }),
  )
}

/** Takes an amount out of what is left, in proportion to it. */
function takeFrom(left: Rows, amount: number): Map<string, Row> {
  const rows = [...left]
  const grossOf = ({ base, tax }: Row) => Math.max(0, base + tax)
  const parts = spread(
    amount,
    rows.map(([, row]) => grossOf(row)),
  )
  return new Map(
    rows.flatMap(([key, row], i) => {
      const [part, gross] = [parts[i] ?? 0, grossOf(row)]
      if (part === 0) return []
      const tax = rounded(Math.min(gross, Math.max(0, row.tax)) * part, gross)
      return [[key, { ...row, base: part - tax, tax }]]
    }),
  )
}

const notesOf = ({ notes }: Model, invoice: Invoice) => notes.filter((note) => note.invoice === invoice)

/** The invoices and deposits of an order that are not cancelled. */
const ofOrder = (model: Model, order: Order) =>
  model.invoices.filter((each) => each.order === order && isLive(each))
const depositsOf = (model: Model, order: Order) => ofOrder(model, order).filter(({ isDeposit }) => isDeposit)

/** What the deposits of an order ask for, without what is credited, and what is deducted of them. */
export function depositSums(model: Model, order: Order): { asked: number; deducted: number } {
  const deposits = depositsOf(model, order)
  return {
    asked: sum(deposits.map((each) => invoiceTotal(each) - sumsOf(model, each).credited)),
    deducted: sum(deposits.map((each) => deductedOf(model, each))),
  }
}

/** What of an order is neither invoiced nor asked for. */
export function openOf(model: Model, order: Order, total: number): number {
  const billed = sum(ofOrder(model, order).map((each) => (each.isDeposit ? 0 : invoiceTotal(each))))
  const { asked, deducted } = depositSums(model, order)
  return Math.max(0, total - billed - asked + deducted)
}

/** The taxes and the lines of a deposit. */
export function depositParts(model: Model, order: Order, whole: Rows, total: number) {
  const live = ofOrder(model, order)
  const rows = takeFrom(
    combined(whole, [
      ...live.map(({ counted }) => [-1, counted.rows] as const),
      ...live.flatMap((each) =>
        each.isDeposit ? notesOf(model, each).map(({ counted }) => [1, counted.rows] as const) : [],
      ),
      ...live.flatMap((each) => each.deductions.map((deduction) => [1, deduction.rows] as const)),
    ]),
    total,
  )
  const parts = [...rows].map(([key, { base, tax }]): Part => {
    const { tax: taxed } = order.lines.find((each) => `${each.tax.category} ${each.tax.rate}` === key) ?? {
      tax: { code: null, category: null, rate: 0 },
    }
    const price = order.isGross ? base + tax : base
    const line = { id: "", item: null, quarters: 4, rate: price * 100, percent: 0, cut: null, tax: taxed }
    const figures = { invoiced: 0, delivered: 0, returned: 0, hasOwnCode: taxed.code !== null }
    const uncredited = { discount: 0, share: 0, creditedQuarters: 0, creditedPrice: 0 }
    return { id: "", line: { ...line, ...figures }, quarters: 4, price, ...uncredited }
  })
  return { parts, counted: { nets: [...rows.values()].map(({ base }) => base), rows } }
}

/** What a new invoice of an order deducts, the oldest deposit first. */
export function deductionsFor(model: Model, order: Order, total: number): Deduction[] {
  let left = total
  const open = depositsOf(model, order).filter(({ status }) => status !== "credited")
  return open.flatMap((deposit): Deduction[] => {
    const amount = Math.min(left, paidOf(model, deposit) - deductedOf(model, deposit))
    if (amount <= 0) return []
    left -= amount
    const used = [
      ...notesOf(model, deposit).map(({ counted }) => [-1, counted.rows] as const),
      ...ofOrder(model, order).flatMap(({ deductions }) =>
        deductions.filter((each) => each.deposit === deposit).map((each) => [-1, each.rows] as const),
      ),
    ]
    return [{ deposit, cents: amount, rows: takeFrom(combined(deposit.counted.rows, used), amount) }]
  })
}

/** Refuses what would leave less paid of a deposit than is deducted: `less` is paid less, or given back. */
export const takesDeducted = (model: Model, invoice: Invoice | null, less: number): false | string =>
  invoice !== null &&
  invoice.isDeposit &&
  less > 0 &&
  Math.max(0, paidOf(model, invoice, less)) < deductedOf(model, invoice) &&
  "DEPOSIT_DEDUCTED"

/** Compares what an invoice shows of deposits. */
export function compareDeposits(model: Model, invoice: Invoice, shown: Shown): void {
  const told = shown.deposits.map((each: Shown) => [
    each.invoice,
    cents(each.net),
    cents(each.tax),
    each.taxes.map(({ category, rate, base, tax }: Shown) => [category, rate, cents(base), cents(tax)]),
  ])
  const wanted = invoice.deductions.map(({ deposit, cents: amount, rows }) => {
    const taxes = [...rows.values()]
    const tax = sum(taxes.map((row) => row.tax))
    const shownRows = taxes.map((row) => [row.category, row.rate, row.base, row.tax])
    return [deposit.id, amount - tax, tax, shownRows]
  })
  expect(told).toEqual(wanted)
  expect([shown.depositTotal, shown.deductedTotal].map(cents)).toEqual([
    sum(invoice.deductions.map((each) => each.cents)),
    deductedOf(model, invoice),
  ])
  expect([shown.invoiceType, invoiceTotal(invoice)]).toEqual([
    invoice.isDeposit ? "deposit" : invoice.isFinal ? "final" : "standard",
    totalOf(invoice.counted),
  ])
}

/** Part of the total of an order: percentages and amounts, sometimes too much. */
export const shares = fc.oneof(
  fc.constantFrom(10, 30, 33.33, 50, 100).map((percent) => ({ percent, amount: null })),
  fc.constantFrom(0.1, 0.25, 0.5, 1, 1.01).map((amount) => ({ percent: null, amount })),
)
