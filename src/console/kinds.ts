import {
  IconApps,
  IconBox,
  IconBuildingStore,
  IconCash,
  IconFileInvoice,
  IconHistory,
  IconKey,
  IconPackages,
  IconReceiptRefund,
  IconReceiptTax,
  IconShoppingCart,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from "./parts/icons"
import type { Right } from "../shared/rights"
import type { Kind } from "./api/types"
import { t } from "./texts"

/** The groups of the menu, in their order. */
export const menuGroups = ["sell", "stock", "reports", "developers", "settings"] as const
export type MenuGroup = (typeof menuGroups)[number]

/** The kinds of records that have a list. */
export type ListKind = Exclude<Kind, "settings">

/** How the console shows a kind of record. */
export type ConsoleKind = {
  title: string
  /** The path of its page, below /console. */
  path: string
  icon: Icon
  /** The right that a user needs to see it in the menu. */
  right: Right
  /** Its group in the menu. */
  group: MenuGroup
  /** The path of one record, if it can be opened. */
  recordPath?: (id: string) => string
}

const admin: Right = { area: "administration", scope: "admin" }

/** All kinds of records, in the order of the menu; null for a kind without its own page. */
export const kinds = {
  "sales-orders": {
    title: t(($) => $.kinds["sales-orders"].title),
    path: "/orders",
    icon: IconShoppingCart,
    right: { area: "sales-orders", scope: "read" },
    group: "sell",
    recordPath: (id) => `/orders/${id}`,
  },
  invoices: {
    title: t(($) => $.kinds.invoices.title),
    path: "/invoices",
    icon: IconFileInvoice,
    right: { area: "invoices", scope: "read" },
    group: "sell",
    recordPath: (id) => `/invoices/${id}`,
  },
  "credit-notes": {
    title: t(($) => $.kinds["credit-notes"].title),
    path: "/credit-notes",
    icon: IconReceiptRefund,
    right: { area: "invoices", scope: "read" },
    group: "sell",
    recordPath: (id) => `/credit-notes/${id}`,
  },
  payments: {
    title: t(($) => $.kinds.payments.title),
    path: "/payments",
    icon: IconCash,
    right: { area: "invoices", scope: "read" },
    group: "sell",
    recordPath: (id) => `/payments/${id}`,
  },
  customers: {
    title: t(($) => $.kinds.customers.title),
    path: "/customers",
    icon: IconUsersGroup,
    right: { area: "customers", scope: "read" },
    group: "sell",
    recordPath: (id) => `/customers/${id}`,
  },
  items: {
    title: t(($) => $.kinds.items.title),
    path: "/items",
    icon: IconBox,
    right: { area: "items", scope: "read" },
    group: "stock",
    recordPath: (id) => `/items/${id}`,
  },
  "stock-movements": {
    title: t(($) => $.kinds["stock-movements"].title),
    path: "/stock",
    icon: IconPackages,
    right: { area: "stock", scope: "read" },
    group: "stock",
  },
  "api-keys": {
    title: t(($) => $.kinds["api-keys"].title),
    path: "/settings/api-keys",
    icon: IconKey,
    right: { area: "own", scope: "read" },
    group: "developers",
    recordPath: (id) => `/settings/api-keys?id=${id}`,
  },
  settings: {
    title: t(($) => $.kinds.settings.title),
    path: "/settings/company",
    icon: IconBuildingStore,
    right: admin,
    group: "settings",
    recordPath: () => "/settings/company",
  },
  "tax-codes": {
    title: t(($) => $.kinds["tax-codes"].title),
    path: "/settings/tax-codes",
    icon: IconReceiptTax,
    right: { area: "items", scope: "read" },
    group: "settings",
    recordPath: (id) => `/settings/tax-codes/${id}`,
  },
  users: {
    title: t(($) => $.kinds.users.title),
    path: "/settings/users",
    icon: IconUsers,
    right: admin,
    group: "settings",
    recordPath: (id) => `/settings/users?id=${id}`,
  },
  "oauth-clients": {
    title: t(($) => $.kinds["oauth-clients"].title),
    path: "/settings/oauth-clients",
    icon: IconApps,
    right: admin,
    group: "developers",
    recordPath: (id) => `/settings/oauth-clients?id=${id}`,
  },
  webhooks: {
    title: t(($) => $.kinds.webhooks.title),
    path: "/settings/webhooks",
    icon: IconWebhook,
    right: admin,
    group: "developers",
    recordPath: (id) => `/settings/webhooks/${id}`,
  },
  "audit-logs": {
    title: t(($) => $.kinds["audit-logs"].title),
    path: "/settings/audit",
    icon: IconHistory,
    right: admin,
    group: "settings",
  },
} satisfies Record<Kind, ConsoleKind | null>

export const kindList: readonly ConsoleKind[] = Object.values(kinds).filter((kind) => kind !== null)

/** Returns a kind by its name from the server, which may have more kinds than the console. */
export const kindOf = (name: string): ConsoleKind | null =>
  Object.hasOwn(kinds, name) ? kinds[name as Kind] : null
