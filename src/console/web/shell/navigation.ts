import {
  IconApps,
  IconBox,
  IconBuildingStore,
  IconChartBar,
  IconDatabaseExport,
  IconFileInvoice,
  IconHistory,
  IconKey,
  IconPackages,
  IconPlugConnected,
  IconShoppingCart,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react"
import type { Area, Scope } from "../api/types"

export type Place = {
  path: string
  title: string
  icon: typeof IconBox
  right: { area: Area; scope: Scope }
}

/** What the menu offers, each to those who may read it. */
export const places: Place[] = [
  { path: "/", title: "Dashboard", icon: IconChartBar, right: { area: "invoices", scope: "read" } },
  {
    path: "/orders",
    title: "Orders",
    icon: IconShoppingCart,
    right: { area: "sales-orders", scope: "read" },
  },
  { path: "/invoices", title: "Invoices", icon: IconFileInvoice, right: { area: "invoices", scope: "read" } },
  {
    path: "/customers",
    title: "Customers",
    icon: IconUsersGroup,
    right: { area: "customers", scope: "read" },
  },
  { path: "/items", title: "Items", icon: IconBox, right: { area: "items", scope: "read" } },
  { path: "/stock", title: "Stock", icon: IconPackages, right: { area: "items", scope: "read" } },
]

export const settingsPlaces: Place[] = [
  { path: "/settings/account", title: "My account", icon: IconUser, right: { area: "own", scope: "read" } },
  { path: "/settings/api-keys", title: "API keys", icon: IconKey, right: { area: "own", scope: "read" } },
  {
    path: "/settings/connections",
    title: "Connected apps",
    icon: IconPlugConnected,
    right: { area: "own", scope: "read" },
  },
  {
    path: "/settings/company",
    title: "Company",
    icon: IconBuildingStore,
    right: { area: "administration", scope: "admin" },
  },
  {
    path: "/settings/users",
    title: "Users",
    icon: IconUsers,
    right: { area: "administration", scope: "admin" },
  },
  {
    path: "/settings/oauth-clients",
    title: "OAuth clients",
    icon: IconApps,
    right: { area: "administration", scope: "admin" },
  },
  {
    path: "/settings/audit",
    title: "Audit log",
    icon: IconHistory,
    right: { area: "administration", scope: "admin" },
  },
  {
    path: "/settings/backups",
    title: "Backups",
    icon: IconDatabaseExport,
    right: { area: "administration", scope: "admin" },
  },
]
