import type { Summary } from "../../../console/api/types"
import { dayAt } from "../../../shared/dates"

type Month = NonNullable<Summary["salesByMonth"]>[number]["month"]

/** The figures of a month that have a list. */
export type SalesFigure = "ordered" | "invoiced" | "credited" | "paid"

/** The lists behind the figures of the sales: their path, their date, and which of the documents count. */
const lists: Record<SalesFigure, { path: string; day: string; which: string }> = {
  ordered: { path: "/orders", day: "orderDate", which: "&status[in]=submitted,completed" },
  invoiced: {
    path: "/invoices",
    day: "invoiceDate",
    which: "&status[in]=unpaid,partially_paid,paid,credited&isOpening=false",
  },
  credited: { path: "/credit-notes", day: "creditNoteDate", which: "&isCancellation=false" },
  paid: { path: "/payments", day: "paymentDate", which: "" },
}

/** The list that a figure of a month sums, or that of several months. */
export function salesLink(figure: SalesFigure, from: Month, to: Month = from): string {
  const { path, day, which } = lists[figure]
  const [year = 0, month = 1] = to.split("-").map(Number)
  return `${path}?${day}[gte]=${from}-01&${day}[lte]=${dayAt(year, month + 1, 0)}${which}`
}

/** The first and the last day past the due date of each age group. */
const agesInDays: Record<string, [first: number, last: number | null]> = {
  "1-30": [1, 30],
  "31-60": [31, 60],
  "61-90": [61, 90],
  over90: [91, null],
}

/** The open invoices of an age group, as of today. */
export function ageLink(label: string, today: string): string {
  const open = "/invoices?balance[gt]=0&status[in]=unpaid,partially_paid,credited"
  const found = agesInDays[label]
  if (!found) return `${open}&dueDate[gte]=${today}`
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number)
  const before = (days: number) => dayAt(year, month, day - days)
  const [first, last] = found
  return `${open}${last === null ? "" : `&dueDate[gte]=${before(last)}`}&dueDate[lte]=${before(first)}`
}
