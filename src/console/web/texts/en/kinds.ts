import type { ListKind } from "../../kinds"

/** The texts of a list. `file` is the name of its export, and `title` is the name of the kind in the menu. */
type ListTexts = Record<
  "title" | "search" | "none" | "noneYet" | "file" | "selected_one" | "selected_other",
  string
>

/** The kinds of records. A new kind without texts does not compile. */
export const kinds = {
  "sales-orders": {
    title: "Orders",
    search: "Search orders",
    none: "No orders found",
    noneYet: "No orders yet",
    file: "orders",
    selected_one: "{{shown}} order selected.",
    selected_other: "{{shown}} orders selected.",
  },
  invoices: {
    title: "Invoices",
    search: "Search invoices",
    none: "No invoices found",
    noneYet: "No invoices yet",
    file: "invoices",
    selected_one: "{{shown}} invoice selected.",
    selected_other: "{{shown}} invoices selected.",
  },
  customers: {
    title: "Customers",
    search: "Search customers",
    none: "No customers found",
    noneYet: "No customers yet",
    file: "customers",
    selected_one: "{{shown}} customer selected.",
    selected_other: "{{shown}} customers selected.",
  },
  items: {
    title: "Items",
    search: "Search items",
    none: "No items found",
    noneYet: "No items yet",
    file: "items",
    selected_one: "{{shown}} item selected.",
    selected_other: "{{shown}} items selected.",
  },
  "stock-movements": {
    title: "Stock",
    search: "Search stock ledger",
    none: "No stock movements found",
    noneYet: "No stock movements yet",
    file: "stock-movements",
    selected_one: "{{shown}} stock movement selected.",
    selected_other: "{{shown}} stock movements selected.",
  },
  "api-keys": {
    title: "API keys",
    search: "Search api keys",
    none: "No API keys found",
    noneYet: "No API keys yet",
    file: "API-keys",
    selected_one: "{{shown}} API key selected.",
    selected_other: "{{shown}} API keys selected.",
  },
  "tax-codes": {
    title: "Tax codes",
    search: "Search tax codes",
    none: "No tax codes found",
    noneYet: "No tax codes yet",
    file: "tax-codes",
    selected_one: "{{shown}} tax code selected.",
    selected_other: "{{shown}} tax codes selected.",
  },
  users: {
    title: "Users",
    search: "Search users",
    none: "No users found",
    noneYet: "No users yet",
    file: "users",
    selected_one: "{{shown}} user selected.",
    selected_other: "{{shown}} users selected.",
  },
  "oauth-clients": {
    title: "OAuth clients",
    search: "Search oauth clients",
    none: "No OAuth clients found",
    noneYet: "No OAuth clients yet",
    file: "OAuth-clients",
    selected_one: "{{shown}} OAuth client selected.",
    selected_other: "{{shown}} OAuth clients selected.",
  },
  "audit-logs": {
    title: "Audit log",
    search: "Search audit log",
    none: "No entries found",
    noneYet: "No entries yet",
    file: "entries",
    selected_one: "{{shown}} entry selected.",
    selected_other: "{{shown}} entries selected.",
  },
  settings: { title: "Company" },
} as const satisfies Record<ListKind, ListTexts> & { settings: { title: string } }
