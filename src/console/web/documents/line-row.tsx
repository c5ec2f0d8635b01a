import { Card, Group, SimpleGrid, Table, Text } from "@mantine/core"
import { memo } from "react"
import { digitsOf, money, number } from "../format"
import { t } from "../texts"
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
  /** The server's errors for this line, by field. */
  errors: Record<string, string>
  actions: LineActions
}

/** One line. A document can have hundreds of lines, so only changed lines render again. */
export const LineRow = memo(function LineRow(props: Props) {
  return props.isCard ? <LineCard {...props} /> : <LineCells {...props} />
}, isSameRow)

function LineCard(props: Props) {
  const { index, line, amount, currency, actions } = props
  const title = t(($) => $.documents.line, { line: index + 1 })
  return (
    <Card withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <RemoveButton index={index} actions={actions} />
      </Group>
      <ItemPart {...props} />
      <SimpleGrid cols={3} spacing="xs" mt="xs">
        <NumberPart {...props} part="quantity" />
        <NumberPart {...props} part="rate" />
        <NumberPart {...props} part="discount" />
      </SimpleGrid>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="dimmed">
          {t(($) => $.documents.taxRateOf, { rate: taxOf(line) })}
        </Text>
        <Text size="sm" fw={600} className="figures">
          {money(amount, currency)}
        </Text>
      </Group>
    </Card>
  )
}

function LineCells(props: Props) {
  const { index, line, amount, currency, actions } = props
  return (
    <Table.Tr style={{ verticalAlign: "top" }}>
      <Table.Td>
        <ItemPart {...props} />
      </Table.Td>
      <Table.Td>
        <NumberPart {...props} part="quantity" />
      </Table.Td>
      <Table.Td>
        <NumberPart {...props} part="rate" />
      </Table.Td>
      <Table.Td>
        <NumberPart {...props} part="discount" />
      </Table.Td>
      <Table.Td className="right" pt="md">
        {taxOf(line)}
      </Table.Td>
      <Table.Td className="right" pt="md">
        {money(amount, currency)}
      </Table.Td>
      <Table.Td>
        <RemoveButton index={index} actions={actions} />
      </Table.Td>
    </Table.Tr>
  )
}

const ItemPart = ({ isCard, index, line, hint, errors, actions }: Props) => (
  <>
    <ItemInput
      isCard={isCard}
      index={index}
      lineKey={line.key}
      actions={actions}
      picked={line.item ? `${line.itemCode} · ${line.itemName}` : ""}
      error={errors["item"] ?? errors["id"]}
    />
    <Hint hint={hint} />
  </>
)

const NumberPart = ({ isCard, index, line, currency, errors, actions, part }: Props & { part: LinePart }) => (
  <PartInput
    isCard={isCard}
    index={index}
    lineKey={line.key}
    actions={actions}
    part={part}
    value={line[part]}
    placeholder={part === "rate" && line.item ? number(line.defaultRate) : undefined}
    digits={part === "rate" ? digitsOf(currency) : undefined}
    error={errors[part]}
  />
)

/** Compares rows by value, because the form copies every line at every keystroke. */
function isSameRow(before: Props, after: Props): boolean {
  const { line, hint, errors, ...others } = before
  const { line: nextLine, hint: nextHint, errors: nextErrors, ...nextOthers } = after
  return (
    isShallowlySame(others, nextOthers) &&
    isShallowlySame(line, nextLine) &&
    isShallowlySame(hint ?? {}, nextHint ?? {}) &&
    isShallowlySame(errors, nextErrors)
  )
}

function isShallowlySame(a: object, b: object): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (one[name] !== other[name]) return false
  return true
}

const taxOf = ({ item, taxRate }: LineValues) => (item ? `${number(taxRate)} %` : "–")

function shortageInWords({ available, uom }: NonNullable<StockHint>): string {
  if (available === 0) return t(($) => $.documents.noneAvailable)
  const quantity = number(Math.abs(available))
  return t(($) => (available > 0 ? $.documents.onlyAvailable : $.documents.lessAvailable), { quantity, uom })
}

function Hint({ hint }: { hint: StockHint }) {
  if (!hint) return null
  if (hint.isShort) return <Note>{shortageInWords(hint)}</Note>
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {t(($) => $.documents.available, { quantity: number(hint.available), uom: hint.uom })}
    </Text>
  )
}
