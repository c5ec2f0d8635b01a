import { Anchor, Card, Group, Paper, Stack, Table, Text, Title } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { Link } from "wouter"
import type { InvoiceLine } from "../api/types"
import { chargedBy } from "../../../shared/money"
import { digitsOf, money, number, price } from "../format"
import { t } from "../texts"
import { startsAsAmount } from "./line-discount"
import { taxRateText } from "./tax-rate-text"

export type ShownLine = Omit<InvoiceLine, "orderLine"> & {
  /** Only on orders. */
  invoicedQuantity?: number
}

type Props = { lines: readonly ShownLine[]; currency: string; pricesIncludeTax: boolean }

/** The read-only lines of a document. */
export function DocumentLines(props: Props) {
  const isNarrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t(($) => $.documents.lines)}
        </Title>
        {props.pricesIncludeTax && (
          <Text size="sm" c="dimmed">
            {t(($) => $.documents.pricesIncludeTax)}
          </Text>
        )}
      </Group>
      {isNarrow ? <LineCards {...props} /> : <LineTable {...props} />}
    </Paper>
  )
}

function LineTable({ lines, currency }: Props) {
  const hasInvoiced = lines.some(({ invoicedQuantity }) => invoicedQuantity !== undefined)
  return (
    <Table.ScrollContainer
      minWidth={640}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.documents.lines) },
      }}
    >
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.fields.item)}</Table.Th>
            <Table.Th className="right">{t(($) => $.fields.quantity)}</Table.Th>
            {hasInvoiced && <Table.Th className="right">{t(($) => $.documents.invoiced)}</Table.Th>}
            <Table.Th className="right">{t(($) => $.fields.rate)}</Table.Th>
            <Table.Th className="right">{t(($) => $.fields.discount)}</Table.Th>
            <Table.Th className="right">{t(($) => $.fields.taxRate)}</Table.Th>
            <Table.Th className="right">{t(($) => $.fields.amount)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <LineCells key={line.id} line={line} currency={currency} hasInvoiced={hasInvoiced} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type CellsProps = { line: ShownLine; currency: string; hasInvoiced: boolean }

const LineCells = ({ line, currency, hasInvoiced }: CellsProps) => (
  <Table.Tr>
    <Table.Td>
      <ItemLink line={line} />
    </Table.Td>
    <Table.Td className="right">
      {number(line.quantity)} {line.uom}
    </Table.Td>
    {hasInvoiced && <Table.Td className="right">{number(line.invoicedQuantity)}</Table.Td>}
    <Table.Td className="right">{price(line.rate, currency)}</Table.Td>
    <Table.Td className="right">{discountOf(line, currency) ?? "–"}</Table.Td>
    <Table.Td className="right">{taxOf(line)}</Table.Td>
    <Table.Td className="right">{money(chargedBy(line), currency)}</Table.Td>
  </Table.Tr>
)

function LineCards({ lines, currency }: Props) {
  return (
    <Stack gap="xs">
      {lines.map((line) => (
        <Card key={line.id} withBorder p="sm">
          <ItemLink line={line} />
          <Group justify="space-between" mt={4} gap="xs">
            <Text size="sm" className="figures">
              {figuresOf(line, currency)}
            </Text>
            <Text size="sm" fw={600} className="figures">
              {money(chargedBy(line), currency)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {taxAndInvoicedOf(line)}
          </Text>
        </Card>
      ))}
    </Stack>
  )
}

function figuresOf(shown: ShownLine, currency: string): string {
  const { quantity, uom, rate } = shown
  const line = `${number(quantity)} ${uom} × ${price(rate, currency)}`
  const discount = discountOf(shown, currency)
  return discount ? t(($) => $.documents.discounted, { line, discount }) : line
}

function taxAndInvoicedOf(line: ShownLine): string {
  const { invoicedQuantity } = line
  const rate = taxOf(line)
  return invoicedQuantity === undefined
    ? t(($) => $.documents.taxRateOf, { rate })
    : t(($) => $.documents.taxRateAndInvoiced, { rate, quantity: number(invoicedQuantity) })
}

/** The item of a line, or its description. */
const ItemLink = ({ line }: { line: ShownLine }) =>
  line.item === null ? (
    <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
      {line.description}
    </Text>
  ) : (
    <>
      <Anchor component={Link} href={`/items/${line.item}`} size="sm">
        {line.itemName}
      </Anchor>
      <Text size="xs" c="dimmed">
        {line.itemCode}
      </Text>
    </>
  )

/** The discount as a percentage, or as an amount if it was probably given so. Null if there is none. */
function discountOf(line: ShownLine, currency: string): string | null {
  if (line.discountAmount === 0 && line.discount === 0) return null
  return startsAsAmount(line, digitsOf(currency))
    ? money(line.discountAmount, currency)
    : `${number(line.discount)} %`
}

const taxOf = ({ taxCategory, taxRate }: ShownLine) => taxRateText(taxCategory, taxRate)
