/** The status of a sales order. */
export const orderStatuses = ["draft", "submitted", "completed", "cancelled"] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** How much of a sales order has been invoiced. */
export const billingStatuses = ["not_invoiced", "partially_invoiced", "invoiced"] as const

/** The status of an invoice. */
export const invoiceStatuses = ["draft", "unpaid", "partially_paid", "paid", "credited", "cancelled"] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** The statuses that a list of invoices can be filtered by. `overdue` is computed from the due date and not stored. */
export const invoiceFilterStatuses = [
  "draft",
  "unpaid",
  "partially_paid",
  "overdue",
  "paid",
  "credited",
  "cancelled",
] as const

/** The status of a credit note: open while a part of it is neither applied nor refunded. */
export const creditNoteStatuses = ["open", "settled"] as const

export const activeStatuses = ["active", "inactive"] as const

/** A status of any kind of record. */
export type Status = (
  | typeof activeStatuses
  | typeof orderStatuses
  | typeof billingStatuses
  | typeof invoiceFilterStatuses
  | typeof creditNoteStatuses
)[number]

/** Every status of any kind of record. A list accepts all of them and returns the records that match. */
export const statusWords: readonly string[] = [
  ...new Set<string>([...activeStatuses, ...orderStatuses, ...invoiceFilterStatuses, ...creditNoteStatuses]),
]
