/** The menu: its groups, and the pages that show no kind of record. */
export const menu = {
  groups: {
    sell: "Sell",
    stock: "Stock",
    reports: "Reports",
    developers: "Developers",
    settings: "Settings",
  },
  dashboard: "Dashboard",
  limits: "Limits in use",
  backups: "Backups",
  account: "My account",
  connections: "Connected apps",
  apiDocs: "API docs",
  newOrder: "New order",
  newInvoice: "New invoice",
  recordPayment: "Record payment",
  newCustomer: "New customer",
  newItem: "New item",
} as const
