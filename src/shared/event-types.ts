const stored = ["created", "updated", "deleted"] as const

/** The types of events of each kind, without the kind: `invoices` and `issued` are the type `invoices.issued`. */
export const eventTypes = {
  "sales-orders": [...stored, "submitted", "completed", "cancelled"],
  invoices: [...stored, "issued", "paid", "overdue", "cancelled", "credited"],
  "credit-notes": [...stored, "issued"],
  payments: stored,
  customers: stored,
  items: [...stored, "low-stock"],
  "stock-movements": ["created"],
  "tax-codes": stored,
  imports: ["finished"],
} as const

export type EventKindName = keyof typeof eventTypes
/** What happened, without the kind. */
export type Happening = (typeof eventTypes)[EventKindName][number]
