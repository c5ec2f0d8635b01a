import { useEffect, useState } from "react"
import { useList } from "../api/hooks"
import type { Kind, Kinds } from "../api/types"

/** The loaded rows of a list, and the selected rows. */
export function useRows<K extends Kind>(kind: K, query: Record<string, string>, path?: string) {
  const list = useList(kind, query, path)
  const rows = list.data?.pages.flatMap(({ data }) => data as Kinds[K][]) ?? []
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  // A new query clears the selection, so that users do not update rows that they no longer see.
  const queryText = JSON.stringify(query)
  useEffect(() => select(new Set()), [queryText])
  return {
    list,
    rows,
    total: list.data?.pages[0]?.meta?.total ?? rows.length,
    selected,
    select,
    picked: rows.filter(({ id }) => selected.has(id)),
  }
}
