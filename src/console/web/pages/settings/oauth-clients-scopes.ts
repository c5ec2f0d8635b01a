import type { Scope } from "../../api/types"

export const scopeNames: Scope[] = ["read", "write", "delete", "admin"]

/** What a scope lets an application do, in the words that people read before they agree to it. */
export const scopeSentences: Record<Scope, string> = {
  read: "See your items, stock, customers, orders and invoices, and who you are",
  write: "Create and change records, move orders on, issue invoices and note payments",
  delete: "Delete records",
  admin: "See users, settings, registered applications and the audit log",
}
