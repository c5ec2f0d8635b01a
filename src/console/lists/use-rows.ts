import { useEffect, useState } from "react"
import { useList } from "../api/hooks"
import type { Kind, Kinds } from "../api/types"
import { mostRecords } from "./read-all"
import { useMediaQuery } from "@mantine/hooks"

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
  const rows = list.data?.pages.flatMap(({ data }) => data as T[]) ?? []
  const total = list.data?.pages[0]?.meta?.total ?? rows.length
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
