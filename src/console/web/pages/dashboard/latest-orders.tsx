import { Anchor, Table, Text } from "@mantine/core"
import { Link } from "wouter"
import type { Summary } from "../../api/types"
import { date, money } from "../../format"
import { StatusBadge } from "../../parts/status-badge"
import { t } from "../../texts"
import { Panel } from "./panel"

export function LatestOrders({ summary: { latestOrders, currency } }: { summary: Summary }) {
  if (!latestOrders) return null
  return (
    <Panel title={t(($) => $.orders.latest)} more={{ href: "/orders", label: t(($) => $.orders.allLatest) }}>
      {latestOrders.length === 0 && <Text c="dimmed">{t(($) => $.kinds["sales-orders"].noneYet)}</Text>}
      <Table.ScrollContainer
        minWidth={420}
        scrollAreaProps={{
          viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.orders.latest) },
        }}
      >
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {latestOrders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
              <Table.Tr key={id}>
                <Table.Td className="whole">
                  <Anchor component={Link} href={`/orders/${id}`} size="sm">
                    {orderNumber}
                  </Anchor>
                </Table.Td>
                <Table.Td>{customerName}</Table.Td>
                <Table.Td className="whole">{date(orderDate)}</Table.Td>
                <Table.Td>
                  <StatusBadge status={status} />
                </Table.Td>
                <Table.Td className="right">{money(total, currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}
