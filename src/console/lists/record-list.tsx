import { Button, Group, NativeSelect, Table, Text, UnstyledButton } from "@mantine/core"
import { IconArrowsSort, IconPlus, IconSortAscending, IconSortDescending } from "../parts/icons"
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from "react"
import { Link, useLocation } from "wouter"
import type { Kinds } from "../api/types"
import type { ListKind } from "../kinds"
import type { Import } from "../../kinds"
import { ImportButton } from "../parts/import-button"
import { Page } from "../parts/page"
import { BulkBar, type BulkEdit } from "./bulk-bar"
import type { BulkAction } from "./bulk-run"
import { type Column, useColumns, useViews } from "./columns"
import { type Exporting, ExportProgress, useExport } from "./export-menu"
import { type Filter, type ListState, useListState } from "./filters"
import {
  ListBody,
  type ListProps,
  More,
  Nothing,
  Opener,
  type PhoneLines,
  type Row,
  SelectAll,
  SelectOne,
} from "./list-body"
import { ListToolbar } from "./list-toolbar"
import { useIsNarrow, useRows, useSums } from "./use-rows"
import { t } from "../texts"

type Props<K extends ListKind> = {
  kind: K
  title: string
  columns: Column<Kinds[K]>[]
  /** The two lines of a record on a phone. */
  phone: PhoneLines<Kinds[K]>
  filters?: Filter[]
  sort?: { key: keyof Kinds[K] & string; order: "asc" | "desc" }
  /** False if the list has no search. */
  hasSearch?: boolean
  nameOf: (row: Kinds[K]) => string
  /** The page that a row opens. */
  hrefOf?: (row: Kinds[K]) => string
  /** Opens a row, if it has no page. */
  onOpen?: (row: Kinds[K]) => void
  /** The button that creates a record, if the user has the right. */
  create?: { label: string; href?: string; onClick?: () => void } | false
  bulk?: BulkAction<Kinds[K]>[]
  /** The fields of a record that the bulk actions and `nameOf` need. Without them, whole records are read. */
  bulkFields?: readonly (keyof Kinds[K] & string)[]
  /** More controls for the selected records. */
  bulkEdit?: (given: BulkEdit<Kinds[K]>) => ReactNode
  /** The help text of the empty list. */
  intro?: string
  /** Parameters of every request. */
  fixed?: Record<string, string>
  /** The API path, if it is not the path of the kind. */
  path?: string
  /** The import that brings such records, which the list and its empty state offer. */
  imports?: Import["kind"]
  /** More buttons next to the create button. */
  actions?: ReactNode
  /** Describes a parameter of the URL, if its value is not readable, such as an id. */
  describe?: (name: string, value: string) => string | undefined
  /** Content between the title and the list. */
  children?: ReactNode
}

/** A list of records with search as you type, filters, sorting, a choice of columns, and paging by cursor. */
export function RecordList<K extends ListKind>(props: Props<K>) {
  const { kind, title, columns, filters = [], hasSearch = true, create } = props
  const state = useListState(props.sort?.key ?? "createdAt", props.sort?.order ?? "desc", props.fixed)
  const { shown, toggle, ...choice } = useColumns(kind, columns)
  const views = useViews(kind, state, choice)
  const exporting = useExport(kind, state.query)
  const createButton = create && <CreateButton {...create} />
  const others = (
    <>
      {props.actions}
      {props.imports && <ImportButton kind={props.imports} />}
    </>
  )
  return (
    <Page title={title} actions={<ListActions others={others} primary={createButton} />}>
      <div className="list-page">
        {props.children}
        <ListToolbar
          state={state}
          filters={filters}
          hasSearch={hasSearch}
          kind={kind}
          columns={columns}
          chosen={choice.chosen}
          onToggle={toggle}
          views={views}
          exporting={exporting}
          describe={props.describe}
        />
        <ExportProgress exporting={exporting} />
        <Rows {...props} shown={shown} state={state} createButton={createButton} exporting={exporting} />
      </div>
    </Page>
  )
}

/** The buttons of a list. On a phone the primary one stays at the bottom of the screen. */
function ListActions({ others, primary }: { others: ReactNode; primary: ReactNode }) {
  const isNarrow = useIsNarrow()
  return (
    <>
      {others}
      {primary && (isNarrow ? <div className="bottom-action">{primary}</div> : primary)}
    </>
  )
}

const CreateButton = ({ label, href, onClick }: { label: string; href?: string; onClick?: () => void }) => (
  <Button leftSection={<IconPlus size={16} />} {...(href ? { component: Link, href } : { onClick })}>
    {label}
  </Button>
)

type RowsProps<K extends ListKind> = Props<K> & {
  shown: Column<Kinds[K]>[]
  state: ListState
  createButton: ReactNode
  exporting: Exporting
}

