import {
  ActionIcon,
  Button,
  Checkbox,
  Drawer,
  Group,
  Menu,
  Modal,
  MultiSelect,
  Popover,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconBookmark, IconCheck, IconColumns3, IconFilter, IconFilterOff } from "../parts/icons"
import { kinds, type ListKind } from "../kinds"
import { t } from "../texts"
import { type Exporting, ExportList } from "./export-menu"
import { datePresets } from "./date-presets"
import {
  type Choice,
  type Filter,
  type ListState,
  choose,
  chosenOf,
  meantBy,
  moreFilters,
  optionsWith,
  parametersOf,
  useCounts,
  UrlFilters,
  SearchBox,
  FilterChip,
} from "./filters"
import { useIsNarrow } from "./use-rows"
import type { Views } from "./columns"
import { DatePickerInput } from "@mantine/dates"
import { type ReactNode, useEffect, useState } from "react"
import { useMe } from "../api/hooks"
import { clock, localDay, localMoment } from "../clock"
import { date, number } from "../format"
import { confirm } from "../parts/confirm"
import { isMoment } from "../parts/shown"

type Props = {
  state: ListState
  filters: Filter[]
  hasSearch: boolean
  kind: ListKind
  columns: { key: string; title: string }[]
  chosen: string[]
  onToggle: (key: string) => void
  views: Views
  exporting: Exporting
  /** Describes a parameter of the URL. */
  describe?: (name: string, value: string) => string | undefined
}

export function ListToolbar(props: Props) {
  const isNarrow = useIsNarrow()
  const { state, hasSearch, kind, columns, chosen, onToggle, views, exporting } = props
  return (
    <Group gap="sm" mb="md" align="end">
      {hasSearch && <SearchBox state={state} label={t(($) => $.kinds[kind].search)} />}
      {isNarrow ? <FilterDrawer {...props} /> : <Filters {...props} more={<FilterMenu {...props} />} />}
      <Group gap="xs" ml="auto" wrap="nowrap">
        <ViewsMenu {...views} />
        <ExportList exporting={exporting} />
        {!isNarrow && <ColumnsMenu columns={columns} chosen={chosen} onToggle={onToggle} />}
      </Group>
      {isNarrow && state.isNarrowed && <FilterChips {...props} />}
    </Group>
  )
}

const Filters = ({ more, ...props }: Props & { more: ReactNode }) => (
  <>
    {props.filters.map((filter) => (
      <OneFilter key={filter.key} filter={filter} state={props.state} kind={props.kind} />
    ))}
    {more}
    <ClearableFilters {...props} />
  </>
)

/** The filters that have no input of their own in the toolbar, and the button that removes all. */
const ClearableFilters = ({ state, kind, filters, hasSearch, describe }: Props) => (
  <>
    <UrlFilters kind={kind} state={state} filters={filters} hasSearch={hasSearch} describe={describe} />
    {state.isNarrowed && (
      <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={state.clear}>
        {t(($) => $.lists.clearFilters)}
      </Button>
    )}
  </>
)

