import {
  Anchor,
  Box,
  Card,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconArrowsSort, IconSortAscending, IconSortDescending } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { Link, useLocation } from "wouter"
import type { Column } from "./columns"
import type { ListState } from "./list-state"

type Row = { id: string }
type Props<T> = {
  rows: T[]
  columns: Column<T>[]
  state: ListState
  nameOf: (row: T) => string
  hrefOf?: (row: T) => string
  onOpen?: (row: T) => void
  selected: ReadonlySet<string>
  onSelect?: (ids: ReadonlySet<string>) => void
  caption: string
}

/** The rows as a table, or one under the other where the screen is narrow. */
export function ListTable<T extends Row>(props: Props<T>) {
  const isNarrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  return isNarrow ? <Cards {...props} /> : <WideTable {...props} />
}

function WideTable<T extends Row>(props: Props<T>) {
  const { rows, columns, state, nameOf, hrefOf, onOpen, selected, onSelect, caption } = props
  const [, go] = useLocation()
  const isAll = rows.every(({ id }) => selected.has(id))
  const open = (row: T) => (hrefOf ? go(hrefOf(row)) : onOpen?.(row))
  return (
    <Table.ScrollContainer
      minWidth={500}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": caption } }}
    >
      <Table highlightOnHover verticalSpacing="xs" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {onSelect && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label="Select all"
                  checked={isAll}
                  indeterminate={!isAll && selected.size > 0}
                  onChange={() => onSelect(new Set(isAll ? [] : rows.map(({ id }) => id)))}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} state={state} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={row.id}
              className={hrefOf || onOpen ? "clickable" : undefined}
              bg={selected.has(row.id) ? "var(--mantine-primary-color-light)" : undefined}
              onClick={(event) => isPlain(event.target) && open(row)}
            >
              {onSelect && (
                <Table.Td>
                  <Pick row={row} name={nameOf(row)} selected={selected} onSelect={onSelect} />
                </Table.Td>
              )}
              {columns.map((column, i) => (
                <Table.Td
                  key={column.key}
                  className={column.isNumber ? "right" : column.isWhole ? "whole" : undefined}
                >
                  {i === 0 ? (
                    <Opener {...props} row={row}>
                      {column.show(row)}
                    </Opener>
                  ) : (
                    column.show(row)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Cards<T extends Row>(props: Props<T>) {
  const { rows, columns, state, nameOf, selected, onSelect } = props
  const [first, ...rest] = columns
  const isAll = rows.every(({ id }) => selected.has(id))
  const sorting = columns
    .filter(({ sorts = true }) => sorts)
    .flatMap(({ key, title }) => [
      { value: `${key} asc`, label: `${title}, rising` },
      { value: `${key} desc`, label: `${title}, falling` },
    ])
  const sorted = `${state.sort} ${state.order}`
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <NativeSelect
          aria-label="Sort by"
          data={
            sorting.some(({ value }) => value === sorted)
              ? sorting
              : [{ value: sorted, label: "Sort by…" }, ...sorting]
          }
          value={sorted}
          onChange={({ currentTarget: { value } }) => {
            const [sort = "", order = ""] = value.split(" ")
            state.change({ sort, order })
          }}
        />
        {onSelect && (
          <Checkbox
            label="All"
            aria-label="Select all"
            labelPosition="left"
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            onChange={() => onSelect(new Set(isAll ? [] : rows.map(({ id }) => id)))}
          />
        )}
      </Group>
      {rows.map((row) => (
        <Card key={row.id} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap" align="start">
            <Box fw={600} miw={0}>
              <Opener {...props} row={row}>
                {first?.show(row)}
              </Opener>
            </Box>
            {onSelect && <Pick row={row} name={nameOf(row)} selected={selected} onSelect={onSelect} />}
          </Group>
          {rest.map(({ key, title, show }) => (
            <Group key={key} justify="space-between" gap="md" wrap="nowrap" mt={4}>
              <Text size="sm" c="dimmed">
                {title}
              </Text>
              <Box ta="right" fz="sm" miw={0}>
                {show(row)}
              </Box>
            </Group>
          ))}
        </Card>
      ))}
    </Stack>
  )
}

/** The first cell is the way in, for the keyboard too. */
function Opener<T extends Row>({
  row,
  hrefOf,
  onOpen,
  children,
}: Pick<Props<T>, "hrefOf" | "onOpen"> & { row: T; children: ReactNode }) {
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

type PickProps = {
  row: Row
  name: string
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

const Pick = ({ row, name, selected, onSelect }: PickProps) => (
  <Checkbox
    aria-label={`Select ${name}`}
    checked={selected.has(row.id)}
    onChange={() => onSelect(selected.symmetricDifference(new Set([row.id])))}
  />
)

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

/** Whether a click was on the row itself, and not on something in it that does its own thing. */
const isPlain = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label, [role=menuitem]") === null
