import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../api/client"
import { useMe } from "../api/hooks"
import type { Kind } from "../api/types"
import { money, number } from "../format"
import { kinds } from "../kinds"
import { t } from "../texts"
import type { Column } from "./columns"

/** The written sums of the amounts in a list. */
export type Sums = {
  /** Which records are added up: "Sum of 2, without 1 cancelled". */
  label: string
  hasLeftOut: boolean
  /** By column. */
  amounts: Record<string, string>
} | null

/**
 * Cancelled documents are added up only in a list of nothing else: nobody pays them, and the dashboard does not count
 * them either.
 */
const leavesCancelledOut = (kind: Kind, query: Record<string, string>) =>
  kinds[kind].isCancellable && query["status[in]"] !== "cancelled" && query["status"] !== "cancelled"

/** The sums of a list of `total` records. The server adds up all records that match. */
export function useSums<T>(
  kind: Kind,
  query: Record<string, string>,
  columns: Column<T>[],
  total: number,
): Sums {
  const { currency } = useMe().company
  const keys = columns.filter(({ hasSum }) => hasSum).map(({ key }) => key)
  const { sort: _sort, order: _order, ...filters } = query
  const left: Record<string, string> = leavesCancelledOut(kind, query) ? { "status[ne]": "cancelled" } : {}
  const params = new URLSearchParams({ ...filters, ...left, perPage: "1", fields: "id", sum: keys.join(",") })
  const { data } = useQuery({
    queryKey: [kind, "sums", String(params)],
    queryFn: async ({ signal }) => (await call("GET", `/${kind}?${params}`, { signal })).meta ?? null,
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
  })
  if (!data?.sums) return null
  const counted = data.total ?? 0
  const cancelled = Math.max(0, total - counted)
  const shown = number(counted)
  return {
    label:
      cancelled > 0
        ? t(($) => $.lists.sumWithout, { shown, cancelled: number(cancelled) })
        : t(($) => $.lists.sumOf, { shown }),
    hasLeftOut: cancelled > 0,
    amounts: Object.fromEntries(Object.entries(data.sums).map(([key, sum]) => [key, money(sum, currency)])),
  }
}
