import { number, words } from "../format"
import { t } from "../texts"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useSearchParams } from "wouter"
import { call } from "../api/client"
import { Button, Text, VisuallyHidden, TextInput } from "@mantine/core"
import { IconX, IconSearch } from "../parts/icons"
import { shown } from "../parts/shown"
import { focusTop } from "../shell/focus"
import { fieldName, statusName } from "../texts/fields"
import { kinds, type ListKind } from "../kinds"
import { useDebouncedCallback } from "@mantine/hooks"
import { useEffect, useState } from "react"

type Props = {
  kind: ListKind
  state: ListState
  filters: Filter[]
  hasSearch: boolean
  /** Describes a parameter of the URL, if its value is not readable. */
  describe?: (name: string, value: string) => string | undefined
}

/** The filters in the URL that have no input. They are shown so that the user knows that the list is filtered. */
export function UrlFilters({ kind, state, filters, hasSearch, describe }: Props) {
  const seen = new Set(["sort", "order", ...(hasSearch ? ["search"] : [])])
  for (const filter of filters)
    if (isShown(filter, state)) for (const name of parametersOf(filter)) seen.add(name)
  return Object.entries(state.given)
    .filter(([name]) => !seen.has(name))
    .map(([name, value]) => (
      <FilterChip key={name} size="xs" state={state} parameters={[name]}>
        {describe?.(name, value) ?? inWords(kind, name, value)}
      </FilterChip>
    ))
}

type ChipProps = { size: "xs" | "sm"; state: ListState; parameters: string[]; children: string }

/** A filter that is set, with a button that removes its parameters from the URL. */
export const FilterChip = ({ size, state, parameters, children }: ChipProps) => (
  <Button
    variant="light"
    size={size}
    rightSection={<IconX size={14} />}
    onClick={() => {
      state.change(Object.fromEntries(parameters.map((name) => [name, null])))
      focusTop()
    }}
    maw="100%"
  >
    {/* The line of a button is as high as its letters, without their dots. */}
    <Text span inherit truncate lh={1.5}>
      {children}
    </Text>
    <VisuallyHidden> {t(($) => $.lists.filter.remove)}</VisuallyHidden>
  </Button>
)

/** A date range without its first day, or a condition with another value, is not visible in the input of the filter. */
function isShown(filter: Filter, state: ListState): boolean {
  if ("on" in filter) return state.valueOf(filter.key) === filter.on
  return !("isDate" in filter) || Boolean(state.valueOf(`${filter.key}[gte]`))
}

const signs: Record<string, string> = {
  ne: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
}

/** isLowStock=true → Is low stock: true; total[gte]=100 → Total ≥ 100; category[null]=true → Category: empty. */
function inWords(kind: ListKind, name: string, value: string): string {
  const [, key = name, operator = ""] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
  const field = fieldName(key, { of: kind, otherwise: words(key) })
  if (operator === "null")
    return t(($) => (value === "true" ? $.lists.filter.empty : $.lists.filter.notEmpty), { field })
  if (operator === "like") return t(($) => $.lists.filter.like, { field, value })
  if (operator === "in") {
    const values = listedValues(value).map((each) => valueInWords(kind, key, each))
    return t(($) => $.lists.filter.in, { field, value: values.join(", ") })
  }
  const sign = signs[operator]
  if (!sign) return `${field}: ${valueInWords(kind, key, value)}`
  return `${field} ${sign} ${isFigure(value) && operator !== "ne" ? number(Number(value)) : shown(key, value, kind)}`
}

/** Only figures can be compared by size. Other values of digits, such as a phone number, are shown as they are. */
const isFigure = (value: string): boolean => /^-?\d+(\.\d+)?$/.test(value)

function valueInWords(kind: ListKind, key: string, value: string): string {
  if (value === "true") return t(($) => $.lists.filter.true)
  return value === "false" ? t(($) => $.lists.filter.false) : shown(key, value, kind)
}

/** The values of a filter by several: `"Müller, Söhne",Meier`, quoted as in a CSV file. */
const listedValues = (text: string | null): string[] =>
  [...(text ?? "").matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]+))(?:,|$)/g)].map(
    ([, quoted, plain = ""]) => (quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')),
  )

/** The same as a parameter. */
const listOfValues = (values: readonly string[]): string =>
  values.map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",")

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

/**
 * A filter with a few values to choose from. The server adds those that it knows, if it counts records by the field. An
 * option can stand for several values that people read as the same.
 */
export type Choice = { key: string; label: string; options: Option[] }
type Option = { value: string; label: string; also?: readonly string[] }

/** A filter that is on or off. `key` is the whole parameter of the URL: `unallocated[gt]`. */
export type Toggle = { key: string; label: string; on: string }

/** A filter by values, by a date range, or by one condition. */
export type Filter = Choice | Toggle | { key: string; label: string; isDate: true }

