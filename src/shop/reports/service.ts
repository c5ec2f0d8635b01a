import type { ReminderService } from "../reminders/service"
import type { Database } from "../../core/engine/engine"
import { changeToken } from "../../core/engine/change-token"
import type { Area } from "../../shared/rights"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { business } from "../../core/lib/clock"
import { restsBetween, type Rest } from "../../core/lib/turns"
import type { MoneyContext } from "../../core/kind/field"
import { ages, type LowItem, type MonthOfSales, type Receivables, type Summary } from "./model"
import { ageLimits, noticedSince, periodUpTo, visibleTo } from "./rules"
import {
  countAll,
  countMessages,
  countRecurring,
  findEnd,
  findLatestOrders,
  findLowItems,
  lastRow,
  sumCreditNotes,
  sumInvoices,
  sumOpen,
  sumOpenAt,
  sumOrders,
  sumPayments,
  type Key,
  type PastDay,
  type Slice,
  type Walk,
} from "./store"

/** The number of rows that one query may read, so that no query takes long. */
const sliceSize = 1_000
/** The same for a past day, for which a query adds up the payments of each invoice. */
const pastSliceSize = 250
/** The maximum number of milliseconds that other requests wait, unless a single query takes longer. */
const longestStep = 4
const latestCount = 8
const lowCount = 10

type Reminders = Pick<ReminderService, "eachDue">

export function reportService(
  db: Database,
  moneyContext: () => MoneyContext,
  endOf: (date: string) => string,
  reminders: Reminders,
) {
  const current = untilWritten(db, moneyContext, (money, rest) => addUp(db, reminders, money, rest))
  const past = pastReceivables(db, moneyContext, endOf)
  return {
    /** Returns the parts of the summary that the caller may read. */
    summary: async (mayRead: (area: Area) => boolean): Promise<Summary> =>
      visibleTo(await current(), mayRead),

    /** Returns the receivables of a past day; the other parts are null. */
    summaryAt: async (date: string): Promise<Summary> => past(date),
  }
}

/** Returns a function that computes something and caches it until something is written. */
function untilWritten<T>(
  db: Database,
  moneyContext: () => MoneyContext,
  compute: (money: MoneyContext, rest: Rest) => Promise<T>,
): () => Promise<T> {
  let cached: { state: string; result: Promise<T> } | null = null
  return () => {
    const now = moneyContext()
    const state = `${changeToken(db)} ${now.today}`
    if (cached?.state === state) return cached.result
    const result = compute(now, restsBetween(longestStep))
    cached = { state, result }
    // The result is not cached if it failed, or if there was a write in the meantime, which only some figures include.
    const forget = () => void (cached?.result === result && (cached = null))
    result.then(() => `${changeToken(db)} ${now.today}` !== state && forget(), forget)
    return result
  }
}

/**
 * Returns a function that computes the receivables of a past day. It reads all invoices up to that day, so only one day
 * is computed at a time, and the last one is cached.
 */
function pastReceivables(
  db: Database,
  moneyContext: () => MoneyContext,
  endOf: (date: string) => string,
): (date: string) => Promise<Summary> {
  let last: (PastDay & { find: () => Promise<Summary> }) | null = null
  let running: Promise<unknown> = Promise.resolve()
  return (date) => {
    const day = { date, end: endOf(date) }
    if (last?.date === date && last.end === day.end) return last.find()
    const find = untilWritten(db, moneyContext, (money, rest) => {
      const result = running.then(() => summaryAt(db, money, day, rest))
      running = result.catch(() => undefined)
      return result
    })
    last = { ...day, find }
    return find()
  }
}

const noCounts = {
  items: null,
  customers: null,
  openOrders: null,
  openInvoices: null,
  failedMessages: null,
  uncertainMessages: null,
  dueReminders: null,
  recurringProblems: null,
  recurringSkipped: null,
}

async function summaryAt(
  db: Database,
  { currency, digits, today }: MoneyContext,
  day: PastDay,
  rest: Rest,
): Promise<Summary> {
  const sums = noAges()
  const whole: Slice = { after: { at: "", id: "" }, to: { at: day.date, id: "\u{10ffff}" } }
  const limits = ageLimits(day.date)
  for await (const slice of slicesOf(db, "invoices", whole, rest, pastSliceSize))
    addAges(sums, sumOpenAt(db, slice, limits, day))
  const others = { salesByMonth: null, lowStock: null, latestOrders: null, counts: noCounts }
  return { currency, today, at: day.date, receivables: shownAges(sums, digits), ...others }
}

export type ReportService = ReturnType<typeof reportService>

