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
  type Stretch,
  type Walk,
} from "./store"

/** The number of rows that one query may read, so that no query takes long. */
const stretchSize = 1_000
/** The maximum number of milliseconds that other requests wait, unless a single query takes longer. */
const longestStep = 4
const latestCount = 8
const lowCount = 10

export function reportService(db: Database, moneyContext: () => MoneyContext) {
  let kept: { state: string; summary: Promise<Summary> } | null = null

  /** Returns the current summary. It is cached until something is written. */
  const current = (): Promise<Summary> => {
    const now = moneyContext()
    const state = `${changeToken(db)} ${now.today}`
    if (kept?.state === state) return kept.summary
    const summary = addUp(db, now, restsBetween(longestStep))
    kept = { state, summary }
    // A failed summary is computed again, and so is one with a concurrent write, which is in some figures only.
    const forget = () => void (kept?.summary === summary && (kept = null))
    summary.then(() => `${changeToken(db)} ${now.today}` !== state && forget(), forget)
    return summary
  }

  return {
    /** Returns the summary, as far as the caller may read it. */
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
  const whole: Stretch = { after: { at: from, id: "" }, to: { at: until, id: "" } }
  for await (const stretch of stretches(db, "orders", whole, rest))
    for (const { month, amount, count } of sumOrders(db, stretch)) {
      const sum = sums.get(month)
      if (sum) [sum.ordered, sum.orderCount] = [sum.ordered + amount, sum.orderCount + count]
    }
  for await (const stretch of stretches(db, "invoices", whole, rest))
    for (const { month, amount, count } of sumInvoices(db, stretch)) {
      const sum = sums.get(month)
      if (sum) [sum.invoiced, sum.invoiceCount] = [sum.invoiced + amount, sum.invoiceCount + count]
    }
  for await (const after of rows(lastRow(db, "payments"), rest))
    for (const { month, amount, count } of sumPayments(db, { from, until }, after, stretchSize)) {
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
  const whole: Stretch = { after: { at: "", id: "" }, to: { at: "\u{10ffff}", id: "" } }
  for (const walk of ["unpaid", "partiallyPaid"] as const)
    for await (const stretch of stretches(db, walk, whole, rest))
      for (const { age, amount, count } of sumOpen(db, walk, stretch, ageLimits(today))) {
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
    const found = findLowItems(db, after, stretchSize)
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

/** Compares the available stock relative to the reorder level, because units differ; ties by item code. */
const byNeed = (a: LowItem, b: LowItem): number =>
  a.availableStock / a.reorderLevel - b.availableStock / b.reorderLevel || (a.itemCode < b.itemCode ? -1 : 1)

/** Splits a scan along an index into slices, and lets other requests run between them. */
async function* stretches(db: Database, walk: Walk, { after, to }: Stretch, rest: Rest) {
  for (let start: Key | null = after; start;) {
    const end: Key | null = findEnd(db, walk, { after: start, to }, stretchSize)
    yield { after: start, to: end ?? to }
    start = end
    await rest()
  }
}

/** The same for a table that is read completely, by row number. */
async function* rows(last: number, rest: Rest) {
  for (let after = 0; after < last; after += stretchSize) {
    yield after
    await rest()
  }
}