/** The parameters of the URL that a filter sets. */
export function parametersOf(filter: Filter): string[] {
  if ("on" in filter) return [filter.key]
  return "isDate" in filter ? [`${filter.key}[gte]`, `${filter.key}[lte]`] : [`${filter.key}[in]`]
}

/** The options that are chosen in the URL. */
export function chosenOf({ key, options }: Choice, state: ListState): string[] {
  const means = new Map(options.flatMap(({ value, also = [] }) => also.map((each) => [each, value] as const)))
  return [...new Set(listedValues(state.valueOf(`${key}[in]`)).map((value) => means.get(value) ?? value))]
}

/** The values that an option stands for. */
export const meantBy = ({ options }: Choice, value: string): string[] => [
  value,
  ...(options.find((each) => each.value === value)?.also ?? []),
]

/** Chooses options. */
export const choose = (filter: Choice, chosen: readonly string[], state: ListState): void =>
  state.change({ [`${filter.key}[in]`]: listOfValues(chosen.flatMap((value) => meantBy(filter, value))) })

/** Returns filter options with a label for each value. */
export const optionsOf = <V extends string>(
  values: readonly V[],
  nameOf: (value: V) => string = words,
): Choice["options"] => values.map((value) => ({ value, label: nameOf(value) }))

/** Filters by the values of a field: its choices, or those that the server finds. */
export const valuesFilter = (
  kind: ListKind,
  field: string,
  label = fieldName(field, { of: kind }),
): Choice => ({
  key: field,
  label,
  options: optionsOf(kinds[kind].choices[field] ?? [], (value) => optionName(kind, field, value)),
})

/** The name of a value among the options of a filter. */
function optionName(kind: ListKind, field: string, value: string): string {
  if (value === "true") return t(($) => $.forms.yes)
  return value === "false" ? t(($) => $.forms.no) : shown(field, value, kind)
}

/** The fields that the server counts and for which the list has no filter yet. A status says what `isActive` says. */
export function moreFilters(kind: ListKind, filters: readonly Filter[]): Choice[] {
  const known = new Set(filters.map(({ key }) => key))
  const { counted } = kinds[kind]
  return counted
    .filter((field) => !known.has(field) && !(field === "isActive" && counted.includes("status")))
    .map((field) => valuesFilter(kind, field))
}

type Counts = { value: string | boolean | null; count: number }[]

/** Reads how many records of the list have each value of a field, while the user looks at them. */
export function useCounts(kind: ListKind, field: string, query: Record<string, string>, isSeen: boolean) {
  const { perPage: _perPage, sort: _sort, order: _order, ...filters } = query
  const params = new URLSearchParams({ ...filters, field })
  const { data } = useQuery({
    queryKey: [kind, "values", String(params)],
    queryFn: async ({ signal }) => (await call<Counts>("GET", `/${kind}/values?${params}`, { signal })).data,
    enabled: isSeen && kinds[kind].counted.includes(field),
    placeholderData: keepPreviousData,
    // A list may be too large to count. Then the filter has no numbers.
    retry: false,
  })
  return data
}

/** The options of a filter: those that are known, the chosen ones, and those that the server has found. */
export function optionsWith(kind: ListKind, { key, options }: Choice, chosen: string[], counts?: Counts) {
  const known = new Set(options.flatMap(({ value, also = [] }) => [value, ...also]))
  const found = (counts ?? []).flatMap(({ value }) => (value === null ? [] : [String(value)]))
  const others = [...new Set([...chosen, ...found])].filter((value) => !known.has(value))
  const named = others.map((value) => ({
    value,
    label: optionName(kind, key, value),
  }))
  return [...options, ...named.toSorted((a, b) => a.label.localeCompare(b.label))]
}

/** Filters by active and inactive records of a kind that has no status. */
export const isActiveFilter: Filter = {
  key: "isActive",
  label: t(($) => $.common.status),
  options: [
    { value: "true", label: t(($) => $.values.status.active) },
    { value: "false", label: t(($) => $.values.status.inactive) },
  ],
}

/** Filters by active and inactive records. */
export const activeFilter: Filter = {
  key: "status",
  label: t(($) => $.common.status),
  options: optionsOf(["active", "inactive"], statusName),
}

/** Filters by a status of a kind, in the order in which the kind declares its values. */
export const statusFilter = (kind: ListKind, field = "status"): Filter => ({
  key: field,
  label: field === "status" ? t(($) => $.common.status) : fieldName(field),
  options: optionsOf(kinds[kind].choices[field] ?? [], statusName),
})

/** Searches a list while the user types. */
export function SearchBox({ state, label }: { state: ListState; label: string }) {
  const [typed, setTyped] = useState(state.search)
  const ask = useDebouncedCallback((search: string) => state.change({ search }), 200)
  useEffect(() => setTyped(state.search), [state.search])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={t(($) => $.lists.search)}
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        ask(value)
      }}
      w={{ base: "100%", xs: 200 }}
    />
  )
}
