import { ActionIcon, Button, Group, Menu, MultiSelect, TextInput, Tooltip } from "@mantine/core"
import { DatePickerInput } from "@mantine/dates"
import { useDebouncedCallback } from "@mantine/hooks"
import { IconColumns3, IconFilterOff, IconSearch } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { date } from "../format"
import type { Choice, Filter } from "./filters"
import type { ListState } from "./list-state"
import { UrlFilters } from "./url-filters"

type Props = {
  state: ListState
  filters: Filter[]
  hasSearch: boolean
  title: string
  columns: { key: string; title: string }[]
  chosen: string[]
  onToggle: (key: string) => void
  /** Describes a parameter of the URL. */
  describe?: (name: string, value: string) => string | undefined
}

export function ListToolbar(props: Props) {
  const { state, filters, hasSearch, title, columns, chosen, onToggle, describe } = props
  return (
    <Group gap="sm" mb="md" align="end">
      {hasSearch && <SearchBox state={state} title={title} />}
      {filters.map((filter) =>
        "isDate" in filter ? (
          <DaysFilter key={filter.key} name={filter.key} label={filter.label} state={state} />
        ) : (
          <ChoiceFilter key={filter.key} filter={filter} state={state} />
        ),
      )}
      <UrlFilters state={state} filters={filters} hasSearch={hasSearch} describe={describe} />
      {state.isNarrowed && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={state.clear}>
          Clear filters
        </Button>
      )}
      <ColumnsMenu columns={columns} chosen={chosen} onToggle={onToggle} />
    </Group>
  )
}

const ColumnsMenu = ({ columns, chosen, onToggle }: Pick<Props, "columns" | "chosen" | "onToggle">) => (
  <Menu closeOnItemClick={false} position="bottom-end">
    <Tooltip label="Columns">
      <Menu.Target>
        <ActionIcon variant="default" size={36} ml="auto" aria-label="Choose columns">
          <IconColumns3 size={18} />
        </ActionIcon>
      </Menu.Target>
    </Tooltip>
    <Menu.Dropdown>
      {columns.map(({ key, title }) => (
        <Menu.CheckboxItem key={key} checked={chosen.includes(key)} onChange={() => onToggle(key)}>
          {title}
        </Menu.CheckboxItem>
      ))}
    </Menu.Dropdown>
  </Menu>
)

function SearchBox({ state, title }: { state: ListState; title: string }) {
  const [typed, setTyped] = useState(state.search)
  const ask = useDebouncedCallback((search: string) => state.change({ search }), 200)
  useEffect(() => setTyped(state.search), [state.search])
  return (
    <TextInput
      type="search"
      aria-label={`Search ${title.toLowerCase()}`}
      placeholder="Search…"
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        ask(value)
      }}
      w={{ base: "100%", xs: 260 }}
    />
  )
}

function ChoiceFilter({ filter, state }: { filter: Choice; state: ListState }) {
  const { key, label, options } = filter
  const value = (state.valueOf(`${key}[in]`) ?? "").split(",").filter(Boolean)
  return (
    <MultiSelect
      aria-label={label}
      placeholder={value.length > 0 ? undefined : label}
      data={options}
      value={value}
      onChange={(next) => state.change({ [`${key}[in]`]: next.join(",") })}
      clearable
      w={{ base: "100%", xs: 190 }}
    />
  )
}

/** Returns an empty text without a range, so that the placeholder is visible. */
const daysOf = ([from, to]: [string | null, string | null]) =>
  from ? `${date(from)} – ${to ? date(to) : ""}` : ""

function DaysFilter({ name, label, state }: { name: string; label: string; state: ListState }) {
  const given: [string | null, string | null] = [
    toDay(state.valueOf(`${name}[gte]`)),
    toDay(state.valueOf(`${name}[lte]`)),
  ]
  const [value, setValue] = useState(given)
  useEffect(() => setValue([given[0], given[1]]), [given[0], given[1]])
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      aria-label={value[0] ? `${label}: ${daysOf(value)}` : label}
      valueFormatter={() => daysOf(value)}
      placeholder={label}
      value={value}
      onChange={([from, to]) => {
        setValue([from, to])
        // The user has picked only the first day of the range so far.
        if (from && !to) return
        const edges = isMoment(name)
          ? [instantOf(from, "00:00:00.000"), instantOf(to, "23:59:59.999")]
          : [from, to]
        state.change({ [`${name}[gte]`]: edges[0] ?? null, [`${name}[lte]`]: edges[1] ?? null })
      }}
      clearable
      w={{ base: "100%", xs: 230 }}
    />
  )
}

/** Timestamps are shown in the user's time zone, so they are filtered by the user's day. Plain dates do not shift. */
const isMoment = (name: string) => name.endsWith("At")

const instantOf = (day: string | null, time: string): string | null =>
  day && new Date(`${day}T${time}`).toISOString()

/** Returns a plain date unchanged, and a timestamp as the day in the user's time zone. */
function toDay(value: string | null): string | null {
  if (!value?.includes("T")) return value
  const moment = new Date(value)
  const two = (number: number) => String(number).padStart(2, "0")
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
