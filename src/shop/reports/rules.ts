import type { Area } from "../../shared/rights"
import { later, startOfDay } from "../../shared/dates"
import type { Summary } from "./model"

const monthCount = 12
const day = 86_400_000

/** The months of a report, with their first day and the day after their last day. */
export type Period = { months: string[]; from: string; until: string }

/** Returns the twelve months that end with the month of `today`, oldest first. */
export function periodUpTo(today: string): Period {
  const [year = 0, month = 1] = today.split("-").map(Number)
  const current = year * 12 + month - 1
  const months = Array.from({ length: monthCount }, (_, i) => monthAt(current - monthCount + 1 + i))
  return { months, from: `${months[0]}-01`, until: `${monthAt(current + 1)}-01` }
}

/** Returns the earliest due date of each age group except the last, which has none. */
export const ageLimits = (today: string): [string, string, string, string] => [
  today,
  daysBefore(today, 30),
  daysBefore(today, 60),
  daysBefore(today, 90),
]

/** What went wrong before this time no longer stands on the dashboard. */
export const noticedSince = (now: string): string => later(now, -30 * day)

/** Returns the summary with only those parts whose data the caller may read. */
export const visibleTo = (summary: Summary, mayRead: (area: Area) => boolean): Summary => ({
  ...summary,
  salesByMonth: mayRead("invoices") && mayRead("sales-orders") ? summary.salesByMonth : null,
  receivables: mayRead("invoices") ? summary.receivables : null,
  lowStock: mayRead("items") ? summary.lowStock : null,
  latestOrders: mayRead("sales-orders") ? summary.latestOrders : null,
  counts: {
    items: mayRead("items") ? summary.counts.items : null,
    customers: mayRead("customers") ? summary.counts.customers : null,
    openOrders: mayRead("sales-orders") ? summary.counts.openOrders : null,
    openInvoices: mayRead("invoices") ? summary.counts.openInvoices : null,
    failedMessages: mayRead("invoices") ? summary.counts.failedMessages : null,
    uncertainMessages: mayRead("invoices") ? summary.counts.uncertainMessages : null,
    dueReminders: mayRead("invoices") ? summary.counts.dueReminders : null,
    recurringProblems: mayRead("invoices") ? summary.counts.recurringProblems : null,
    recurringSkipped: mayRead("invoices") ? summary.counts.recurringSkipped : null,
  },
})

const monthAt = (index: number): string =>
  `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`

const daysBefore = (date: string, days: number): string => later(startOfDay(date), -days * day).slice(0, 10)
