import type { Position } from "./cursor"
import type { MoneyContext } from "../kind/field"
import type { ListQuery } from "./list"
import type { Selection } from "./plan"
import type { Row } from "./table-shape"

/** A page to find. `start` is the position after which it begins, if there is a cursor. */
export type PageRequest = {
  selection: Selection
  query: ListQuery
  start: Position | undefined
  moneyContext: MoneyContext
}

/** The rows of a page, and the position after which the list continues, if it does. */
export type FoundPage = { rows: Row[]; last: Position | null; total: number | null }

/** The number of records before a page; 0 when there is a cursor. */
export const skippedBy = ({ start, query }: PageRequest): number =>
  start ? 0 : (query.page - 1) * query.perPage
