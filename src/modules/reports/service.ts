import type { Database } from "bun:sqlite"
import { changeToken } from "../../db/change-token"
import type { Area } from "../../shared/rights"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { restsBetween, type Rest } from "../../lib/turns"
import type { MoneyContext } from "../../resource/field"
import { ages, type LowItem, type MonthOfSales, type Receivables, type Summary } from "./model"
import { ageLimits, periodUpTo, visibleTo } from "./rules"
import {
  countAll,
  findEnd,
  findLatestOrders,
  findLowItems,
  lastRow,
  sumInvoices,
  sumOpen,
  sumOrders,
  sumPayments,
  type Key,
  type Slice,
  type Walk,
} from "./store"

/** The number of rows that one query may read, so that no query takes long. */
const sliceSize = 1_000
/** The maximum number of milliseconds that other requests wait, unless a single query takes longer. */
const longestStep = 4
const latestCount = 8
const lowCount = 10

export function reportService(db: Database, moneyContext: () => MoneyContext) {
  let cached: { state: string; summary: Promise<Summary> } | null = null

  /** Returns the current summary. It is cached until something is written. */
  const current = (): Promise<Summary> => {
    const now = moneyContext()
    const state = `${changeToken(db)} ${now.today}`
    if (cached?.state === state) return cached.summary
    const summary = addUp(db, now, restsBetween(longestStep))
    cached = { state, summary }
    // The summary is not cached if it failed, or if there was a write in the meantime, which only some figures include.
    const forget = () => void (cached?.summary === summary && (cached = null))
    summary.then(() => `${changeToken(db)} ${now.today}` !== state && forget(), forget)
    return summary
  }

  return {
    /** Returns the parts of the summary that the caller may read. */
    summary: async (mayRead: (area: Area) => boolean): Promise<Summary> =>
      visibleTo(await current(), mayRead),
  }
}

export type ReportService = ReturnType<typeof reportService>

async function addUp(db: Database, { currency, digits, today }: MoneyContext, rest: Rest): Promise<Summary> {
  const counts = countAll(db) ?? { items: 0, customers: 0, openOrders: 0, openInvoices: 0 }
  const latest = findLatestOrders(db, latestCount)
  return {
    currency,
    today,
    salesByMonth: await salesByMonth(db, { digits, today }, rest),
    receivables: await receivables(db, { digits, today }, rest),
    lowStock: await lowStock(db, rest),
    latestOrders: latest.map((order) => ({ ...order, total: fromUnits(order.total, digits) })),
    counts,
  }
}

type AmountContext = Pick<MoneyContext, "digits" | "today">

async function salesByMonth(
  db: Database,
  { digits, today }: AmountContext,
  rest: Rest,
): Promise<MonthOfSales[]> {
  const { months, from, until } = periodUpTo(today)
  const zeros = { ordered: 0, orderCount: 0, invoiced: 0, invoiceCount: 0, paid: 0, paymentCount: 0 }
  const sums = new Map(months.map((month) => [month, { month, ...zeros }]))
  const whole: Slice = { after: { at: from, id: "" }, to: { at: until, id: "" } }
  for await (const slice of slicesOf(db, "orders", whole, rest))
    for (const { month, amount, count } of sumOrders(db, slice)) {
      const sum = sums.get(month)
      if (sum) [sum.ordered, sum.orderCount] = [sum.ordered + amount, sum.orderCount + count]
    }
  for await (const slice of slicesOf(db, "invoices", whole, rest))
    for (const { month, amount, count } of sumInvoices(db, slice)) {
      const sum = sums.get(month)
      if (sum) [sum.invoiced, sum.invoiceCount] = [sum.invoiced + amount, sum.invoiceCount + count]
    }
  for await (const after of rows(lastRow(db, "payments"), rest))
    for (const { month, amount, count } of sumPayments(db, { from, until }, after, sliceSize)) {
      const sum = sums.get(month)
      if (sum) [sum.paid, sum.paymentCount] = [sum.paid + amount, sum.paymentCount + count]
    }
  return [...sums.values()].map((sum) => ({
    ...sum,
    ordered: fromUnits(sum.ordered, digits),
    invoiced: fromUnits(sum.invoiced, digits),
    paid: fromUnits(sum.paid, digits),
  }))
}

async function receivables(db: Database, { digits, today }: AmountContext, rest: Rest): Promise<Receivables> {
  const sums = ages.map((label) => ({ label, amount: 0, count: 0 }))
  const whole: Slice = { after: { at: "", id: "" }, to: { at: "\u{10ffff}", id: "" } }
  for (const walk of ["unpaid", "partiallyPaid"] as const)
    for await (const slice of slicesOf(db, walk, whole, rest))
      for (const { age, amount, count } of sumOpen(db, walk, slice, ageLimits(today))) {
        const sum = sums[age]
        if (sum) [sum.amount, sum.count] = [sum.amount + amount, sum.count + count]
      }
  const total = sums.reduce((sum, { amount }) => sum + amount, 0)
  const notDue = sums[0]?.amount ?? 0
  return {
    total: fromUnits(total, digits),
    overdue: fromUnits(total - notDue, digits),
    buckets: sums.map((sum) => ({ ...sum, amount: fromUnits(sum.amount, digits) })),
  }
}

async function lowStock(db: Database, rest: Rest): Promise<{ count: number; items: LowItem[] }> {
  let worst: LowItem[] = []
  let count = 0
  for await (const after of rows(lastRow(db, "items"), rest)) {
    const found = findLowItems(db, after, sliceSize)
    count += found.length
    if (found.length > 0) worst = [...worst, ...found].toSorted(byNeed).slice(0, lowCount)
  }
  const items = worst.map((item) => ({
    ...item,
    currentStock: fromUnits(item.currentStock, priceDigits),
    reservedStock: fromUnits(item.reservedStock, priceDigits),
    availableStock: fromUnits(item.availableStock, priceDigits),
    reorderLevel: fromUnits(item.reorderLevel, priceDigits),
  }))
  return { count, items }
}

/**
 * Compares the available stock relative to the reorder level, because units differ; ties by item code. An item without
 * a reorder level is here only with less than nothing available, and the division by 0 makes it one of the first.
 */
const byNeed = (a: LowItem, b: LowItem): number =>
  a.availableStock / a.reorderLevel - b.availableStock / b.reorderLevel || (a.itemCode < b.itemCode ? -1 : 1)

/** Splits a scan along an index into slices, and lets other requests run between them. */
async function* slicesOf(db: Database, walk: Walk, { after, to }: Slice, rest: Rest) {
  for (let start: Key | null = after; start;) {
    const end: Key | null = findEnd(db, walk, { after: start, to }, sliceSize)
    yield { after: start, to: end ?? to }
    start = end
    await rest()
  }
}

/** Splits a whole table into slices by row number. Yields the row number before each slice. */
async function* rows(last: number, rest: Rest) {
  for (let after = 0; after < last; after += sliceSize) {
    yield after
    await rest()
  }
}
