import { ActionIcon, Button, Checkbox, Drawer, Group, Menu, MultiSelect, Stack, Tooltip } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconColumns3, IconFilter, IconFilterOff } from "../parts/icons"
import type { ListKind } from "../kinds"
import { t } from "../texts"
import { DaysFilter } from "./days-filter"
import { ExportList } from "./export-list"
import { FilterChips } from "./filter-chips"
import type { Choice, Filter } from "./filters"
import type { ListState } from "./list-state"
import { SearchBox } from "./search-box"
import type { Exporting } from "./use-export"
import { UrlFilters } from "./url-filters"
import { useIsNarrow } from "./use-is-narrow"
import type { Views } from "./use-views"
import { ViewsMenu } from "./views-menu"

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
      {isNarrow ? <FilterDrawer {...props} /> : <Filters {...props} />}
      <Group gap="xs" ml="auto" wrap="nowrap">
        <ViewsMenu {...views} />
        <ExportList exporting={exporting} />
        {!isNarrow && <ColumnsMenu columns={columns} chosen={chosen} onToggle={onToggle} />}
      </Group>
      {isNarrow && state.isNarrowed && <FilterChips {...props} />}
    </Group>
  )
}

const Filters = ({ state, filters, hasSearch, describe }: Props) => (
  <>
    {filters.map((filter) => (
      <OneFilter key={filter.key} filter={filter} state={state} />
    ))}
    <UrlFilters state={state} filters={filters} hasSearch={hasSearch} describe={describe} />
    {state.isNarrowed && (
      <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={state.clear}>
        {t(($) => $.lists.clearFilters)}
      </Button>
    )}
  </>
)

function OneFilter({ filter, state }: { filter: Filter; state: ListState }) {
  if ("isDate" in filter) return <DaysFilter name={filter.key} label={filter.label} state={state} />
  if (!("on" in filter)) return <ChoiceFilter filter={filter} state={state} />
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
          <Filters {...props} />
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
      w={{ base: "100%", xs: value.length > 0 ? 190 : 160 }}
    />
  )
}
