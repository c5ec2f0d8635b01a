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
  /** One of them, for sentences: "item". */
  noun: string
  columns: Column<Kinds[K]>[]
  filters?: Filter[]
  sort?: { key: keyof Kinds[K] & string; order: "asc" | "desc" }
  /** False where there is nothing to search by. */
  hasSearch?: boolean
  nameOf: (row: Kinds[K]) => string
  /** Where a row leads. */
  hrefOf?: (row: Kinds[K]) => string
  /** What a row opens instead of leading somewhere. */
  onOpen?: (row: Kinds[K]) => void
  /** How a new one is made, for those who may. */
  create?: { label: string; href?: string; onClick?: () => void } | false
  bulk?: BulkAction<Kinds[K]>[]
  /** What a first-time user should know while there is nothing. */
  intro?: string
  /** Parameters that are always sent. */
  fixed?: Record<string, string>
  /** The API path, where it is not the kind's own. */
  path?: string
  /** More buttons beside the one for a new record. */
  actions?: ReactNode
  /** A parameter of the address in words, where its value, such as an id, says nothing to people. */
  describe?: (name: string, value: string) => string | undefined
  /** What stands between the title and the list. */
  children?: ReactNode
}

/** A list of records: searched as one types, filtered, sorted, its columns chosen, and read on by cursor. */
export function RecordList<K extends Kind>(props: Props<K>) {
  const { kind, title, columns, filters = [], hasSearch = true, create } = props
  const state = useListState(props.sort?.key ?? "createdAt", props.sort?.order ?? "desc", props.fixed)
  const { shown, chosen, toggle } = useColumns(kind, columns)
  const makeButton = create && <MakeButton {...create} />
  return (
    <Page
      title={title}
      actions={
        <>
          {props.actions}
          {makeButton}
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
      <Rows {...props} columns={shown} state={state} makeButton={makeButton} />
    </Page>
  )
}

const MakeButton = ({ label, href, onClick }: { label: string; href?: string; onClick?: () => void }) => (
  <Button leftSection={<IconPlus size={16} />} {...(href ? { component: Link, href } : { onClick })}>
    {label}
  </Button>
)

type RowsProps<K extends Kind> = Props<K> & { state: ListState; makeButton: ReactNode }

/** The rows that the toolbar asks for, and what can be done with those that are selected. */
function Rows<K extends Kind>({ state, columns, makeButton, ...props }: RowsProps<K>) {
  const { noun, nameOf, hrefOf, onOpen, bulk = [] } = props
  const { list, rows, total, selected, select, picked } = useRows(props.kind, state.query, props.path)
  const nothing = (
    <Nothing noun={noun} intro={props.intro} isNarrowed={state.isNarrowed} onClear={state.clear}>
      {makeButton}
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
