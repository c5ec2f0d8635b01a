import { Card, Group, SimpleGrid, Table, Text } from "@mantine/core"
import { memo } from "react"
import { money, number } from "../format"
import { ItemInput, PartInput, RemoveButton, type LineActions, type LinePart } from "./line-inputs"
import type { LineValues } from "./line-values"
import { Note } from "./note"
import type { StockHint } from "./stock"

type Props = {
  isCard: boolean
  index: number
  line: LineValues
  amount: number
  currency: string
  hint: StockHint
  /** What the server has said of parts of this line. */
  faults: Record<string, string>
  actions: LineActions
}

/** One line. With hundreds of them, only those that differ from before are drawn again, and of those only what differs. */
export const LineRow = memo(function LineRow({
  isCard,
  index,
  line,
  amount,
  currency,
  hint,
  faults,
  actions,
}: Props) {
  const place = index + 1
  const common = { isCard, index, lineKey: line.key, actions }
  const remove = <RemoveButton index={index} actions={actions} />
  const item = (
    <>
      <ItemInput
        {...common}
        picked={line.item ? `${line.itemCode} · ${line.itemName}` : ""}
        fault={faults["item"] ?? faults["id"]}
      />
      <Hint hint={hint} />
    </>
  )
  const part = (name: LinePart, title: string) => (
    <PartInput
      {...common}
      part={name}
      title={title}
      value={line[name]}
      usual={name === "rate" && line.item ? number(line.usualRate) : undefined}
      fault={faults[name]}
    />
  )
  if (isCard)
    return (
      <Card withBorder p="sm" component="section" aria-label={`Line ${place}`}>
        <Group justify="space-between" wrap="nowrap" mb={4}>
          <Text size="sm" fw={600}>
            Line {place}
          </Text>
          {remove}
        </Group>
        {item}
        <SimpleGrid cols={3} spacing="xs" mt="xs">
          {part("quantity", "Quantity")}
          {part("rate", "Rate")}
          {part("discount", "Discount %")}
        </SimpleGrid>
        <Group justify="space-between" mt="xs">
          <Text size="sm" c="dimmed">
            Tax {taxOf(line)}
          </Text>
          <Text size="sm" fw={600} className="figures">
            {money(amount, currency)}
          </Text>
        </Group>
      </Card>
    )
  return (
    <Table.Tr style={{ verticalAlign: "top" }}>
      <Table.Td>{item}</Table.Td>
      <Table.Td>{part("quantity", "Quantity")}</Table.Td>
      <Table.Td>{part("rate", "Rate")}</Table.Td>
      <Table.Td>{part("discount", "Discount %")}</Table.Td>
      <Table.Td className="right" pt="md">
        {taxOf(line)}
      </Table.Td>
      <Table.Td className="right" pt="md">
        {money(amount, currency)}
      </Table.Td>
      <Table.Td>{remove}</Table.Td>
    </Table.Tr>
  )
}, isSameRow)

/** The form copies every line at every key: they are compared by what is in them. */
function isSameRow(before: Props, after: Props): boolean {
  const { line, hint, faults, ...others } = before
  const { line: nextLine, hint: nextHint, faults: nextFaults, ...nextOthers } = after
  return (
    isShallowlySame(others, nextOthers) &&
    isShallowlySame(line, nextLine) &&
    isShallowlySame(hint ?? {}, nextHint ?? {}) &&
    isShallowlySame(faults, nextFaults)
  )
}

function isShallowlySame(a: object, b: object): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (one[name] !== other[name]) return false
  return true
}

const taxOf = ({ item, taxRate }: LineValues) => (item ? `${number(taxRate)} %` : "–")

const Hint = ({ hint }: { hint: StockHint }) =>
  hint &&
  (hint.isShort ? (
    <Note>
      Only {number(hint.available)} {hint.uom} available
    </Note>
  ) : (
    <Text size="xs" c="dimmed" mt={4}>
      {number(hint.available)} {hint.uom} available
    </Text>
  ))
