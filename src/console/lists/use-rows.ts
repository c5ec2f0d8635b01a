import { useEffect, useState } from "react"
import { useList, useMe } from "../api/hooks"
import type { Kind, Kinds } from "../api/types"
import { useHeldIds } from "../api/held"
import { mostRecords } from "./read-all"
import { useMediaQuery } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../api/client"
import { money, number } from "../format"
import { kinds } from "../kinds"
import { t } from "../texts"
import type { Column } from "./columns"

/** The selected records of a list. */
export type Selection<T> = {
  /** The selected records that are in memory. */
  picked: T[]
  /** True if all records that match are selected, also those that are not loaded. */
  isAll: boolean
  /** The number of selected records. */
  count: number
  /** The number of all records that match, if the user can select them all; otherwise null. */
  selectable: number | null
  selectAll: () => void
  /** Selects these records and no others. They need not be loaded in the list. */
  selectRows: (rows: T[]) => void
}

type Chosen<T> = { ids: ReadonlySet<string>; isAll: boolean; others: T[] }

const none = { ids: new Set<string>(), isAll: false, others: [] }

/** The loaded rows of a list, and the selected ones. */
export function useRows<K extends Kind>(kind: K, query: Record<string, string>, path?: string) {
  type T = Kinds[K]
  const list = useList(kind, query, path)
  const held = useHeldIds(kind)
  const found = list.data?.pages.flatMap(({ data }) => data as T[]) ?? []
  const rows = found.filter(({ id }) => !held.has(id))
  const total = (list.data?.pages[0]?.meta?.total ?? found.length) - (found.length - rows.length)
  const [{ ids, isAll, others }, choose] = useState<Chosen<T>>(none)
  // A new query clears the selection, so that users do not update rows that they no longer see.
  const queryText = JSON.stringify(query)
  useEffect(() => choose(none), [queryText])

  const loaded = new Set(rows.map(({ id }) => id))
  const picked = [...rows, ...others.filter(({ id }) => !loaded.has(id))].filter(({ id }) => ids.has(id))
  const isEvery = rows.length > 0 && rows.every(({ id }) => ids.has(id))
  const selection: Selection<T> = {
    picked,
    isAll,
    count: isAll ? total : picked.length,
    selectable: isEvery && !isAll && total > rows.length && total <= mostRecords ? total : null,
    selectAll: () => choose({ ids: loaded, isAll: true, others: [] }),
    selectRows: (some) => choose({ ids: new Set(some.map(({ id }) => id)), isAll: false, others: some }),
  }
  return {
    list,
    rows,
    total,
    selected: isAll ? loaded : ids,
    select: (next: ReadonlySet<string>) => choose({ ids: next, isAll: false, others }),
    selection,
  }
}

/** True on a phone, where lists have two lines per record and the filters are behind a button. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })

/** The written sums of the amounts in a list. */
export type Sums = {
  /** Which records are added up: "Sum of 2, without 1 draft or cancelled one · incl. tax". */
  label: string
  /** True if the label says more than how many there are. */
  isExplained: boolean
  /** By column. */
  amounts: Record<string, string>
} | null

/** What the dashboard does not count either: nobody owes anything for these documents. */
const uncounted = ["draft", "cancelled"]

/**
 * The filter by the statuses that are added up. Drafts and cancelled documents are added up only in a list of nothing
 * else.
 */
function countedStatuses(kind: Kind, query: Record<string, string>): Record<string, string> {
  const { isCancellable, choices } = kinds[kind]
  if (!isCancellable || query["status"]) return {}
  const listed = query["status[in]"]?.split(",") ?? choices["status"] ?? []
  const counted = listed.filter((status) => !uncounted.includes(status.trim()))
  return counted.length > 0 ? { "status[in]": counted.join(",") } : {}
}

/** The sums of a list of `total` records. The server adds up all records that match. */
export function useSums<T>(
  kind: Kind,
  query: Record<string, string>,
  columns: Column<T>[],
  total: number,
): Sums {
  const { currency } = useMe().company
  const summed = columns.filter(({ hasSum }) => hasSum)
  const less = summed.flatMap(({ sumLess }) => sumLess ?? [])
  const fields = [...summed.map(({ key }) => key), ...less.map(({ field }) => field)]
  const { sort: _sort, order: _order, ...filters } = query
  const params = new URLSearchParams({
    ...filters,
    ...countedStatuses(kind, query),
    perPage: "1",
    fields: "id",
    sum: fields.join(","),
  })
  const { data } = useQuery({
    queryKey: [kind, "sums", String(params)],
    queryFn: async ({ signal }) => (await call("GET", `/${kind}?${params}`, { signal })).meta ?? null,
    enabled: fields.length > 0,
    placeholderData: keepPreviousData,
  })
  const sums = data?.sums
  if (!data || !sums) return null
  const counted = data.total ?? 0
  const count = Math.max(0, total - counted)
  const shown = number(counted)
  const explained = [
    ...(kinds[kind].hasTotal ? [t(($) => $.lists.withTax)] : []),
    ...less.filter(({ field }) => (sums[field] ?? 0) > 0).map(({ label }) => label),
  ]
  const of =
    count > 0
      ? t(($) => $.lists.sumWithout, { shown, count, left: number(count) })
      : t(($) => $.lists.sumOf, { shown })
  return {
    label: [of, ...explained].join(" · "),
    isExplained: count > 0 || explained.length > 0,
    amounts: Object.fromEntries(
      summed.map(({ key, sumLess }) => {
        const sum = (sums[key] ?? 0) - (sumLess ? (sums[sumLess.field] ?? 0) : 0)
        return [key, money(sum, currency)]
      }),
    ),
  }
}
