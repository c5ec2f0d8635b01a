import type { Role, Scope } from "../../../shared/rights"

export const roleSentences: Record<Role, string> = {
  viewer: "Looks at everything in the business, changes nothing.",
  sales: "Makes orders and keeps customers; looks at items and invoices.",
  accountant: "Makes invoices, books payments and keeps customers; looks at items and orders.",
  manager: "Does everything in the business: items, stock, customers, orders and invoices.",
  admin: "Does everything a manager does, and looks after users, keys and settings.",
}

const verbs: Record<Scope, string> = { read: "view", write: "change", delete: "delete", admin: "everything" }

/** [read, write] → View, change. */
export const rightsInWords = (held: readonly Scope[]): string => {
  const text = held.map((scope) => verbs[scope]).join(", ")
  return text === "" ? "–" : text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a scope lets an application do, in the words that people read before they agree to it. */
export const scopeSentences: Record<Scope, string> = {
  read: "See your items, stock, customers, orders and invoices, and who you are",
  write: "Create and change records, move orders on, issue invoices and note payments",
  delete: "Delete records",
  admin: "See users, settings, registered applications and the audit log",
}
