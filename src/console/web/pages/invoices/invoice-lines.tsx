import { Anchor, Paper, Table, Text, Title } from "@mantine/core"
import { Link } from "wouter"
import type { Invoice } from "../../api/types"
import { money, number, price } from "../../format"

/** What is billed. */
export function InvoiceLines({ invoice: { items, currency } }: { invoice: Invoice }) {
  const region = { tabIndex: 0, role: "region", "aria-label": "Lines of the invoice" }
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        Lines
      </Title>
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: region }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th className="right">Quantity</Table.Th>
              <Table.Th className="right">Rate</Table.Th>
              <Table.Th className="right">Discount</Table.Th>
              <Table.Th className="right">Tax</Table.Th>
              <Table.Th className="right">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td>
                  <Anchor component={Link} href={`/items/${line.item}`} inherit>
                    {line.itemName}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {line.itemCode}
                  </Text>
                </Table.Td>
                <Table.Td className="right">
                  {number(line.quantity)} {line.uom}
                </Table.Td>
                <Table.Td className="right">{price(line.rate, currency)}</Table.Td>
                <Table.Td className="right">{percent(line.discount)}</Table.Td>
                <Table.Td className="right">{percent(line.taxRate)}</Table.Td>
                <Table.Td className="right">{money(line.amount, currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

const percent = (value: number): string => (value === 0 ? "–" : `${number(value)} %`)
