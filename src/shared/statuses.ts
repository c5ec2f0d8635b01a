/** Where a sales order stands. */
export const orderStatuses = ["draft", "submitted", "completed", "cancelled"] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** How much of a sales order has been invoiced. */
export const billingStatuses = ["not_invoiced", "partially_invoiced", "invoiced"] as const

/** Where an invoice stands. */
export const invoiceStatuses = ["draft", "unpaid", "partially_paid", "paid", "cancelled"] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** What a list of invoices can be filtered by: overdue follows from the due date and is stored nowhere. */
export const invoiceFilterStatuses = [
  "draft",
  "unpaid",
  "partially_paid",
  "overdue",
  "paid",
  "cancelled",
] as const

export const activeStatuses = ["active", "inactive"] as const

/** Every status word of any kind of record: a list takes them all, and finds those that its kind has. */
export const statusWords: readonly string[] = [
  ...new Set<string>([...activeStatuses, ...orderStatuses, ...invoiceFilterStatuses]),
]
