export type Size = {
  items: number
  /** How many of the items have 20 images with long addresses. */
  pictured: number
  customers: number
  /** Orders with long notes, most of them of one customer; the invoices have the same. */
  orders: number
  /** More orders of that customer, with little in them. */
  ordersOfOne: number
  /** Orders, and as many invoices, that have as many lines as a document may have. */
  largest: number
  movements: number
  entries: number
  /** How many of the entries of the audit log tell a change of 300 kB. */
  longEntries: number
}
