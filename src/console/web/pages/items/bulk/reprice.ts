import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../api/client"
import type { Item } from "../../../api/types"
import type { Typed } from "../../../forms/number"
import type { Selection } from "../../../lists/use-rows"

/** What the user has typed. */
export type PriceForm = {
  by: "percent" | "amount"
  direction: "up" | "down"
  value: Typed
  /** Empty for the decimals of the currency. */
  round: string
  /** Empty for any ending. */
  ending: string
}

export const emptyForm: PriceForm = { by: "percent", direction: "up", value: "", round: "", ending: "" }

export type Filter = Record<string, string>
export type PricePreview = {
  matched: number
  preview: { id: string; itemCode: string; itemName: string; before: number; after: number | null }[]
}

/** The number of values that a filter can list. */
export const mostPicked = 100

const others = ["perPage", "sort", "order", "fields"]

/** The items of a selection as a filter of the list. */
export const filterOf = (query: Filter, { isAll, picked }: Selection<Item>): Filter =>
  isAll
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !others.includes(name)))
    : { "id[in]": picked.map(({ id }) => id).join(",") }

/** The body of a request, or null while there is no number. */
export function bodyOf(filter: Filter, { by, direction, value, round, ending }: PriceForm): object | null {
  if (typeof value !== "number") return null
  return {
    filter,
    change: { [by]: direction === "up" ? value : -value },
    ...(round === "" ? {} : { round: Number(round) }),
    ...(ending === "" ? {} : { ending: Number(ending) }),
  }
}

/** The first prices before and after the change, a moment after the user has stopped typing. */
export function usePreview(body: object | null) {
  const wanted = body && JSON.stringify(body)
  const [settled] = useDebouncedValue(wanted, 250)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["reprice", settled],
    queryFn: ({ signal }) => readPreview(settled ?? "{}", signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  /** False while the preview is that of an earlier change. */
  const isCurrent = wanted !== null && wanted === settled && data !== undefined && !isPlaceholderData
  return { data, error, isCurrent }
}

const readPreview = async (body: string, signal: AbortSignal): Promise<PricePreview> =>
  (
    await call<PricePreview>("POST", "/items/reprice?dryRun=true", {
      body: JSON.parse(body) as object,
      signal,
    })
  ).data
