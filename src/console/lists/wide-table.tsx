import { Group, Table, UnstyledButton } from "@mantine/core"
import { IconArrowsSort, IconSortAscending, IconSortDescending } from "../parts/icons"
import type { MouseEvent } from "react"
import { useLocation } from "wouter"
import type { Column } from "./columns"
import { Opener, SelectAll, SelectOne, type ListProps, type Row } from "./list-cells"
import type { ListState } from "./list-state"

/** A list as a table, with one row per record. It scrolls by itself, so that its header and its sums stay visible. */
export function WideTable<T extends Row>(props: ListProps<T>) {
  const { rows, columns, state, hrefOf, onOpen, selected, onSelect, caption } = props
  const [, go] = useLocation()
  const open = (row: T) => (hrefOf ? go(hrefOf(row)) : onOpen?.(row))
  return (
    <div className="list-scroll" tabIndex={0} role="region" aria-label={caption}>
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