/** The filters of a wide screen that are needed less often, behind a button. */
function FilterMenu({ kind, state, filters }: Props) {
  const more = moreFilters(kind, filters)
  if (more.length === 0) return null
  return (
    <Popover position="bottom-start" withArrow={false}>
      <Tooltip label={t(($) => $.lists.moreFilters)}>
        <Popover.Target>
          <ActionIcon variant="default" size={36} aria-label={t(($) => $.lists.moreFilters)}>
            <IconFilter size={18} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown>
        <Stack gap="sm" w={260}>
          {more.map((filter) => (
            <ChoiceFilter key={filter.key} filter={filter} state={state} kind={kind} isWide />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

type OneProps = { filter: Filter; state: ListState; kind: ListKind }

function OneFilter({ filter, state, kind }: OneProps) {
  if ("isDate" in filter) return <DaysFilter name={filter.key} label={filter.label} state={state} />
  if (!("on" in filter)) return <ChoiceFilter filter={filter} state={state} kind={kind} />
  const { key, label, on } = filter
  return (
    <Checkbox
      label={label}
      checked={state.valueOf(key) === on}
      onChange={({ currentTarget }) => state.change({ [key]: currentTarget.checked ? on : null })}
      py={8}
    />
  )
}

/** The filters behind one button, which says how many are set. */
function FilterDrawer(props: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const count = new Set(
    Object.keys(props.state.given)
      .map((name) => name.replace(/\[.*/, ""))
      .filter((name) => !["sort", "order", "search"].includes(name)),
  ).size
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} />} onClick={open}>
        {count > 0 ? t(($) => $.lists.filtersSet, { shown: count }) : t(($) => $.lists.filters)}
      </Button>
      <Drawer opened={isOpen} onClose={close} title={t(($) => $.lists.filters)} position="bottom" size="auto">
        <Stack gap="sm">
          <Filters
            {...props}
            filters={[...props.filters, ...moreFilters(props.kind, props.filters)]}
            more={null}
          />
          <Button onClick={close}>{t(($) => $.lists.showResults)}</Button>
        </Stack>
      </Drawer>
    </>
  )
}

const ColumnsMenu = ({ columns, chosen, onToggle }: Pick<Props, "columns" | "chosen" | "onToggle">) => (
  <Menu closeOnItemClick={false} position="bottom-end">
    <Tooltip label={t(($) => $.lists.columns)}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t(($) => $.lists.chooseColumns)}>
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

type ChoiceProps = { filter: Choice; state: ListState; kind: ListKind; isWide?: boolean }

/** Filters by values. When it is opened, the server tells how many records have each. */
export function ChoiceFilter({ filter, state, kind, isWide = false }: ChoiceProps) {
  const { key, label } = filter
  const [isOpen, { open, close }] = useDisclosure()
  const value = chosenOf(filter, state)
  const counts = useCounts(kind, key, state.query, isOpen)
  const countOf = (option: string) => {
    const meant = meantBy(filter, option)
    return (counts ?? []).reduce(
      (sum, { value: each, count }) => sum + (meant.includes(String(each)) ? count : 0),
      0,
    )
  }
  return (
    <MultiSelect
      aria-label={label}
      placeholder={value.length > 0 ? undefined : label}
      data={optionsWith(kind, filter, value, counts)}
      value={value}
      onChange={(next) => choose(filter, next, state)}
      onDropdownOpen={open}
      onDropdownClose={close}
      renderOption={({ option, checked }) => (
        <Group justify="space-between" wrap="nowrap" w="100%" gap="xs" fw={checked ? 600 : undefined}>
          <span style={{ overflowWrap: "anywhere" }}>{option.label}</span>
          {counts && <span className="figures">{number(countOf(option.value))}</span>}
        </Group>
      )}
      comboboxProps={{ width: "max-content", position: "bottom-start", withinPortal: !isWide }}
      // Texts can have many values.
      searchable={kinds[kind].choices[key] === undefined}
      styles={{ inputField: { minWidth: 24 } }}
      nothingFoundMessage={t(($) => $.lists.noValues)}
      clearable
      w={isWide ? "100%" : { base: "100%", xs: value.length > 0 ? 190 : 170 }}
    />
  )
}

/** The filters of a list on a phone, where their inputs are behind a button. Each can be removed. */
function FilterChips({ state, filters, ...others }: Props) {
  const chips = filters.flatMap((filter) => {
    const text = inWords(filter, state, others.kind)
    return text === null ? [] : [{ key: filter.key, text, parameters: parametersOf(filter) }]
  })
  return (
    <Group gap="xs" w="100%">
      {chips.map(({ key, text, parameters }) => (
        <FilterChip key={key} size="sm" state={state} parameters={parameters}>
          {text}
        </FilterChip>
      ))}
      <UrlFilters state={state} filters={filters} {...others} />
    </Group>
  )
}

/** Status: Draft, Submitted. Null if the filter is not set. */
function inWords(filter: Filter, state: ListState, kind: ListKind): string | null {
  if ("on" in filter) return state.valueOf(filter.key) === filter.on ? filter.label : null
  if ("isDate" in filter) {
    const days = daysInWords(filter.key, state)
    return days === "" ? null : `${filter.label}: ${days}`
  }
  const values = chosenOf(filter, state)
  if (values.length === 0) return null
  const options = optionsWith(kind, filter, values)
  const labels = values.map((value) => options.find((each) => each.value === value)?.label ?? value)
  return `${filter.label}: ${labels.join(", ")}`
}

type Range = [string | null, string | null]

/** Returns an empty text without a range, so that the placeholder is visible. */
const daysOf = ([from, to]: Range) => (from ? `${date(from)} – ${to ? date(to) : ""}` : "")

const rangeOf = (name: string, state: ListState): Range => [
  toDay(state.valueOf(`${name}[gte]`)),
  toDay(state.valueOf(`${name}[lte]`)),
]

/** The range of days that a list is filtered by; empty without one. */
const daysInWords = (name: string, state: ListState): string => daysOf(rangeOf(name, state))

/** Filters by a range of days, which is picked in a calendar or from a list of common periods. */
function DaysFilter({ name, label, state }: { name: string; label: string; state: ListState }) {
  const { today } = useMe().company
  const given = rangeOf(name, state)
  const [value, setValue] = useState(given)
  useEffect(() => setValue([given[0], given[1]]), [given[0], given[1]])
  const pick = ([from, to]: Range) => {
    setValue([from, to])
    // The user has picked only the first day of the range so far.
    if (from && !to) return
    // Timestamps are shown in the user's time zone, so they are filtered by the user's day. Plain dates do not shift.
    const edges = isMoment(name)
      ? [instantOf(from, "00:00:00.000"), instantOf(to, "23:59:59.999")]
      : [from, to]
    state.change({ [`${name}[gte]`]: edges[0] ?? null, [`${name}[lte]`]: edges[1] ?? null })
  }
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      aria-label={value[0] ? `${label}: ${daysOf(value)}` : label}
      valueFormatter={() => daysOf(value)}
      placeholder={label}
      value={value}
      onChange={pick}
      presets={presetsOf(isMoment(name) ? localDay(clock.business()) : today)}
      clearable
      w={{ base: "100%", xs: value[0] ? 250 : 152 }}
    />
  )
}

const presetsOf = (today: string) =>
  datePresets(today).map(({ period, value }) => ({ label: t(($) => $.lists.period[period]), value }))

const instantOf = (day: string | null, time: string): string | null => day && localMoment(day, time)

/** Returns a plain date unchanged, and a timestamp as the day in the user's time zone. */
const toDay = (value: string | null): string | null => (value?.includes("T") ? localDay(value) : value)

type Naming = { title: string; name: string; onName: (name: string) => void }

/** The saved views of a list: shows, saves, renames and deletes them. */
function ViewsMenu(views: Views) {
  const { current, save, rename, remove, share, mayShare } = views
  const [naming, setNaming] = useState<Naming | null>(null)
  const askRemove = async () => {
    if (!current) return
    const title = t(($) => $.lists.confirmDeleteView, { name: current.name })
    if (await confirm({ title, action: t(($) => $.lists.deleteView) })) void remove(current)
  }
  const askNew = () =>
    setNaming({ title: t(($) => $.lists.saveView), name: "", onName: (name) => void save(name) })
  const askName = () =>
    current &&
    setNaming({
      title: t(($) => $.lists.renameView),
      name: current.name,
      onName: (name) => void rename(current, name),
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} />} px="sm" maw={220}>
            {current?.name ?? t(($) => $.lists.views)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Names {...views} />
          <Menu.Item onClick={askNew}>{t(($) => $.lists.saveThisView)}</Menu.Item>
          {current?.isChangeable && (
            <Changes name={current.name} onRename={askName} onRemove={askRemove}>
              {mayShare && (
                <Menu.Item onClick={() => void share(current, !current.isShared)}>
                  {t(($) => (current.isShared ? $.lists.unshareNamed : $.lists.shareNamed), {
                    name: current.name,
                  })}
                </Menu.Item>
              )}
            </Changes>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && <NameDialog {...naming} onClose={() => setNaming(null)} />}
    </>
  )
}

const Names = ({ views, current, show }: Views) => (
  <>
    {views.map((view) => (
      <Menu.Item
        key={view.id}
        leftSection={<IconCheck size={16} visibility={view === current ? undefined : "hidden"} />}
        onClick={() => show(view)}
      >
        {view.name}
        {view.isShared && (
          <Text span size="xs" c="dimmed">
            {" "}
            {t(($) => $.lists.forEverybody)}
          </Text>
        )}
      </Menu.Item>
    ))}
    {views.length > 0 && <Menu.Divider />}
  </>
)

type ChangesProps = { name: string; onRename: () => void; onRemove: () => void; children: ReactNode }

const Changes = ({ name, onRename, onRemove, children }: ChangesProps) => (
  <>
    <Menu.Item onClick={onRename}>{t(($) => $.lists.renameNamed, { name })}</Menu.Item>
    {children}
    <Menu.Item onClick={onRemove}>{t(($) => $.lists.deleteNamed, { name })}</Menu.Item>
  </>
)

function NameDialog({ title, name, onName, onClose }: Naming & { onClose: () => void }) {
  const [typed, setTyped] = useState(name)
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onName(typed.trim())
          onClose()
        }}
      >
        <TextInput
          label={t(($) => $.common.name)}
          description={t(($) => $.lists.viewHint)}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          maxLength={60}
          data-autofocus
          mb="md"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(($) => $.common.cancel)}
          </Button>
          <Button type="submit" disabled={typed.trim() === ""}>
            {t(($) => $.lists.saveView)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
