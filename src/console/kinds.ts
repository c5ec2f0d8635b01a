import type { Menu } from "../core/kind/define"
import type { Kind } from "./api/types"
import { folders, type Folder } from "./folders"
import { language, t } from "./texts"
import { addKindTexts } from "./texts/kinds"

// The sign-in page needs no kinds: their texts come with the frame.
addKindTexts()

/** The groups of the menu, in their order. */
export const menuGroups = ["sell", "stock", "reports", "settings", "developers"] as const
export type MenuGroup = Menu["group"]

/** The kinds of records that have a list. */
export type ListKind = Exclude<Kind, "settings">

/** How the console shows a kind of record. */
export type ConsoleKind = Omit<Folder, "recordPath" | "names"> & {
  title: string
  /** The names of its own types of events that are not called like statuses. */
  events: Readonly<Record<string, string>>
  /** True if there is a page on which one is created. */
  isCreated: boolean
  /** The path of one record, if it can be opened. */
  recordPath?: (id: string) => string
}

/** All kinds of records, in the order of the menu. */
export const kinds = Object.fromEntries(
  Object.entries(folders).map(([name, { names, recordPath, ...folder }]): [string, ConsoleKind] => [
    name,
    {
      ...folder,
      events: names[language].events ?? {},
      isCreated: names.en.new !== undefined,
      title: t(($) => $.kinds[name as Kind].title),
      ...(recordPath && { recordPath: (id) => recordPath.replace(":id", id) }),
    },
  ]),
) as Readonly<Record<Kind, ConsoleKind>>

export const kindList: readonly ConsoleKind[] = Object.values(kinds)

/** Returns a kind by its name from the server, which may have more kinds than the console. */
export const kindOf = (name: string): ConsoleKind | null =>
  Object.hasOwn(kinds, name) ? kinds[name as Kind] : null
