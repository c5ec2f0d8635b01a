import type { Role, Scope } from "../../../shared/rights"

export const roleSentences: Record<Role, string> = {
  viewer: "Can view all business data, but cannot change it.",
  sales: "Can manage orders and customers, and view items and invoices.",
  shop: "For a web shop or till. Can sell: update stock, customers, orders, invoices and payments, but not cancel invoices or delete anything.",
  accountant: "Can manage invoices, payments and customers, and view items and orders.",
  manager: "Can manage all business data: items, stock, customers, orders and invoices.",
  admin: "Can do everything a manager can, and manage users, keys and settings.",
}

const verbs: Record<Scope, string> = { read: "view", write: "update", delete: "delete", admin: "full access" }

/** [read, write] → View, update. */
export const rightsInWords = (scopes: readonly Scope[]): string => {
  const text = scopes.map((scope) => verbs[scope]).join(", ")
  return text === "" ? "–" : text.charAt(0).toUpperCase() + text.slice(1)
}

/** What an app with a scope can do, as shown to users. */
export const scopeSentences: Record<Scope, string> = {
  read: "View your items, stock, customers, orders, invoices and profile",
  write: "Create and update records, submit orders, issue invoices and record payments",
  delete: "Delete records",
  admin: "View users, settings, OAuth clients and the audit log",
}
