import { Anchor, Checkbox, type CheckboxProps } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { t } from "../texts"
import type { Column } from "./columns"
import type { ListState } from "./filters"
import type { Sums } from "./use-sums"

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
