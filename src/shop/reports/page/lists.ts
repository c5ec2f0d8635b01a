import { dayAt, later, startOfDay } from "../../../shared/dates"
import type { Summary } from "../../../console/api/types"

/** The list of the documents that a figure adds up, and the amount that it adds up of each. */
export type FigureList = {
  kind: "sales-orders" | "invoices" | "credit-notes" | "payments"
  /** The filters of the list, as in its URL. */
  filters: string
  sum: "total" | "amount" | "balance"
}

type Month = NonNullable<Summary["salesByMonth"]>[number]

const paths = {
  "sales-orders": "/orders",
  invoices: "/invoices",
  "credit-notes": "/credit-notes",
  payments: "/payments",
}

/** The page of a list. */
export const hrefOf = ({ kind, filters }: FigureList): string => `${paths[kind]}?${filters}`

/** The figures of a month as people know them: drafts and cancelled documents do not count. Amounts include tax. */
export const monthFigures = ({ ordered, invoiced, cancelled, credited, reversed, paid }: Month) => ({
  ordered,
  invoiced: less(invoiced, cancelled),
  credited: less(credited, reversed),
  paid,
})

/** A difference without the error of binary fractions. */
const less = (amount: number, part: number): number => Number((amount - part).toFixed(4))

/** What each figure of a month adds up. */
export const monthLists: Record<keyof ReturnType<typeof monthFigures>, (month: string) => FigureList> = {
  ordered: (month) => ({
    kind: "sales-orders",
    filters: `${within("orderDate", month)}&status[in]=submitted,completed`,
    sum: "total",
  }),
  invoiced: (month) => ({
    kind: "invoices",
    filters: `${within("invoiceDate", month)}&status[in]=unpaid,partially_paid,paid,credited&isOpening=false`,
    sum: "total",
  }),
  credited: (month) => ({
    kind: "credit-notes",
    filters: `${within("creditNoteDate", month)}&isCancellation=false`,
    sum: "total",
  }),
  paid: (month) => ({ kind: "payments", filters: within("paymentDate", month), sum: "amount" }),
}

/** The whole month: documents can have a date after today. */
function within(field: string, month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return `${field}[gte]=${month}-01&${field}[lte]=${dayAt(year, number + 1, 0)}`
}

const owed = (due: string): FigureList => ({
  kind: "invoices",
  // A credited invoice can have a balance again, when its payment was voided.
  filters: `status[in]=unpaid,partially_paid,credited&balance[gt]=0${due}`,
  sum: "balance",
})

/** What is left to pay, of all invoices. */
export const openList = owed("")

/** What is left to pay, by age, and of all invoices that are overdue. */
export function dueLists(today: string): Record<string, FigureList> {
  const before = (days: number) => later(startOfDay(today), -days * 86_400_000).slice(0, 10)
  const between = (from: number, to: number) =>
    owed(`&dueDate[gte]=${before(to)}&dueDate[lte]=${before(from)}`)
  return {
    notDue: owed(`&dueDate[gte]=${today}`),
    overdue: owed(`&dueDate[lte]=${before(1)}`),
    "1-30": between(1, 30),
    "31-60": between(31, 60),
    "61-90": between(61, 90),
    over90: owed(`&dueDate[lte]=${before(91)}`),
  }
}

/** The open invoices of some ages. */
export const countOf = (buckets: readonly NonNullable<Summary["receivables"]>["buckets"][number][]): number =>
  buckets.reduce((sum, { count }) => sum + count, 0)

/** Every figure of the dashboard that is a sum, with its list. */
export function figuresOf({ salesByMonth, receivables, today }: Summary) {
  const due = dueLists(today)
  const ofMonths = (salesByMonth ?? []).flatMap((month) =>
    Object.entries(monthFigures(month)).map(([name, amount]) => ({
      name: `${name} ${month.month}`,
      amount,
      list: monthLists[name as keyof typeof monthLists](month.month),
    })),
  )
  const ofDue = (receivables?.buckets ?? []).map(({ label, amount }) => ({
    name: label as string,
    amount,
    list: due[label] ?? openList,
  }))
  const all = { name: "open", amount: receivables?.total ?? 0, list: openList }
  const overdue = { name: "overdue", amount: receivables?.overdue ?? 0, list: due.overdue ?? openList }
  return [...ofMonths, ...ofDue, all, overdue]
}
