import type { Area, Role, Scope } from "../../api/types"

export const roleNames: Role[] = ["viewer", "sales", "accountant", "manager", "admin"]

export const roleSentences: Record<Role, string> = {
  viewer: "Looks at everything in the business, changes nothing.",
  sales: "Makes orders and keeps customers; looks at items and invoices.",
  accountant: "Makes invoices, books payments and keeps customers; looks at items and orders.",
  manager: "Does everything in the business: items, stock, customers, orders and invoices.",
  admin: "Does everything a manager does, and looks after users, keys and settings.",
}

export const areaNames: Record<Area, string> = {
  items: "Items and stock",
  customers: "Customers",
  "sales-orders": "Orders",
  invoices: "Invoices and payments",
  search: "Search",
  own: "Own account and API keys",
  administration: "Users, all keys, settings, audit log",
}

export const areas = Object.keys(areaNames) as Area[]

const scopes: Record<string, Scope> = { R: "read", W: "write", D: "delete", A: "admin" }

const row = (...cells: string[]) =>
  Object.fromEntries(
    areas.map((area, i) => [area, [...(cells[i] ?? "")].flatMap((letter) => scopes[letter] ?? [])]),
  ) as Record<Area, Scope[]>

/** What each role may do, for people to read. The server has its own table, which is the one that holds. */
export const roleRights: Record<Role, Record<Area, Scope[]>> = {
  viewer: row("R", "R", "R", "R", "R", "RWD", ""),
  sales: row("R", "RW", "RWD", "R", "R", "RWD", ""),
  accountant: row("R", "RW", "R", "RWD", "R", "RWD", ""),
  manager: row("RWD", "RWD", "RWD", "RWD", "R", "RWD", ""),
  admin: row("RWD", "RWD", "RWD", "RWD", "R", "RWD", "A"),
}

const verbs: Record<Scope, string> = { read: "view", write: "change", delete: "delete", admin: "everything" }

/** [read, write] → View, change. */
export const rightsInWords = (held: Scope[]): string => {
  const text = held.map((scope) => verbs[scope]).join(", ")
  return text === "" ? "–" : text.charAt(0).toUpperCase() + text.slice(1)
}
