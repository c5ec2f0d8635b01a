import { activeStatuses } from "../../shared/statuses"
import { words } from "../format"
import { t } from "../texts"
import { dayAt, daysBetween } from "../../shared/dates"
import type { Texts } from "../texts/texts"
import { useSearchParams } from "wouter"

const perPage = "50"

/** The search, filters and sort order of a list. They are in the URL, so that they can be bookmarked and shared. */
export function useListState(sort: string, order: "asc" | "desc", fixed: Record<string, string> = {}) {
  const [params, setParams] = useSearchParams()
  const given = Object.fromEntries(params)
  const query = { perPage, sort, order, ...given, ...fixed }

  /** Sets parameters, and removes the empty ones. Adds no entry to the browser history. */
  const change = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: true },
    )

  return {
    query: query as Record<string, string>,
    search: given["search"] ?? "",
    sort: query.sort,
    order: query.order,
    given,
    valueOf: (name: string): string | null => given[name] ?? null,
    isNarrowed: Object.keys(given).some((name) => name !== "sort" && name !== "order"),
    change,
    /** Replaces all parameters. */
    show: (next: Record<string, string>) => setParams(new URLSearchParams(next), { replace: true }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
    sortBy: (name: string) =>
      change({ sort: name, order: query.sort === name && query.order === "asc" ? "desc" : "asc" }),
  }
}

export type ListState = ReturnType<typeof useListState>

type Period = keyof Texts["lists"]["period"]

/** The first and the last day of a period, as in 2026-03-01. */
type Days = [string, string]

const aMonday = "0001-01-01"

/** Periods that people often filter by, relative to today. Weeks begin on Monday, as in the calendar. */
export function datePresets(today: string): { period: Period; value: Days }[] {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number)
  const monday = day - (daysBetween(aMonday, today) % 7)
  const quarter = month - ((month - 1) % 3)
  return [
    { period: "today", value: [today, today] },
    { period: "thisWeek", value: [dayAt(year, month, monday), dayAt(year, month, monday + 6)] },
    { period: "thisMonth", value: monthsAt(year, month, 1) },
    { period: "lastMonth", value: monthsAt(year, month - 1, 1) },
    { period: "thisQuarter", value: monthsAt(year, quarter, 3) },
    { period: "thisYear", value: monthsAt(year, 1, 12) },
    { period: "lastYear", value: monthsAt(year - 1, 1, 12) },
  ]
}

const monthsAt = (year: number, month: number, count: number): Days => [
  dayAt(year, month, 1),
  dayAt(year, month + count, 0),
]

/** A filter with a few values to choose from. */
export type Choice = { key: string; label: string; options: { value: string; label: string }[] }

/** A filter that is on or off. `key` is the whole parameter of the URL: `unallocated[gt]`. */
export type Toggle = { key: string; label: string; on: string }

/** A filter by values, by a date range, or by one condition. */
export type Filter = Choice | Toggle | { key: string; label: string; isDate: true }

/** The parameters of the URL that a filter sets. */
export function parametersOf(filter: Filter): string[] {
  if ("on" in filter) return [filter.key]
  return "isDate" in filter ? [`${filter.key}[gte]`, `${filter.key}[lte]`] : [`${filter.key}[in]`]
}

/** Returns filter options with a label for each value. */
export const optionsOf = <V extends string>(
  values: readonly V[],
  nameOf: (value: V) => string = words,
): Choice["options"] => values.map((value) => ({ value, label: nameOf(value) }))

/** Filters by active and inactive records. */
export const activeFilter: Filter = {
  key: "status",
  label: t(($) => $.common.status),
  options: optionsOf(activeStatuses, (status) => t(($) => $.values.status[status])),
}
