import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { Link } from "wouter"
import type { Status } from "../../../shared/statuses"
import { useRead } from "../../../console/api/hooks"
import type { Invoice, SalesOrder } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t as orderTexts } from "../../sales-orders/page/texts"
import { t } from "./texts"
import { t as invoiceTexts } from "../../invoices/page/texts"

const latest = (customer: string, fields: string) =>
  `?customer=${customer}&perPage=5&fields=id,currency,status,total,${fields}`

export function LatestOrders({ customer }: { customer: string }) {
  const { data } = useRead<SalesOrder[]>(`/sales-orders${latest(customer, "orderNumber,orderDate")}`)
  return (
    <Documents
      title={orderTexts(($) => $.latest)}
      none={common(($) => $.kinds["sales-orders"].noneYet)}
      all={{ href: `/orders?customer=${customer}`, label: orderTexts(($) => $.allLatest) }}
      rows={data?.map((order) => ({
        ...order,
        href: `/orders/${order.id}`,
        name: order.orderNumber,
        day: order.orderDate,
      }))}
    />
  )
}

export function LatestInvoices({ customer }: { customer: string }) {
  const { data } = useRead<Invoice[]>(
    `/invoices${latest(customer, "invoiceNumber,invoiceDate,isOverdue,balance")}`,
  )
  return (
    <Documents
      title={t(($) => $.latestInvoices)}
      none={common(($) => $.kinds.invoices.noneYet)}
      all={{ href: `/invoices?customer=${customer}`, label: t(($) => $.allInvoices) }}
      rows={data?.map((invoice) => ({
        ...invoice,
        href: `/invoices/${invoice.id}`,
        name: invoice.invoiceNumber ?? common(($) => $.values.status.draft),
        day: invoice.invoiceDate,
        status: invoice.isOverdue ? "overdue" : invoice.status,
        open: invoice.status === "partially_paid" ? invoice.balance : undefined,
      }))}
    />
  )
}

type Row = {
  id: string
  href: string
  name: string
  day: string
  status: Status
  total: number
  /** What is left to pay, if a part is paid. */
  open?: number
  currency: string
}
type Props = { title: string; none: string; all: { href: string; label: string }; rows: Row[] | undefined }

function Documents({ title, none, all, rows }: Props) {
  if (!rows) return null
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {rows.length > 0 && (
          <Anchor component={Link} href={all.href} size="sm" aria-label={all.label}>
            {common(($) => $.common.viewAll)}
          </Anchor>
        )}
      </Group>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <Stack gap="xs">
        {rows.map((row) => (
          <Document key={row.id} {...row} />
        ))}
      </Stack>
    </Paper>
  )
}

const Document = ({ href, name, day, status, total, open, currency }: Row) => (
  <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
    <div>
      <Anchor component={Link} href={href} size="sm">
        {name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {date(day)}
      </Text>
    </div>
    <Stack gap={2} align="end">
      <Text size="sm" className="figures">
        {open === undefined
          ? money(total, currency)
          : invoiceTexts(($) => $.openAmount, { amount: money(open, currency) })}
      </Text>
      {open !== undefined && (
        <Text size="xs" c="dimmed" className="figures">
          {t(($) => $.ofTotal, { total: money(total, currency) })}
        </Text>
      )}
      <StatusBadge status={status} />
    </Stack>
  </Group>
)
