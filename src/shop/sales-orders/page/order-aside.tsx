import { Anchor, Group, Paper, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useMay, useRead, useRecord } from "../../../console/api/hooks"
import type { Invoice, SalesOrder } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { StatusBadge } from "../../../console/parts/status-badge"
import { TextAround } from "../../../console/parts/text-around"
import { t } from "../../../console/texts"

/** The invoices of an order, and the order that it replaces. */
export function OrderAside({ order }: { order: SalesOrder }) {
  const may = useMay()
  return (
    <>
      {order.invoices.length > 0 && may("invoices", "read") && <Invoices order={order} />}
      {order.amendedFrom && <Replaced id={order.amendedFrom} />}
    </>
  )
}

function Invoices({ order }: { order: SalesOrder }) {
  const { data = [] } = useRead<Invoice[]>(`/invoices?salesOrder=${order.id}&sort=createdAt&perPage=100`)
  return (
    <Panel title={t(($) => $.fields.invoices)}>
      {data.map(({ id, invoiceNumber, invoiceDate, status, isOverdue, total, currency }) => (
        <Group key={id} justify="space-between" gap="xs" py={4}>
          <div>
            <Anchor component={Link} href={`/invoices/${id}`} size="sm">
              {invoiceNumber ?? t(($) => $.values.status.draft)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {date(invoiceDate)}
            </Text>
          </div>
          <Group gap="sm">
            <StatusBadge status={isOverdue ? "overdue" : status} />
            <Text size="sm" className="figures">
              {money(total, currency)}
            </Text>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function Replaced({ id }: { id: string }) {
  const { data: before } = useRecord("sales-orders", id)
  return (
    <Panel title={t(($) => $.orders.origin)}>
      <Text size="sm">
        <TextAround text={(order) => t(($) => $.orders.replaces, { order })}>
          <Anchor component={Link} href={`/orders/${id}`} inherit>
            {before?.orderNumber ?? t(($) => $.orders.earlierOrder)}
          </Anchor>
        </TextAround>
      </Text>
    </Panel>
  )
}

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    {children}
  </Paper>
)
