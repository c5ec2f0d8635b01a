import {
  IconChartBar,
  IconCode,
  IconDatabaseExport,
  IconGauge,
  IconPlugConnected,
  IconUser,
} from "../parts/icons"
import { kindList, menuGroups, type ConsoleKind } from "../kinds"
import { t } from "../texts"

/** A page in the menu. */
export type Place = Pick<ConsoleKind, "path" | "title" | "icon" | "right" | "group">

const own = { area: "own", scope: "read" } as const

/** The first entry of the menu, above the groups. */
export const home: Place = {
  path: "/",
  title: t(($) => $.menu.dashboard),
  icon: IconChartBar,
  right: { area: "invoices", scope: "read" },
  group: "reports",
}

/** The pages of the menu that show no kind of record. */
const otherPlaces: Place[] = [
  {
    path: "/settings/limits",
    title: t(($) => $.menu.limits),
    icon: IconGauge,
    right: own,
    group: "developers",
  },
  {
    path: "/settings/backups",
    title: t(($) => $.menu.backups),
    icon: IconDatabaseExport,
    right: { area: "administration", scope: "admin" },
    group: "settings",
  },
  {
    path: "/settings/account",
    title: t(($) => $.menu.account),
    icon: IconUser,
    right: own,
    group: "settings",
  },
  {
    path: "/settings/connections",
    title: t(($) => $.menu.connections),
    icon: IconPlugConnected,
    right: own,
    group: "settings",
  },
]

const allPlaces: Place[] = [...kindList, ...otherPlaces]

/** The documentation of the API, which is not a page of the console. */
export const apiDocs = {
  href: "/docs",
  title: t(($) => $.menu.apiDocs),
  icon: IconCode,
  group: "developers",
} as const

/** The groups of the menu with their pages: first the kinds of records, then the other pages. */
export const groups = menuGroups.map((group) => ({
  group,
  title: t(($) => $.menu.groups[group]),
  places: allPlaces.filter((place) => place.group === group),
}))

const isDaily = ({ group }: Place) => group === "sell" || group === "stock" || group === "reports"

/** The pages of the daily work. Each user sees the pages that they may read. */
export const places: Place[] = [home, ...groups.flatMap((group) => group.places).filter(isDaily)]

/** The pages for developers and the settings. */
export const settingsPlaces: Place[] = groups
  .flatMap((group) => group.places)
  .filter((place) => !isDaily(place))
