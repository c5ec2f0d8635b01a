import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useMe } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { money, number } from "../../../console/format"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { dueOf, useOpenInvoices } from "../../payments/page/open-invoices"

/** The number of open invoices that the page of a customer shows. */
const most = 8

/** The open invoices of a customer, the oldest first. */
export function OpenItems({ customer: { id, outstandingBalance } }: { customer: Customer }) {
  const { currency } = useMe().company
  const { data: invoices = [] } = useOpenInvoices(id)
  const more = invoices.length - most
  if (invoices.length === 0) return null
  return (
    <Items
      title={t(($) => $.customers.openItems)}
      amount={money(outstandingBalance, currency)}
      all={{
        href: `/invoices?customer=${id}&status[in]=unpaid,partially_paid&sort=dueDate&order=asc`,
        label: t(($) => $.customers.allOpenItems),
      }}
    >
      {invoices.slice(0, most).map((invoice) => (
        <Item
          key={invoice.id}
          href={`/invoices/${invoice.id}`}
          name={invoice.invoiceNumber ?? ""}
          detail={dueOf(invoice)}
          amount={money(invoice.balance, currency)}
          badge={invoice.isOverdue && <StatusBadge status="overdue" />}
        />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {t(($) => $.customers.moreOpen, { count: more, shown: number(more) })}
        </Text>
      )}
    </Items>
  )
}

type ItemsProps = {
  title: string
  amount: string
  all?: { href: string; label: string }
  children: ReactNode
}

/** A box with what a customer owes or has left. */
export const Items = ({ title, amount, all, children }: ItemsProps) => (
  <Paper withBorder p="md">
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      {all && (
        <Anchor component={Link} href={all.href} size="sm" aria-label={all.label}>
          {t(($) => $.common.viewAll)}
        </Anchor>
      )}
    </Group>
    <Stack gap="xs">
      {children}
      <Group justify="space-between" fz="sm" fw={600}>
        <span>{t(($) => $.fields.total)}</span>
        <span className="figures">{amount}</span>
      </Group>
    </Stack>
  </Paper>
)

type ItemProps = {
  href: string
  name: string
  detail: string
  amount: string
  badge?: ReactNode
  actions?: ReactNode
}

export const Item = ({ href, name, detail, amount, badge, actions }: ItemProps) => (
  <div>
    <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
      <div>
        <Anchor component={Link} href={href} size="sm">
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </div>
      <Stack gap={2} align="end">
        <Text size="sm" className="figures">
          {amount}
        </Text>
        {badge}
      </Stack>
    </Group>
    {actions}
  </div>
)