/** Counts what is due of reminders. */
async function countReminders(reminders: Reminders): Promise<number> {
  let count = 0
  for await (const { due } of reminders.eachDue(null, null)) count += due.length
  return count
}

async function addUp(
  db: Database,
  reminders: Reminders,
  { currency, digits, today }: MoneyContext,
  rest: Rest,
): Promise<Summary> {
  const counts = countAll(db) ?? { items: 0, customers: 0, openOrders: 0, openInvoices: 0 }
  const latest = findLatestOrders(db, latestCount)
  const since = noticedSince(business.now())
  return {
    currency,
    today,
    at: null,
    salesByMonth: await salesByMonth(db, { digits, today }, rest),
    receivables: await receivables(db, { digits, today }, rest),
    lowStock: await lowStock(db, rest),
    latestOrders: latest.map((order) => ({ ...order, total: fromUnits(order.total, digits) })),
    counts: {
      ...counts,
      failedMessages: countMessages(db, "failed", since),
      uncertainMessages: countMessages(db, "uncertain", since),
      dueReminders: await countReminders(reminders),
      ...countRecurring(db, since),
    },
  }
}

type AmountContext = Pick<MoneyContext, "digits" | "today">

const zeros: Omit<MonthOfSales, "month"> = {
  ordered: 0,
  orderCount: 0,
  invoiced: 0,
  invoiceCount: 0,
  cancelled: 0,
  cancelledCount: 0,
  credited: 0,
  creditCount: 0,
  reversed: 0,
  reversedCount: 0,
  paid: 0,
  paymentCount: 0,
}

async function salesByMonth(
  db: Database,
  { digits, today }: AmountContext,
  rest: Rest,
): Promise<MonthOfSales[]> {
  const { months, from, until } = periodUpTo(today)
  const sums = new Map(months.map((month) => [month, { month, ...zeros }]))
  const whole: Slice = { after: { at: from, id: "" }, to: { at: until, id: "" } }
  for await (const slice of slicesOf(db, "orders", whole, rest))
    for (const { month, amount, count } of sumOrders(db, slice)) {
      const sum = sums.get(month)
      if (sum) [sum.ordered, sum.orderCount] = [sum.ordered + amount, sum.orderCount + count]
    }
  for await (const slice of slicesOf(db, "invoices", whole, rest))
    for (const { month, amount, count, undone, undoneCount } of sumInvoices(db, slice)) {
      const sum = sums.get(month)
      if (!sum) continue
      Object.assign(sum, { invoiced: sum.invoiced + amount, invoiceCount: sum.invoiceCount + count })
      Object.assign(sum, {
        cancelled: sum.cancelled + undone,
        cancelledCount: sum.cancelledCount + undoneCount,
      })
    }
  for await (const slice of slicesOf(db, "creditNotes", whole, rest))
    for (const { month, amount, count, undone, undoneCount } of sumCreditNotes(db, slice)) {
      const sum = sums.get(month)
      if (!sum) continue
      Object.assign(sum, { credited: sum.credited + amount, creditCount: sum.creditCount + count })
      Object.assign(sum, { reversed: sum.reversed + undone, reversedCount: sum.reversedCount + undoneCount })
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
    cancelled: fromUnits(sum.cancelled, digits),
    credited: fromUnits(sum.credited, digits),
    reversed: fromUnits(sum.reversed, digits),
    paid: fromUnits(sum.paid, digits),
  }))
}

async function receivables(db: Database, { digits, today }: AmountContext, rest: Rest): Promise<Receivables> {
  const sums = noAges()
  const whole: Slice = { after: { at: "", id: "" }, to: { at: "\u{10ffff}", id: "" } }
  for (const walk of ["unpaid", "partiallyPaid", "credited"] as const)
    for await (const slice of slicesOf(db, walk, whole, rest))
      addAges(sums, sumOpen(db, walk, slice, ageLimits(today)))
  return shownAges(sums, digits)
}

type Ages = { label: (typeof ages)[number]; amount: number; count: number }[]

const noAges = (): Ages => ages.map((label) => ({ label, amount: 0, count: 0 }))

/** Adds the sums of a slice. */
function addAges(sums: Ages, found: readonly { age: number; amount: number; count: number }[]): void {
  for (const { age, amount, count } of found) {
    const sum = sums[age]
    if (sum) [sum.amount, sum.count] = [sum.amount + amount, sum.count + count]
  }
}

function shownAges(sums: Ages, digits: number): Receivables {
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
async function* slicesOf(db: Database, walk: Walk, { after, to }: Slice, rest: Rest, size = sliceSize) {
  for (let start: Key | null = after; start;) {
    const end: Key | null = findEnd(db, walk, { after: start, to }, size)
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
