import type { ComponentType } from "react"
import type { Menu, Names } from "../core/kind/define"
import type { ConsoleLanguage } from "../shared/languages"
import type { Right } from "../shared/rights"
import type { Kind } from "./api/types"
import type { Icon } from "./parts/icons"

/** What the console knows of a kind of record. */
export type Folder = Omit<Menu, "icon" | "place"> & {
  names: Readonly<Record<ConsoleLanguage, Names>>
  icon: Icon
  /** The right that a user needs to see the records. */
  right: Right
  /** True if each record has a total and a status. */
  hasTotal: boolean
  /** True if records can be cancelled. */
  isCancellable: boolean
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