/** The rows that match the toolbar, and the bulk actions for the selected rows. */
function Rows<K extends ListKind>({ state, shown, createButton, exporting, ...props }: RowsProps<K>) {
  const { kind, nameOf } = props
  const { list, rows, total, selected, select, selection } = useRows(kind, state.query, props.path)
  const sums = useSums(kind, state.query, shown, total)
  const nothing = (
    <Nothing kind={kind} intro={props.intro} isNarrowed={state.isNarrowed} onClear={state.clear}>
      <Group gap="xs" justify="center">
        {createButton}
        {props.imports && <ImportButton kind={props.imports} label={t(($) => $.parts.importFile)} />}
      </Group>
    </Nothing>
  )
  return (
    <>
      <BulkBar
        kind={kind}
        query={state.query}
        selection={selection}
        actions={props.bulk ?? []}
        fields={props.bulkFields}
        edit={props.bulkEdit}
        nameOf={nameOf}
        exporting={exporting}
      />
      <ListBody list={list} isEmpty={rows.length === 0} nothing={nothing}>
        <ListTable
          {...props}
          rows={rows}
          columns={shown}
          allColumns={props.columns}
          state={state}
          selected={selected}
          onSelect={select}
          caption={props.title}
          sums={sums}
        />
        <More shown={rows.length} total={total} list={list} />
      </ListBody>
    </>
  )
}

/** The rows as a table or, on narrow screens, with two lines each. */
function ListTable<T extends Row>(props: ListProps<T>) {
  return useIsNarrow() ? <PhoneList {...props} /> : <WideTable {...props} />
}

/** A list for narrow screens, with two lines per record, or more if the details need them. */
function PhoneList<T extends Row>(props: ListProps<T>) {
  const { rows, allColumns, state, selected, onSelect, sums } = props
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <SortSelect columns={allColumns} state={state} />
        {onSelect && (
          <SelectAll
            label={t(($) => $.lists.all)}
            labelPosition="left"
            rows={rows}
            selected={selected}
            onSelect={onSelect}
          />
        )}
      </Group>
      <ul className="phone-list" aria-label={props.caption}>
        {rows.map((row) => (
          <PhoneRow key={row.id} {...props} row={row} />
        ))}
      </ul>
      {sums?.isExplained && (
        <Text size="sm" c="dimmed" mt={4}>
          {sums.label}
        </Text>
      )}
      {sums &&
        allColumns
          .filter(({ key }) => sums.amounts[key] !== undefined)
          .map(({ key, title }) => (
            <Group key={key} justify="space-between" mt={4} fz="sm" fw={600}>
              <span>{t(($) => $.lists.sum, { title })}</span>
              <span className="figures">{sums.amounts[key]}</span>
            </Group>
          ))}
    </>
  )
}

/** The sort options of a list without column headers. */
function SortSelect<T>({ columns, state }: { columns: Column<T>[]; state: ListState }) {
  const choices = columns
    .filter(({ sorts = true }) => sorts)
    .flatMap(({ key, title }) => [
      { value: `${key} asc`, label: t(($) => $.lists.ascending, { title }) },
      { value: `${key} desc`, label: t(($) => $.lists.descending, { title }) },
    ])
  const sorted = `${state.sort} ${state.order}`
  const isListed = choices.some(({ value }) => value === sorted)
  return (
    <NativeSelect
      aria-label={t(($) => $.lists.sortBy)}
      data={isListed ? choices : [{ value: sorted, label: t(($) => $.lists.sortByHint) }, ...choices]}
      value={sorted}
      onChange={({ currentTarget: { value } }) => {
        const [sort = "", order = ""] = value.split(" ")
        state.change({ sort, order })
      }}
    />
  )
}

function PhoneRow<T extends Row>({ row, ...props }: ListProps<T> & { row: T }) {
  const { allColumns, phone, nameOf, hrefOf, onOpen, selected, onSelect } = props
  const [, go] = useLocation()
  const open = () => (hrefOf ? go(hrefOf(row)) : onOpen?.(row))
  const show = (key: string) => allColumns.find((column) => column.key === key)?.show(row)
  const line = phone.line.map((key) => ({ key, shown: show(key) })).filter(({ shown }) => shown !== "–")
  return (
    <li
      className={selected.has(row.id) ? "is-selected" : undefined}
      onClick={({ target }) =>
        target instanceof Element && target.closest("a, button, input, label") === null && open()
      }
    >
      {onSelect && <SelectOne row={row} name={nameOf(row)} selected={selected} onSelect={onSelect} />}
      <div className="phone-lines">
        <div className="phone-line">
          <Text span fw={600} truncate>
            <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
              {show(phone.title)}
            </Opener>
          </Text>
          {phone.amount && (
            <Text span className="figures" style={{ whiteSpace: "nowrap" }}>
              {phone.amount(row)}
            </Text>
          )}
        </div>
        <Text size="sm" c="dimmed" component="div" className="phone-details">
          {line.map(({ key, shown }) => (
            <span key={key}>{shown}</span>
          ))}
        </Text>
      </div>
    </li>
  )
}

