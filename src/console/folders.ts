import type { ComponentType } from "react"
import type { Colour, Menu, Names, Numbers } from "../core/kind/define"
import type { ConsoleLanguage } from "../shared/languages"
import type { Right, Role } from "../shared/rights"
import type { Kind, Settings } from "./api/types"
import type { Icon } from "./parts/icons"

/** What the console knows of a kind of record. */
export type Folder = Omit<Menu, "icon" | "place"> & {
  names: Readonly<Record<ConsoleLanguage, Names>>
  /** The field by which people know a record; null if there is none. */
  nameField: string | null
  colours: Readonly<Record<string, Colour>>
  /** The values of the fields that have one of a few. */
  choices: Readonly<Record<string, readonly string[]>>
  /** The fields with few values, whose records the server counts by value. */
  counted: readonly string[]
  icon: Icon
  /** The right that a user needs to see the records. */
  right: Right
  /** The only roles that may write records, of those that have the right; null if there is no such limit. */
  writers: readonly Role[] | null
  /** True if each record has a total and a status. */
  hasTotal: boolean
  /** True if each record has lines. */
  hasLines: boolean
  /** True if records can be cancelled. */
  isCancellable: boolean
  /** True if messages with a record can have the link to a page on which it is answered. */
  hasLink: boolean
  /** Its pages, which load when they are first opened; null if a feature has them. */
  page: (() => Promise<Pages>) | null
}

/** What the page.tsx of a folder has. `Record` gets the id of the path, also `new`. */
export type Pages = { List: ComponentType; Record: ComponentType<{ id: string }> }

/**
 * All kinds of records, in the order of the menu. It is empty here: src/console/server/folders.ts fills it from
 * src/kinds.ts when the console is bundled, and when a test loads it. So the browser gets no code of the server.
 */
export const folders = {} as Readonly<Record<Kind, Folder>>

/** What happens to the records of each kind: `invoices` and `issued` are the type of event `invoices.issued`. */
export const eventTypes = {} as Readonly<Record<string, readonly string[]>>

/** The numbers of the kinds that have them, by their keys in the settings. */
export const numbers = {} as Readonly<Record<keyof Settings["numberFormats"], Omit<Numbers, "foreign">>>

/** The refusals of the kinds in German, by their codes. */
export const refusals = {} as Readonly<Record<string, string>>
