import { Group, NativeSelect, Text } from "@mantine/core"
import { useLocation } from "wouter"
import { t } from "../texts"
import type { Column } from "./columns"
import { Opener, SelectAll, SelectOne, type ListProps, type Row } from "./list-cells"
import type { ListState } from "./list-state"

/** A list for narrow screens, with two lines per record, or more if the details need them. */
export function PhoneList<T extends Row>(props: ListProps<T>) {
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
      {sums?.hasLeftOut && (
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
