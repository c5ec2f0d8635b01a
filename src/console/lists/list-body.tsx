import {
  Alert,
  Anchor,
  Button,
  Center,
  Checkbox,
  type CheckboxProps,
  Group,
  Skeleton,
  Stack,
  Text,
  Title,
} from "@mantine/core"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { t } from "../texts"
import { Link } from "wouter"
import type { Column } from "./columns"
import type { ListState } from "./filters"
import type { Sums } from "./use-rows"

type Props = {
  list: {
    data: unknown
    error: unknown
    isError: boolean
    isPending: boolean
    refetch: () => unknown
  }
  /** The content of an empty list. */
  nothing: ReactNode
  isEmpty: boolean
  children: ReactNode
}

/** The rows, or the loading, error or empty state. */
export function ListBody({ list, nothing, isEmpty, children }: Props) {
  if (list.isError && !list.data) return <Failed error={list.error} onRetry={list.refetch} />
  if (list.isPending) return <ListSkeleton />
  return isEmpty ? nothing : children
}

const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Alert color="red" title={t(($) => $.lists.loadFailed)} role="alert">
    <Text size="sm" mb="sm">
      {messageOf(error)}
    </Text>
    <Button size="xs" variant="default" onClick={() => onRetry()}>
      {t(($) => $.common.tryAgain)}
    </Button>
  </Alert>
)

type NothingProps = {
  kind: ListKind
  intro?: string
  isNarrowed: boolean
  onClear: () => void
  children?: ReactNode
}

export function Nothing({ kind, intro, isNarrowed, onClear, children }: NothingProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={420}>
        <Title order={2} size="h4">
          {t(($) => (isNarrowed ? $.kinds[kind].none : $.kinds[kind].noneYet))}
        </Title>
        <Text c="dimmed" ta="center">
          {isNarrowed ? t(($) => $.lists.tryOther) : intro}
        </Text>
        {isNarrowed ? (
          <Button variant="default" onClick={onClear}>
            {t(($) => $.lists.showAll)}
          </Button>
        ) : (
          children
        )}
      </Stack>
    </Center>
  )
}

type MoreProps = {
  shown: number
  total: number
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The number of rows, and the button that loads more. */
export const More = ({ shown, total, list }: MoreProps) => (
  <Group justify="space-between" mt="md">
    <Text size="sm" c="dimmed" aria-live="polite">
      {t(($) => $.lists.shownOf, { shown: number(shown), total: number(total) })}
    </Text>
    {list.hasNextPage && (
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {t(($) => $.common.showMore)}
      </Button>
    )}
  </Group>
)

const rows = Array.from({ length: 12 }, (_, i) => i)

/** Grey bars in place of the rows, until they are loaded. */
const ListSkeleton = () => (
  <Stack gap={0} role="status" aria-label={t(($) => $.common.loading)}>
    {rows.map((i) => (
      <div key={i} className="skeleton-row">
        <Skeleton height={14} width={`${90 - (i % 4) * 10}%`} />
      </div>
    ))}
  </Stack>
)

export type Row = { id: string }

/** The two lines of a record on a phone. */
export type PhoneLines<T> = {
  /** The column that names the record. */
  title: keyof T & string
  amount?: (row: T) => ReactNode
  /** The columns of the second line. */
  line: (keyof T & string)[]
}

/** The props of a list, as a table or with two lines per record. */
export type ListProps<T> = {
  rows: T[]
  /** The columns that the user has chosen. */
  columns: Column<T>[]
  allColumns: Column<T>[]
  phone: PhoneLines<T>
  state: ListState
  nameOf: (row: T) => string
  hrefOf?: (row: T) => string
  onOpen?: (row: T) => void
  selected: ReadonlySet<string>
  onSelect?: (ids: ReadonlySet<string>) => void
  caption: string
  /** The written sums of all records that match. */
  sums: Sums
}

type OpenerProps<T> = Pick<ListProps<T>, "hrefOf" | "onOpen"> & { row: T; children: ReactNode }

/** The link or button in the first cell, which also opens the record by keyboard. */
export function Opener<T extends Row>({ row, hrefOf, onOpen, children }: OpenerProps<T>) {
  if (hrefOf)
    return (
      <Anchor component={Link} href={hrefOf(row)} inherit>
        {children}
      </Anchor>
    )
  if (onOpen)
    return (
      <Anchor component="button" type="button" onClick={() => onOpen(row)} ta="left" inherit>
        {children}
      </Anchor>
    )
  return children
}

type Selecting = {
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

export const SelectOne = ({ row, name, selected, onSelect }: Selecting & { row: Row; name: string }) => (
  <Checkbox
    aria-label={t(($) => $.lists.selectOne, { name })}
    checked={selected.has(row.id)}
    onChange={() => onSelect(selected.symmetricDifference(new Set([row.id])))}
  />
)

type AllProps = Selecting & { rows: Row[] } & Pick<CheckboxProps, "label" | "labelPosition">

export function SelectAll({ rows, selected, onSelect, ...label }: AllProps) {
  const isAll = rows.every(({ id }) => selected.has(id))
  return (
    <Checkbox
      {...label}
      aria-label={t(($) => $.lists.selectAll)}
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onSelect(new Set(isAll ? [] : rows.map(({ id }) => id)))}
    />
  )
}
