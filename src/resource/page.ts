import type { Position } from "./cursor"
import type { MoneyContext } from "./field"
import type { ListQuery } from "./list"
import type { Selection } from "./plan"
import type { Row } from "./table-shape"

/** A page to find. `start` is the record after which it begins, if a cursor gives one. */
export type PageRequest = {
  selection: Selection
  query: ListQuery
  start: Position | undefined
  moneyContext: MoneyContext
}

/** The rows of a page, and the record after which the list goes on, if it does. */
export type FoundPage = { rows: Row[]; last: Position | null; total: number | null }

/** How many records come before a page: none that are counted when a cursor says where it begins. */
export const skippedBy = ({ start, query }: PageRequest): number =>
  start ? 0 : (query.page - 1) * query.perPage
