import { Anchor, Table, Text } from "@mantine/core"
import { Link } from "wouter"
import type { Summary } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-is-narrow"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { Panel } from "./panel"

type Props = { orders: NonNullable<Summary["latestOrders"]>; currency: string }

export function LatestOrders({ summary: { latestOrders, currency } }: { summary: Summary }) {
  const isNarrow = useIsNarrow()
  if (!latestOrders) return null
  const Orders = isNarrow ? Lines : Rows
  return (
    <Panel title={t(($) => $.orders.latest)} more={{ href: "/orders", label: t(($) => $.orders.allLatest) }}>
      {latestOrders.length === 0 ? (
        <Text c="dimmed">{t(($) => $.kinds["sales-orders"].noneYet)}</Text>
      ) : (
        <Orders orders={latestOrders} currency={currency} />
      )}
    </Panel>
  )
}

const OrderLink = ({ id, number }: { id: string; number: string }) => (
  <Anchor component={Link} href={`/orders/${id}`} size="sm">
    {number}
  </Anchor>
)

/** Two lines per order, as in the lists on a phone. */
const Lines = ({ orders, currency }: Props) => (
  <ul className="phone-list" aria-label={t(($) => $.orders.latest)}>
    {orders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
      <li key={id}>
        <div className="phone-lines">
          <div className="phone-line">
            <OrderLink id={id} number={orderNumber} />
            <Text span size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
              {money(total, currency)}
            </Text>
          </div>
          <Text size="sm" c="dimmed" component="div" truncate>
            {date(orderDate)} · <StatusBadge status={status} /> · {customerName}
          </Text>
        </div>
      </li>
    ))}
  </ul>
)

const Rows = ({ orders, currency }: Props) => (
  <Table.ScrollContainer
    minWidth={420}
    scrollAreaProps={{
      viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.orders.latest) },
    }}
  >
    <Table verticalSpacing={6}>
      <Table.Tbody>
        {orders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
          <Table.Tr key={id}>
            <Table.Td className="whole">
              <OrderLink id={id} number={orderNumber} />
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
)
