import {
  IconApps,
  IconBox,
  IconBuildingStore,
  IconFileInvoice,
  IconHistory,
  IconKey,
  IconPackages,
  IconShoppingCart,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react"
import type { Right } from "../../shared/rights"
import type { Kind } from "./api/types"

/** What the console knows of a kind of record. */
export type ConsoleKind = {
  title: string
  /** What the audit log calls it, where that is not its title; null where it has no entries of its own. */
  auditTitle?: string | null
  /** The address of its page, below /console. */
  path: string
  icon: typeof IconBox
  /** What a person needs to see it in the menu. */
  right: Right
  /** The part of the menu that it is in. */
  place: "main" | "settings"
  /** The address of one record, where one can be opened. */
  recordPath?: (id: string) => string
}

const admin: Right = { area: "administration", scope: "admin" }

/** Every kind of record, in the order of the menu; null for one without a page of its own. */
export const kinds = {
  "sales-orders": {
    title: "Orders",
    path: "/orders",
    icon: IconShoppingCart,
    right: { area: "sales-orders", scope: "read" },
    place: "main",
    recordPath: (id) => `/orders/${id}`,
  },
  invoices: {
    title: "Invoices",
    path: "/invoices",
    icon: IconFileInvoice,
    right: { area: "invoices", scope: "read" },
    place: "main",
    recordPath: (id) => `/invoices/${id}`,
  },
  customers: {
    title: "Customers",
    path: "/customers",
    icon: IconUsersGroup,
    right: { area: "customers", scope: "read" },
    place: "main",
    recordPath: (id) => `/customers/${id}`,
  },
  items: {
    title: "Items",
    path: "/items",
    icon: IconBox,
    right: { area: "items", scope: "read" },
    place: "main",
    recordPath: (id) => `/items/${id}`,
  },
  "stock-movements": {
    title: "Stock",
    path: "/stock",
    icon: IconPackages,
    right: { area: "items", scope: "read" },
    place: "main",
  },
  "api-keys": {
    title: "API keys",
    path: "/settings/api-keys",
    icon: IconKey,
    right: { area: "own", scope: "read" },
    place: "settings",
    recordPath: (id) => `/settings/api-keys?id=${id}`,
  },
  settings: {
    title: "Company",
    auditTitle: "Settings",
    path: "/settings/company",
    icon: IconBuildingStore,
    right: admin,
    place: "settings",
    recordPath: () => "/settings/company",
  },
  users: {
    title: "Users",
    auditTitle: "Users and sign-ins",
    path: "/settings/users",
    icon: IconUsers,
    right: admin,
    place: "settings",
    recordPath: (id) => `/settings/users?id=${id}`,
  },
  "oauth-clients": {
    title: "OAuth clients",
    path: "/settings/oauth-clients",
    icon: IconApps,
    right: admin,
    place: "settings",
    recordPath: (id) => `/settings/oauth-clients?id=${id}`,
  },
  "audit-logs": {
    title: "Audit log",
    path: "/settings/audit",
    icon: IconHistory,
    right: admin,
    place: "settings",
    auditTitle: null,
  },
  // Payments are a part of their invoice's page.
  payments: null,
} satisfies Record<Kind, ConsoleKind | null>

export const kindList: readonly ConsoleKind[] = Object.values(kinds).filter((kind) => kind !== null)

/** A kind by a name that came from the server, which may know more kinds than the console. */
export const kindOf = (name: string): ConsoleKind | null =>
  Object.hasOwn(kinds, name) ? kinds[name as Kind] : null