/** A list as a table, with one row per record. It scrolls by itself, so that its header and its sums stay visible. */
function WideTable<T extends Row>(props: ListProps<T>) {
  const { rows, columns, state, hrefOf, onOpen, selected, onSelect, caption } = props
  const [, go] = useLocation()
  const open = (row: T) => (hrefOf ? go(hrefOf(row)) : onOpen?.(row))
  const scroll = useRoomForFigures(rows, columns)
  return (
    <div ref={scroll} className="list-scroll" tabIndex={0} role="region" aria-label={caption}>
      <Table highlightOnHover stickyHeader horizontalSpacing={8} className="list-table">
        <Table.Thead>
          <Table.Tr>
            {onSelect && (
              <Table.Th w={40}>
                <SelectAll rows={rows} selected={selected} onSelect={onSelect} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} state={state} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onMouseOver={showWhole}>
          {rows.map((row) => (
            <TableRow key={row.id} {...props} row={row} open={open} />
          ))}
        </Table.Tbody>
        <SumRow {...props} />
      </Table>
    </div>
  )
}

/** How long the texts of a list may be, in rem, the longest first. */
const textLengths = [18, 14, 11, 9]

/** Cuts off long texts as far as the columns behind them would not fit otherwise: figures are never cut off for a name. */
function useRoomForFigures(rows: unknown, columns: readonly { key: string }[]) {
  const scroll = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = scroll
    if (!current) return
    const fit = () => {
      for (const length of textLengths) {
        current.style.setProperty("--longest-text", `${length}rem`)
        if (current.scrollWidth <= current.clientWidth) return
      }
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(current)
    return () => observer.disconnect()
  }, [rows, columns.map(({ key }) => key).join(" ")])
  return scroll
}

/** Shows the whole text of a cell that is cut off, when the pointer is on it. */
function showWhole({ target }: MouseEvent): void {
  const cell = target instanceof Element ? target.closest("td") : null
  if (!cell) return
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText
  else cell.removeAttribute("title")
}

type RowProps<T> = ListProps<T> & { row: T; open: (row: T) => void }

function TableRow<T extends Row>({ row, open, ...props }: RowProps<T>) {
  const { columns, nameOf, hrefOf, onOpen, selected, onSelect } = props
  return (
    <Table.Tr
      className={hrefOf || onOpen ? "clickable" : undefined}
      bg={selected.has(row.id) ? "var(--mantine-primary-color-light)" : undefined}
      onClick={(event) => isPlain(event.target) && open(row)}
    >
      {onSelect && (
        <Table.Td>
          <SelectOne row={row} name={nameOf(row)} selected={selected} onSelect={onSelect} />
        </Table.Td>
      )}
      {columns.map((column, i) => (
        <Table.Td key={column.key} className={column.isNumber ? "right" : undefined}>
          {i === 0 ? (
            <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
              {column.show(row)}
            </Opener>
          ) : (
            column.show(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

/** The sums of the amounts, below their columns. The columns before the first sum say what is added up. */
function SumRow<T extends Row>({ columns, sums, onSelect }: ListProps<T>) {
  const first = columns.findIndex(({ key }) => sums?.amounts[key] !== undefined)
  if (!sums || first < 0) return null
  return (
    <Table.Tfoot>
      <Table.Tr>
        {onSelect && <Table.Td />}
        {first > 0 && <Table.Td colSpan={first}>{sums.label}</Table.Td>}
        {columns.slice(first).map(({ key, isNumber }) => (
          <Table.Td key={key} className={isNumber ? "right" : undefined}>
            {sums.amounts[key]}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  )
}

function HeaderCell<T>({ column, state }: { column: Column<T>; state: ListState }) {
  const { key, title, isNumber, sorts = true } = column
  const isSorted = state.sort === key
  const Icon = !isSorted ? IconArrowsSort : state.order === "asc" ? IconSortAscending : IconSortDescending
  const sorted = state.order === "asc" ? "ascending" : "descending"
  return (
    <Table.Th className={isNumber ? "right" : undefined} aria-sort={isSorted ? sorted : undefined}>
      {sorts ? (
        <UnstyledButton onClick={() => state.sortBy(key)} fw="inherit" fz="inherit">
          <Group gap={4} wrap="nowrap" display="inline-flex">
            {title}
            <Icon size={14} opacity={isSorted ? 1 : 0.4} />
          </Group>
        </UnstyledButton>
      ) : (
        title
      )}
    </Table.Th>
  )
}

/** Returns whether a click was on the row itself, and not on a link, button or input in it. */
const isPlain = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label, [role=menuitem]") === null
