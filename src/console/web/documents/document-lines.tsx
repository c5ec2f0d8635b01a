import { Anchor, Card, Group, Paper, Stack, Table, Text, Title } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { Link } from "wouter"
import type { InvoiceLine } from "../api/types"
import { money, number, price } from "../format"

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
        Lines
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
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Lines" } }}
    >
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Item</Table.Th>
            <Table.Th className="right">Quantity</Table.Th>
            {hasInvoiced && <Table.Th className="right">Invoiced</Table.Th>}
            <Table.Th className="right">Rate</Table.Th>
            <Table.Th className="right">Discount</Table.Th>
            <Table.Th className="right">Tax rate</Table.Th>
            <Table.Th className="right">Amount</Table.Th>
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
              {number(line.quantity)} {line.uom} × {price(line.rate, currency)}
              {line.discount > 0 && `, ${number(line.discount)} % discount`}
            </Text>
            <Text size="sm" fw={600} className="figures">
              {money(line.amount, currency)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            Tax rate {number(line.taxRate)} %
            {line.invoicedQuantity !== undefined && ` · ${number(line.invoicedQuantity)} invoiced`}
          </Text>
        </Card>
      ))}
    </Stack>
  )
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
