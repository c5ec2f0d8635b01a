import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { Link } from "wouter"
import type { Kind, Kinds } from "../api/types"
import { Page } from "../parts/page"
import { BulkBar, type BulkAction } from "./bulk-bar"
import { useColumns, type Column } from "./columns"
import type { Filter } from "./filters"
import { ListBody, More, Nothing } from "./list-body"
import { useListState, type ListState } from "./list-state"
import { ListTable } from "./list-table"
import { ListToolbar } from "./list-toolbar"
import { useRows } from "./use-rows"

type Props<K extends Kind> = {
  kind: K
  title: string
  /** The singular, for messages: "item". */
  noun: string
  columns: Column<Kinds[K]>[]
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
export function RecordList<K extends Kind>(props: Props<K>) {
  const { kind, title, columns, filters = [], hasSearch = true, create } = props
  const state = useListState(props.sort?.key ?? "createdAt", props.sort?.order ?? "desc", props.fixed)
  const { shown, chosen, toggle } = useColumns(kind, columns)
  const createButton = create && <CreateButton {...create} />
  return (
    <Page
      title={title}
      actions={
        <>
          {props.actions}
          {createButton}
        </>
      }
    >
      {props.children}
      <ListToolbar
        state={state}
        filters={filters}
        hasSearch={hasSearch}
        title={title}
        columns={columns}
        chosen={chosen}
        onToggle={toggle}
        describe={props.describe}
      />
      <Rows {...props} columns={shown} state={state} createButton={createButton} />
    </Page>
  )
}

const CreateButton = ({ label, href, onClick }: { label: string; href?: string; onClick?: () => void }) => (
  <Button leftSection={<IconPlus size={16} />} {...(href ? { component: Link, href } : { onClick })}>
    {label}
  </Button>
)

type RowsProps<K extends Kind> = Props<K> & { state: ListState; createButton: ReactNode }

/** The rows that match the toolbar, and the bulk actions for the selected rows. */
function Rows<K extends Kind>({ state, columns, createButton, ...props }: RowsProps<K>) {
  const { noun, nameOf, hrefOf, onOpen, bulk = [] } = props
  const { list, rows, total, selected, select, picked } = useRows(props.kind, state.query, props.path)
  const nothing = (
    <Nothing noun={noun} intro={props.intro} isNarrowed={state.isNarrowed} onClear={state.clear}>
      {createButton}
    </Nothing>
  )
  const clear = () => select(new Set())
  return (
    <>
      {picked.length > 0 && (
        <BulkBar rows={picked} columns={columns} noun={noun} actions={bulk} nameOf={nameOf} onDone={clear} />
      )}
      <ListBody list={list} isEmpty={rows.length === 0} nothing={nothing}>
        <ListTable
          rows={rows}
          columns={columns}
          state={state}
          nameOf={nameOf}
          hrefOf={hrefOf}
          onOpen={onOpen}
          selected={selected}
          onSelect={select}
          caption={props.title}
        />
        <More shown={rows.length} total={total} list={list} />
      </ListBody>
    </>
  )
}
