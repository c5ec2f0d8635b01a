import { Card, Group, SimpleGrid, Table, Text } from "@mantine/core"
import { memo } from "react"
import type { TaxCode } from "../../console/api/types"
import { digitsOf, money, number } from "../../console/format"
import { t } from "../../console/texts"
import {
  DescriptionInput,
  DiscountInput,
  ItemInput,
  NumberInput,
  RemoveButton,
  UnitInput,
  type Common,
  type LineActions,
} from "./line-inputs"
import type { LineValues } from "./line-values"
import { Note } from "./note"
import type { StockHint } from "./stock"
import { TaxInput } from "./tax-input"

/** The usual tax of a line in words, and its tax code if it has one. */
export type LineTaxes = { usual: string; usualCode: string | null }

type Props = LineTaxes & {
  isCard: boolean
  index: number
  line: LineValues
  codes: readonly TaxCode[]
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
  const { index, line, codes, amount, currency, actions } = props
  const title = t(($) => $.documents.line, { line: index + 1 })
  return (
    <Card withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <RemoveButton index={index} actions={actions} />
      </Group>
      {line.isFree ? <DescriptionPart {...props} /> : <ItemPart {...props} />}
      <SimpleGrid cols={{ base: 2, xs: codes.length > 0 ? 4 : 3 }} spacing="xs" mt="xs">
        <QuantityPart {...props} />
        {line.isFree && <UnitPart {...props} />}
        <RatePart {...props} />
        <DiscountPart {...props} />
        {codes.length > 0 && <TaxPart {...props} />}
      </SimpleGrid>
      <Group justify={codes.length > 0 ? "end" : "space-between"} mt="xs">
        {codes.length === 0 && <TaxPart {...props} />}
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
      <Table.Td>{line.isFree ? <FreePart {...props} /> : <ItemPart {...props} />}</Table.Td>
      <Table.Td>
        <QuantityPart {...props} />
      </Table.Td>
      <Table.Td>
        <RatePart {...props} />
      </Table.Td>
      <Table.Td>
        <DiscountPart {...props} />
      </Table.Td>
      <Table.Td>
        <TaxPart {...props} />
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

/** The props of an input, with the first error of these fields. */
const inputOf = ({ isCard, index, line, errors, actions }: Props, ...fields: string[]): Common => ({
  isCard,
  index,
  lineKey: line.key,
  actions,
  error: fields.map((field) => errors[field]).find(Boolean),
})

const ItemPart = (props: Props) => (
  <>
    <ItemInput
      {...inputOf(props, "item", "id")}
      picked={props.line.item ? `${props.line.itemCode} · ${props.line.itemName}` : ""}
    />
    <Hint hint={props.hint} />
  </>
)

const FreePart = (props: Props) => (
  <Group gap={6} wrap="nowrap" align="start">
    <DescriptionPart {...props} />
    <div style={{ width: 72 }}>
      <UnitPart {...props} />
    </div>
  </Group>
)

/** A line that names nothing gets the error of its item. */
const DescriptionPart = (props: Props) => (
  <DescriptionInput {...inputOf(props, "description", "item", "id")} value={props.line.description} />
)

const UnitPart = (props: Props) => <UnitInput {...inputOf(props, "uom")} value={props.line.uom} />

const QuantityPart = (props: Props) => (
  <NumberInput {...inputOf(props, "quantity")} part="quantity" value={props.line.quantity} />
)

const RatePart = (props: Props) => (
  <NumberInput
    {...inputOf(props, "rate")}
    part="rate"
    value={props.line.rate}
    placeholder={props.line.item || props.line.stored ? number(props.line.defaultRate) : undefined}
    digits={digitsOf(props.currency)}
  />
)

const DiscountPart = (props: Props) => (
  <DiscountInput
    {...inputOf(props, "discountAmount", "discount")}
    value={props.line.discount}
    isAmount={props.line.isAmount}
    currency={props.currency}
  />
)

/** Without tax codes there is nothing to choose. */
const TaxPart = (props: Props) =>
  props.codes.length > 0 ? (
    <TaxInput
      {...inputOf(props, "taxCode")}
      value={props.line.taxCode}
      usual={props.usual}
      usualCode={props.usualCode}
      codes={props.codes}
    />
  ) : (
    <Text size="sm" pt={props.isCard ? 0 : 8} c={props.isCard ? "dimmed" : undefined}>
      {props.isCard ? t(($) => $.documents.taxRateOf, { rate: props.usual }) : props.usual}
    </Text>
  )

/** Compares rows by value, because the form copies every line at every keystroke. */
function isSameRow(before: Props, after: Props): boolean {
  const { line, hint, errors, ...others } = before
  const { line: nextLine, hint: nextHint, errors: nextErrors, ...nextOthers } = after
  // The stored figures are not shown.
  return (
    isShallowlySame(others, nextOthers) &&
    isShallowlySame({ ...line, stored: null }, { ...nextLine, stored: null }) &&
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
