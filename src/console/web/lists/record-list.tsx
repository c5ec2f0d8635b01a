import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useEffect, useState, type ReactNode } from "react"
import { Link } from "wouter"
import { messageOf } from "../api/client"
import { useList } from "../api/hooks"
import type { Kind, Kinds } from "../api/types"
import { number } from "../format"
import { Page } from "../parts/page"
import { BulkBar, type BulkAction } from "./bulk-bar"
import { useColumns, type Column } from "./columns"
import { useListState } from "./list-state"
import { ListTable } from "./list-table"
import { ListToolbar, type Filter } from "./list-toolbar"

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
  /** What the address asks for in words, where its own say nothing to people, as ids. */
  describe?: (name: string, value: string) => string | undefined
  /** What stands between the title and the list. */
  children?: ReactNode
}

/** A list of records: searched as one types, filtered, sorted, its columns chosen, and read on by cursor. */
export function RecordList<K extends Kind>(props: Props<K>) {
  const { kind, title, noun, columns, filters = [], hasSearch = true, nameOf, create, bulk = [] } = props
  const state = useListState(props.sort?.key ?? "createdAt", props.sort?.order ?? "desc", props.fixed)
  const { shown, chosen, toggle } = useColumns(kind, columns)
  const list = useList(kind, state.query, props.path)
  const rows = list.data?.pages.flatMap(({ data }) => data as Kinds[K][]) ?? []
  const total = list.data?.pages[0]?.meta?.total ?? rows.length
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const asked = JSON.stringify(state.query)
  useEffect(() => setSelected(new Set()), [asked])
  const picked = rows.filter(({ id }) => selected.has(id))

  const makeButton = create && (
    <Button
      leftSection={<IconPlus size={16} />}
      {...(create.href ? { component: Link, href: create.href } : { onClick: create.onClick })}
    >
      {create.label}
    </Button>
  )

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
        columns={columns.map(({ key, title: name }) => ({ key, title: name }))}
        chosen={chosen}
        onToggle={toggle}
        describe={props.describe}
      />
      {picked.length > 0 && (
        <BulkBar
          rows={picked}
          columns={shown}
          noun={noun}
          actions={bulk}
          nameOf={nameOf}
          onDone={() => setSelected(new Set())}
        />
      )}
      {list.isError && !list.data ? (
        <Alert color="red" title="This list cannot be shown" role="alert">
          <Text size="sm" mb="sm">
            {messageOf(list.error)}
          </Text>
          <Button size="xs" variant="default" onClick={() => list.refetch()}>
            Try again
          </Button>
        </Alert>
      ) : list.isPending ? (
        <Center h={240}>
          <Loader aria-label="Loading" />
        </Center>
      ) : rows.length === 0 ? (
        <Nothing noun={noun} intro={props.intro} isNarrowed={state.isNarrowed} onClear={state.clear}>
          {makeButton}
        </Nothing>
      ) : (
        <>
          <ListTable
            rows={rows}
            columns={shown}
            state={state}
            nameOf={nameOf}
            hrefOf={props.hrefOf}
            onOpen={props.onOpen}
            selected={selected}
            onSelect={setSelected}
            caption={title}
          />
          <Group justify="space-between" mt="md">
            <Text size="sm" c="dimmed" aria-live="polite">
              {number(rows.length)} of {number(total)}
            </Text>
            {list.hasNextPage && (
              <Button
                variant="default"
                loading={list.isFetchingNextPage}
                onClick={() => list.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </Group>
        </>
      )}
    </Page>
  )
}

type NothingProps = {
  noun: string
  intro?: string
  isNarrowed: boolean
  onClear: () => void
  children?: ReactNode
}

function Nothing({ noun, intro, isNarrowed, onClear, children }: NothingProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={420}>
        <Title order={2} size="h4">
          {isNarrowed ? `No ${noun} fits` : `No ${noun} yet`}
        </Title>
        <Text c="dimmed" ta="center">
          {isNarrowed ? "Try fewer words or other filters." : intro}
        </Text>
        {isNarrowed ? (
          <Button variant="default" onClick={onClear}>
            Show all
          </Button>
        ) : (
          children
        )}
      </Stack>
    </Center>
  )
}
