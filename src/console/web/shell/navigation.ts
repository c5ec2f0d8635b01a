import { IconChartBar, IconDatabaseExport, IconPlugConnected, IconUser } from "@tabler/icons-react"
import { kindList, type ConsoleKind } from "../kinds"

/** A page in the menu. */
export type Place = Pick<ConsoleKind, "path" | "title" | "icon" | "right">

const dashboard: Place = {
  path: "/",
  title: "Dashboard",
  icon: IconChartBar,
  right: { area: "invoices", scope: "read" },
}
const account: Place = {
  path: "/settings/account",
  title: "My account",
  icon: IconUser,
  right: { area: "own", scope: "read" },
}
const connections: Place = {
  path: "/settings/connections",
  title: "Connected apps",
  icon: IconPlugConnected,
  right: { area: "own", scope: "read" },
}
const backups: Place = {
  path: "/settings/backups",
  title: "Backups",
  icon: IconDatabaseExport,
  right: { area: "administration", scope: "admin" },
}

const settingsKinds = kindList.filter(({ place }) => place === "settings")

/** The main section of the menu. Each user sees the pages that they may read. */
export const places: Place[] = [dashboard, ...kindList.filter(({ place }) => place === "main")]

/** The settings section of the menu: first the user's own pages, then the pages of admins. */
export const settingsPlaces: Place[] = [
  account,
  ...settingsKinds.filter(({ right }) => right.area === "own"),
  connections,
  ...settingsKinds.filter(({ right }) => right.area !== "own"),
  backups,
]
