import { ActionIcon, Card, Group, NumberInput, SimpleGrid, Table, Text } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { memo, type KeyboardEvent } from "react"
import type { Item } from "../api/types"
import { money, number, separators } from "../format"
import { ItemPicker } from "./item-picker"
import type { LineValues } from "./line-values"
import { Note } from "./note"
import type { StockHint } from "./stock"

export type LinePart = "quantity" | "rate" | "discount"
export type LineActions = {
  set: (index: number, part: LinePart, value: number | string) => void
  pick: (index: number, item: Item) => void
  remove: (index: number) => void
  /** On to the next line; there is one more after the last. */
  next: (index: number) => void
}

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

export const inputId = (key: string, part: string) => `line-${key}-${part}`

/** One line. With hundreds of them, only those that differ from before are drawn again. */
export const LineRow = memo(
  function LineRow(props: Props) {
    const { isCard, index, line, amount, currency, actions } = props
    const place = index + 1
    const remove = (
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`Remove line ${place}`}
        onClick={() => actions.remove(index)}
      >
        <IconTrash size={18} />
      </ActionIcon>
    )
    const part = (name: LinePart, title: string) => <PartInput {...props} part={name} title={title} />
    if (isCard)
      return (
        <Card withBorder p="sm" component="section" aria-label={`Line ${place}`}>
          <Group justify="space-between" wrap="nowrap" mb={4}>
            <Text size="sm" fw={600}>
              Line {place}
            </Text>
            {remove}
          </Group>
          <ItemCell {...props} />
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
        <Table.Td>
          <ItemCell {...props} />
        </Table.Td>
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
  },
  (before, after) => JSON.stringify(before) === JSON.stringify(after),
)

const taxOf = ({ item, taxRate }: LineValues) => (item ? `${number(taxRate)} %` : "–")

function ItemCell({ isCard, index, line, hint, faults, actions }: Props) {
  return (
    <>
      <ItemPicker
        id={inputId(line.key, "item")}
        label={isCard ? "Item" : undefined}
        aria-label={isCard ? undefined : `Item, line ${index + 1}`}
        picked={line.item ? `${line.itemCode} · ${line.itemName}` : ""}
        error={faults["item"] ?? faults["id"]}
        onPick={(item) => actions.pick(index, item)}
      />
      {hint && !hint.isShort && (
        <Text size="xs" c="dimmed" mt={4}>
          {number(hint.available)} {hint.uom} available
        </Text>
      )}
      {hint?.isShort && (
        <Note>
          Only {number(hint.available)} {hint.uom} available
        </Note>
      )}
    </>
  )
}

type PartProps = Props & { part: LinePart; title: string }

function PartInput({ isCard, index, line, faults, actions, part, title }: PartProps) {
  const goOn = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    actions.next(index)
  }
  return (
    <NumberInput
      id={inputId(line.key, part)}
      label={isCard ? title : undefined}
      aria-label={isCard ? undefined : `${title}, line ${index + 1}`}
      value={line[part]}
      onChange={(value) => actions.set(index, part, value)}
      onKeyDown={goOn}
      error={faults[part]}
      placeholder={part === "rate" && line.item ? String(line.usualRate) : undefined}
      decimalScale={4}
      allowNegative={false}
      max={part === "discount" ? 100 : undefined}
      hideControls
      {...separators}
      selectAllOnFocus
      withKeyboardEvents={false}
    />
  )
}
