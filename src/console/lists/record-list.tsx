import { Button, Paper } from "@mantine/core"
import { IconPlus } from "../parts/icons"
import type { ReactNode } from "react"
import { Link } from "wouter"
import type { Kinds } from "../api/types"
import type { ListKind } from "../kinds"
import { Page } from "../parts/page"
import type { BulkAction } from "./bulk"
import { BulkBar, type BulkEdit } from "./bulk-bar"
import { useColumns, type Column } from "./columns"
import { ExportProgress } from "./export-menu"
import type { Filter } from "./filters"
import { ListBody, More, Nothing } from "./list-body"
import type { PhoneLines } from "./list-cells"
import { useListState, type ListState } from "./list-state"
import { ListTable } from "./list-table"
import { ListToolbar } from "./list-toolbar"
import { useExport, type Exporting } from "./use-export"
import { useIsNarrow } from "./use-is-narrow"
import { useRows } from "./use-rows"
import { useSums } from "./use-sums"
import { useViews } from "./use-views"

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
  return (
    <Page title={title} actions={<ListActions others={props.actions} primary={createButton} />}>
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
        {exporting.job && (
          <Paper withBorder p="xs" mb="sm">
            <ExportProgress {...exporting.job} />
          </Paper>
        )}
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
      {createButton}
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
