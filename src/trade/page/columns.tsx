import type { Kinds } from "../../console/api/types"
import { useMe } from "../../console/api/hooks"
import { money, number, price } from "../../console/format"
import type { ListKind } from "../../console/kinds"
import type { Column } from "../../console/lists/columns"
import { shown } from "../../console/parts/shown"
import { StatusBadge } from "../../console/parts/status-badge"
import { t as common } from "../../console/texts"
import { fieldName } from "../../console/texts/fields"

/** How a number is shown. */
const formats = {
  number: (value: number) => number(value),
  percent: (value: number) => `${number(value)} %`,
  money: (value: number) => <Amount value={value} format={money} />,
  price: (value: number) => <Amount value={value} format={price} />,
}

/** An amount in the currency of the company. */
const Amount = ({ value, format }: { value: number; format: typeof money }) =>
  format(value, useMe().company.currency)

/** A field, or a column that differs from what the name of its field says. */
type Given<T> =
  (keyof T & string) | (Partial<Column<T>> & { key: keyof T & string; as?: keyof typeof formats })

/**
 * The columns of a list from the names of fields: those that it shows, and `more` that are hidden by default. The title is
 * the name of the field, and the value is shown as its name and type say. A number needs `as`.
 */
export const columnsOf = <K extends ListKind>(
  kind: K,
  standard: readonly Given<Kinds[K]>[],
  more: readonly Given<Kinds[K]>[],
): Column<Kinds[K]>[] => [
  ...standard.map((given) => columnOf(kind, given)),
  ...more.map((given) => ({ ...columnOf(kind, given), isExtra: true })),
]

function columnOf<T>(kind: ListKind, given: Given<T>): Column<T> {
  const { as, ...column } = typeof given === "string" ? { key: given } : given
  const { key } = column
  return {
    title: titleOf(kind, key),
    ...(as && { isNumber: true }),
    show: (row) => {
      const value = row[key]
      return as && typeof value === "number" ? formats[as](value) : inCell(kind, key, value)
    },
    ...column,
  }
}

/** A list has little space, so some titles are shorter than the names of their fields. */
function titleOf(kind: ListKind, field: string): string {
  if (field === "isActive") return common(($) => $.common.status)
  return field === "updatedAt" ? common(($) => $.common.updated) : fieldName(field, { of: kind })
}

function inCell(kind: ListKind, field: string, value: unknown) {
  if (field === "isActive") return <StatusBadge status={value ? "active" : "inactive"} />
  if (field === "status") return <StatusBadge status={value as string} />
  return shown(field, value, kind)
}
