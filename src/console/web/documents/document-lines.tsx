import { Anchor, Card, Group, Paper, Stack, Table, Text, Title } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { Link } from "wouter"
import type { InvoiceLine } from "../api/types"
import { money, number, price } from "../format"
import { t } from "../texts"

export type ShownLine = Omit<InvoiceLine, "orderLine" | "discountAmount"> & {
  /** Only on orders. */
  invoicedQuantity?: number
}

type Props = { lines: readonly ShownLine[]; currency: string }

/** The read-only lines of a document. */
export function DocumentLines(props: Props) {
  const isNarrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        {t(($) => $.documents.lines)}
      </Title>
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
    <Table.Td className="right">{discountOf(line)}</Table.Td>
    <Table.Td className="right">{number(line.taxRate)} %</Table.Td>
    <Table.Td className="right">{money(line.amount, currency)}</Table.Td>
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
              {money(line.amount, currency)}
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

function figuresOf({ quantity, uom, rate, discount }: ShownLine, currency: string): string {
  const line = `${number(quantity)} ${uom} × ${price(rate, currency)}`
  return discount > 0 ? t(($) => $.documents.discounted, { line, discount: number(discount) }) : line
}

function taxAndInvoicedOf({ taxRate, invoicedQuantity }: ShownLine): string {
  const rate = `${number(taxRate)} %`
  return invoicedQuantity === undefined
    ? t(($) => $.documents.taxRateOf, { rate })
    : t(($) => $.documents.taxRateAndInvoiced, { rate, quantity: number(invoicedQuantity) })
}

const ItemLink = ({ line }: { line: ShownLine }) => (
  <>
    <Anchor component={Link} href={`/items/${line.item}`} size="sm">
      {line.itemName}
    </Anchor>
    <Text size="xs" c="dimmed">
      {line.itemCode}
    </Text>
  </>
)

const discountOf = ({ discount }: ShownLine) => (discount > 0 ? `${number(discount)} %` : "–")
