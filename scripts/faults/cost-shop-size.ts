export type Size = {
  items: number
  /** How many of the items have 20 images with long URLs. */
  pictured: number
  customers: number
  /** Orders with long notes, most of them of one customer, and as many invoices. */
  orders: number
  /** Additional small orders of that customer. */
  ordersOfOne: number
  /** Orders, and as many invoices, with the maximum number of lines. */
  largest: number
  /** Open invoices of one customer. */
  openInvoices: number
  /** Payments with the maximum number of allocations. */
  payments: number
  movements: number
  entries: number
  /** How many audit log entries have changes of 300 kB. */
  longEntries: number
}
