import { Anchor, Badge, Group, Table, Text } from "@mantine/core"
import type { KeyboardEvent } from "react"
import { Link } from "wouter"
import type { Item } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { number } from "../../../console/format"
import { t } from "../../../console/texts"
import { differenceInWords } from "./difference"
import type { Counts } from "./use-counts"

type Props = { items: Item[]; counts: Counts; isReadOnly: boolean }

/** Items with their stock, and an input for the count of each. A phone shows only the stock on hand. */
export const OnHandTable = ({ items, counts, isReadOnly }: Props) => (
  <Table verticalSpacing={4} stickyHeader stickyHeaderOffset={56} aria-label={t(($) => $.stock.table)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.fields.item)}</Table.Th>
        <Table.Th className="right">{t(($) => $.stock.onHand)}</Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {t(($) => $.items.reserved)}
        </Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {t(($) => $.items.available)}
        </Table.Th>
        {!isReadOnly && (
          <Table.Th w={{ base: 100, sm: 150 }} className="right">
            {t(($) => $.stock.counted)}
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {items.map((item) => (
        <Row key={item.id} item={item} counts={counts} isReadOnly={isReadOnly} />
      ))}
    </Table.Tbody>
  </Table>
)

type RowProps = Omit<Props, "items"> & { item: Item }

const Row = ({ item, counts, isReadOnly }: RowProps) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      <Anchor component={Link} href={`/items/${item.id}`} size="sm">
        {item.itemName}
      </Anchor>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {item.itemCode}
        </Text>
        {item.isLowStock && (
          <Badge color="orange" variant="light" size="sm">
            {t(($) => $.items.low)}
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td className="right">
      <Anchor component={Link} href={`/stock/ledger?item=${item.id}`} inherit>
        {number(item.currentStock)} {item.uom}
      </Anchor>
    </Table.Td>
    <Table.Td className="right" visibleFrom="sm">
      {number(item.reservedStock)}
    </Table.Td>
    <Table.Td className="right" visibleFrom="sm">
      {number(item.availableStock)}
    </Table.Td>
    {!isReadOnly && (
      <Table.Td className="right">
        <Count item={item} counts={counts} />
      </Table.Td>
    )}
  </Table.Tr>
)

/** The input of a count, and its difference to the stock. Enter and Tab go to the count of the next item. */
function Count({ item, counts }: { item: Item; counts: Counts }) {
  const value = counts.countOf(item.id)
  const difference = differenceInWords(value, item.currentStock)
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end" align="start">
      {difference !== null && (
        <Text size="sm" className="figures" c="dimmed" mt={6}>
          {difference}
        </Text>
      )}
      <NumberField
        aria-label={t(($) => $.stock.countOf, { name: item.itemName })}
        data-count
        w={84}
        value={value}
        onChange={(next) => counts.set(item, next)}
        onKeyDown={goToNext}
        error={counts.errorOf(item.id)}
        styles={{ input: { textAlign: "right" }, error: { whiteSpace: "normal" } }}
      />
    </Group>
  )
}

/** Shift+Tab keeps its meaning, so that the links of each row can be reached from its count. */
function goToNext(event: KeyboardEvent<HTMLInputElement>): void {
  const { key, shiftKey, currentTarget } = event
  if (key !== "Enter" && (key !== "Tab" || shiftKey)) return
  const inputs = [...document.querySelectorAll<HTMLInputElement>("input[data-count]")]
  const next = inputs[inputs.indexOf(currentTarget) + 1]
  // From the last count, Tab goes to the button that saves.
  if (key === "Enter" || next) event.preventDefault()
  next?.focus()
}
