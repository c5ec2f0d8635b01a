import {
  IconChartBar,
  IconCode,
  IconDatabaseExport,
  IconGauge,
  IconHelpCircle,
  IconPlugConnected,
  IconReportAnalytics,
  IconUser,
} from "../parts/icons"
import { kindList, kinds, menuGroups, type ConsoleKind } from "../kinds"
import { language, t } from "../texts"

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
    path: "/reports",
    title: t(($) => $.menu.groups.reports),
    icon: IconReportAnalytics,
    right: home.right,
    group: "reports",
  },
  {
    path: "/settings/limits",
    title: t(($) => $.menu.limits),
    icon: IconGauge,
    right: own,
    group: "developers",
  },
  // Somebody who connects a program looks for its key in the settings as well.
  { ...kinds["api-keys"], group: "settings" },
  {
    path: "/settings/mail",
    title: t(($) => $.menu.mail),
    icon: kinds.messages.icon,
    right: { area: "administration", scope: "admin" },
    group: "settings",
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

/** The guide for shop owners, in the language of the console. */
export const help = {
  href: `/docs#description/${{ en: "the-shop-from-day-to-day", de: "der-laden-im-alltag" }[language]}`,
  title: t(($) => $.menu.help),
  icon: IconHelpCircle,
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

/** The settings and the pages for developers, each once. */
export const settingsPlaces: Place[] = groups
  .flatMap((group) => group.places)
  .filter((place, i, all) => !isDaily(place) && all.findIndex((each) => each.path === place.path) === i)
