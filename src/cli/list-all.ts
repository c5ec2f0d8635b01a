import { isLongWork, type Later } from "../core/lib/turns"
import type { Resource } from "../core/kind/define"
import type { MoneyContext } from "../core/kind/field"
import { readListQuery, type ListQuery } from "../core/store/list"
import type { Page } from "../core/store/table-list"

/** A placeholder: the kinds that commands list have no amounts and no dates that depend on the context. */
const standardContext: MoneyContext = { currency: "USD", digits: 2, today: "1970-01-01" }

/** Returns every record of a kind, read page by page, in ascending order of `sort`. */
export async function listAll<T>(
  resource: Resource,
  list: (query: ListQuery) => Later<Page<T>>,
  sort: string,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const query = readListQuery(resource, `perPage=100&order=asc&sort=${sort}&page=${page}`, standardContext)
    const found = list(query)
    const { rows, nextCursor } = isLongWork(found) ? await found(null) : found
    all.push(...rows)
    if (nextCursor === null) return all
  }
}
