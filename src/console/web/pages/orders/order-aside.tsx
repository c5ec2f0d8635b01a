import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useMay, useRead, useRecord } from "../../api/hooks"
import type { AuditEntry, Invoice, SalesOrder } from "../../api/types"
import { describeDocument } from "../../documents/describe"
import { date, moment, money } from "../../format"
import { History } from "../../parts/history"
import { StatusBadge } from "../../parts/status-badge"

/** The invoices, origin and history of an order. */
export function OrderAside({ order }: { order: SalesOrder }) {
  const may = useMay()
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} mt="lg">
      <Stack>
        {order.invoices.length > 0 && may("invoices", "read") && <Invoices order={order} />}
        <Origin order={order} />
      </Stack>
      <History kind="sales-orders" id={order.id} describe={describeDocument(order)} />
    </SimpleGrid>
  )
}

function Invoices({ order }: { order: SalesOrder }) {
  const { data = [] } = useRead<Invoice[]>(`/invoices?salesOrder=${order.id}&sort=createdAt&perPage=100`)
  return (
    <Panel title="Invoices">
      {data.map(({ id, invoiceNumber, invoiceDate, status, isOverdue, total, currency }) => (
        <Group key={id} justify="space-between" gap="xs" py={4}>
          <div>
            <Anchor component={Link} href={`/invoices/${id}`} size="sm">
              {invoiceNumber ?? "Draft"}
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

function Origin({ order }: { order: SalesOrder }) {
  const { data: entries = [] } = useRead<AuditEntry[]>(
    `/sales-orders/${order.id}/history?sort=createdAt&order=asc&perPage=1`,
  )
  const { data: before } = useRecord("sales-orders", order.amendedFrom)
  const creator = entries[0]?.action.endsWith(".create") ? entries[0].actorName : null
  return (
    <Panel title="Origin">
      <Text size="sm">
        Created {moment(order.createdAt)}
        {creator && ` by ${creator}`}
      </Text>
      {order.amendedFrom && (
        <Text size="sm">
          Replaces{" "}
          <Anchor component={Link} href={`/orders/${order.amendedFrom}`} inherit>
            {before?.orderNumber ?? "an earlier order"}
          </Anchor>
        </Text>
      )}
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
