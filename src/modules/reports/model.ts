import { orderStatuses, type OrderStatus } from "../../shared/statuses"

/** What happened in one month, tax included. */
export type MonthOfSales = {
  month: string
  ordered: number
  orderCount: number
  invoiced: number
  invoiceCount: number
  paid: number
  paymentCount: number
}

/** What is open on invoices of one age. */
export type Receivables = {
  total: number
  overdue: number
  buckets: { label: string; amount: number; count: number }[]
}

export type LowItem = {
  id: string
  itemCode: string
  itemName: string
  uom: string
  currentStock: number
  reservedStock: number
  availableStock: number
  reorderLevel: number
}

export type LatestOrder = {
  id: string
  orderNumber: string
  customerName: string
  status: OrderStatus
  orderDate: string
  total: number
}

/** The shop at a glance. A part that the caller may not read is null. */
export type Summary = {
  currency: string
  today: string
  salesByMonth: MonthOfSales[] | null
  receivables: Receivables | null
  lowStock: { count: number; items: LowItem[] } | null
  latestOrders: LatestOrder[] | null
  counts: {
    items: number | null
    customers: number | null
    openOrders: number | null
    openInvoices: number | null
  }
}

const text = { type: "string" }
const date = { type: "string", format: "date" }
const number = { type: "number" }
const amount = (description: string) => ({ type: "number", description })
const count = (description: string) => ({ type: "integer", minimum: 0, description })
const countOrNull = (description: string) => ({ ...count(description), type: ["integer", "null"] })

const monthOfSales = record({
  month: { ...text, pattern: "^\\d{4}-\\d{2}$", examples: ["2026-03"] },
  ordered: amount("Totals of the submitted and completed orders with an orderDate in the month."),
  orderCount: count("How many orders that is."),
  invoiced: amount("Totals of the issued invoices with an invoiceDate in the month, less cancelled ones."),
  invoiceCount: count("How many invoices that is."),
  paid: amount("Payments with a paymentDate in the month, whatever the date of their invoice."),
  paymentCount: count("How many payments that is."),
})

const bucket = (ages: readonly string[]) =>
  record({
    label: {
      ...text,
      enum: ages,
      description: "Days past the dueDate; an invoice that is due today is not due yet.",
    },
    amount: amount("What is left to pay on them."),
    count: count("How many invoices that is."),
  })

const lowItem = record({
  id: text,
  itemCode: text,
  itemName: text,
  uom: text,
  currentStock: number,
  reservedStock: number,
  availableStock: number,
  reorderLevel: number,
})

const latestOrder = record({
  id: text,
  orderNumber: { ...text, examples: ["SO-2026-00001"] },
  customerName: text,
  status: { ...text, enum: orderStatuses },
  orderDate: date,
  total: number,
})

/** The summary in the API document. */
export const summarySchema = (ages: readonly string[]) =>
  record({
    currency: { ...text, examples: ["EUR"], description: "ISO 4217; every amount is in it, tax included." },
    today: { ...date, description: "The day in the instance's time zone by which everything is reckoned." },
    salesByMonth: {
      type: ["array", "null"],
      items: monthOfSales,
      minItems: 12,
      maxItems: 12,
      description: "The last twelve months with the present one, oldest first; one without sales has zeros.",
    },
    receivables: {
      ...record({
        total: amount("What is left to pay on all unpaid and partially paid invoices."),
        overdue: amount("The part of it whose dueDate has passed."),
        buckets: { type: "array", items: bucket(ages), minItems: ages.length, maxItems: ages.length },
      }),
      type: ["object", "null"],
    },
    lowStock: {
      ...record({
        count: count("How many active items have isLowStock."),
        items: {
          type: "array",
          items: lowItem,
          maxItems: 10,
          description: "Ten of them at most: those with the least left for each unit of their reorderLevel.",
        },
      }),
      type: ["object", "null"],
    },
    latestOrders: {
      type: ["array", "null"],
      items: latestOrder,
      maxItems: 8,
      description: "The eight orders that were made last, in any status, newest first.",
    },
    counts: record({
      items: countOrNull("All items."),
      customers: countOrNull("All customers."),
      openOrders: countOrNull("Submitted orders."),
      openInvoices: countOrNull("Unpaid and partially paid invoices."),
    }),
  })

function record(properties: Record<string, object>) {
  return { type: "object", required: Object.keys(properties), properties, additionalProperties: false }
}
