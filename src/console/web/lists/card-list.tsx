import { Box, Card, Group, NativeSelect, Stack, Text } from "@mantine/core"
import type { Column } from "./columns"
import { Opener, SelectAll, SelectOne, type ListProps, type Row } from "./list-cells"
import type { ListState } from "./list-state"

/** A list for narrow screens, with one card per record. */
export function CardList<T extends Row>(props: ListProps<T>) {
  const { rows, columns, state, selected, onSelect } = props
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <SortSelect columns={columns} state={state} />
        {onSelect && (
          <SelectAll label="All" labelPosition="left" rows={rows} selected={selected} onSelect={onSelect} />
        )}
      </Group>
      {rows.map((row) => (
        <RowCard key={row.id} {...props} row={row} />
      ))}
    </Stack>
  )
}

/** The sort options of the cards, which have no column headers. */
function SortSelect<T>({ columns, state }: { columns: Column<T>[]; state: ListState }) {
  const choices = columns
    .filter(({ sorts = true }) => sorts)
    .flatMap(({ key, title }) => [
      { value: `${key} asc`, label: `${title}, ascending` },
      { value: `${key} desc`, label: `${title}, descending` },
    ])
  const sorted = `${state.sort} ${state.order}`
  const isListed = choices.some(({ value }) => value === sorted)
  return (
    <NativeSelect
      aria-label="Sort by"
      data={isListed ? choices : [{ value: sorted, label: "Sort by…" }, ...choices]}
      value={sorted}
      onChange={({ currentTarget: { value } }) => {
        const [sort = "", order = ""] = value.split(" ")
        state.change({ sort, order })
      }}
    />
  )
}

function RowCard<T extends Row>({ row, ...props }: ListProps<T> & { row: T }) {
  const { columns, nameOf, hrefOf, onOpen, selected, onSelect } = props
  const [first, ...rest] = columns
  return (
    <Card withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Box fw={600} miw={0}>
          <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
            {first?.show(row)}
          </Opener>
        </Box>
        {onSelect && <SelectOne row={row} name={nameOf(row)} selected={selected} onSelect={onSelect} />}
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
  )
}
