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
