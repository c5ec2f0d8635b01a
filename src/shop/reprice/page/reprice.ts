import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { Item } from "../../../console/api/types"
import type { Typed } from "../../../console/forms/number"
import type { Selection } from "../../../console/lists/use-rows"

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
type Body = { filter: Filter; change: Change; round?: number; ending?: number }
export type PricePreview = {
  matched: number
  counts: Record<"matched" | "updated" | "unchanged" | "belowZero" | "tooLarge", number>
  /** The change that the prices belong to. The user may have typed another one since. */
  change: Change
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

/** The body of a request, or null while there is no number that the server would take. */
export function bodyOf(filter: Filter, { by, direction, value, round, ending }: PriceForm): Body | null {
  if (typeof value !== "number" || value < 0 || changesNothing({ value, round, ending })) return null
  const signed = direction === "up" ? value : -value
  return {
    filter,
    change: by === "percent" ? { percent: signed } : { amount: signed },
    ...roundingOf(round, ending),
  }
}

/** A change by 0 is only useful to round the prices. */
export const changesNothing = ({ value, round, ending }: Pick<PriceForm, "value" | "round" | "ending">) =>
  value === 0 && round === "" && ending === ""

/** An ending decides the price alone, so a rounding that was chosen before is not sent with it. */
function roundingOf(round: string, ending: string): Pick<Body, "round" | "ending"> {
  if (ending !== "") return { ending: Number(ending) }
  return round === "" ? {} : { round: Number(round) }
}

/** The first prices before and after the change, a moment after the user has stopped typing. */
export function usePreview(body: Body | null) {
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

async function readPreview(text: string, signal: AbortSignal): Promise<PricePreview> {
  const body = JSON.parse(text) as Body
  const { data } = await call<Omit<PricePreview, "change">>("POST", "/items/reprice?dryRun=true", {
    body,
    signal,
  })
  return { ...data, change: body.change }
}

/** A change of prices as the API takes it: a percentage or an amount. */
export type Change = { percent: number } | { amount: number }

/** What a user should notice about a new price, because rounding or an ending has made it different from the change. */
type Mark = "unchanged" | "falls" | "rises" | "large"

/** Prices have at most four decimals. Smaller differences come from computing with binary numbers. */
const tolerance = 0.00001

/** Returns what is unusual about a new price, or null. A change of 0 only rounds prices, so any difference is expected. */
export function markOf(before: number, after: number, change: Change): Mark | null {
  const difference = after - before
  if (difference === 0) return "unchanged"
  const asked = "percent" in change ? (before * change.percent) / 100 : change.amount
  if (asked > 0 && difference < 0) return "falls"
  if (asked < 0 && difference > 0) return "rises"
  return asked !== 0 && Math.abs(difference) > 2 * Math.abs(asked) + tolerance ? "large" : null
}
