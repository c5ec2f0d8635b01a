import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../api/client"
import { useMe } from "../api/hooks"
import type { Kind } from "../api/types"
import { money } from "../format"
import type { Column } from "./columns"

/** The written sums of the amounts in a list, by column. The server adds up all records that match. */
export function useSums<T>(kind: Kind, query: Record<string, string>, columns: Column<T>[]) {
  const { currency } = useMe().company
  const keys = columns.filter(({ hasSum }) => hasSum).map(({ key }) => key)
  const { sort: _sort, order: _order, ...filters } = query
  const params = new URLSearchParams({ ...filters, perPage: "1", fields: "id", sum: keys.join(",") })
  const { data } = useQuery({
    queryKey: [kind, "sums", String(params)],
    queryFn: async ({ signal }) => (await call("GET", `/${kind}?${params}`, { signal })).meta?.sums ?? null,
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
  })
  if (!data) return null
  return Object.fromEntries(Object.entries(data).map(([key, sum]) => [key, money(sum, currency)]))
}

export type Sums = Record<string, string> | null
