import { IconChartBar, IconDatabaseExport, IconPlugConnected, IconUser } from "@tabler/icons-react"
import { kindList, type ConsoleKind } from "../kinds"

/** What the menu shows of a page. */
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

/** What the menu offers, each to those who may read it. */
export const places: Place[] = [dashboard, ...kindList.filter(({ place }) => place === "main")]

/** First what belongs to the person, then what administrators look after. */
export const settingsPlaces: Place[] = [
  account,
  ...settingsKinds.filter(({ right }) => right.area === "own"),
  connections,
  ...settingsKinds.filter(({ right }) => right.area !== "own"),
  backups,
]
