import { Anchor, Badge, Group, Text } from "@mantine/core"
import { Link } from "wouter"
import type { Invoice } from "../../../../console/api/types"
import { date, digitsOf, money } from "../../../../console/format"
import { Panel } from "../../../../console/parts/page"
import { t as common } from "../../../../console/texts"
import { roundedTo } from "../../../../shared/decimal"
import { t } from "./texts"

/** The badge of an invoice that asks for a deposit, or is the last one of an order with deposits. */
export const TypeBadge = ({ type }: { type: Invoice["invoiceType"] }) =>
  type !== "standard" && (
    <Badge color="gray" variant="light" tt="none" fw={600}>
      {common(($) => $.values.invoiceType[type])}
    </Badge>
  )

/** The deposits that an invoice takes off, with their amounts with tax. */
export const DeductedDeposits = ({ invoice: { deposits, currency } }: { invoice: Invoice }) =>
  deposits.length > 0 && (
    <Panel title={t(($) => $.deducted)}>
      {deposits.map(({ invoice, number, date: day, net, tax }) => (
        <Group key={invoice} justify="space-between" gap="xs" py={4} wrap="nowrap">
          <div>
            <Anchor component={Link} href={`/invoices/${invoice}`} size="sm">
              {number}
            </Anchor>
            <Text size="xs" c="dimmed">
              {t(($) => $.ofDeposit, { date: date(day), tax: money(tax, currency) })}
            </Text>
          </div>
          <Text size="sm" className="figures">
            {money(-roundedTo(net + tax, digitsOf(currency)), currency)}
          </Text>
        </Group>
      ))}
    </Panel>
  )

/** What an invoice takes off for deposits, or what later invoices take off for it. */
export const depositAmounts = ({ depositTotal, deductedTotal }: Invoice) => [
  ...(depositTotal > 0 ? [{ label: t(($) => $.deducted), amount: -depositTotal }] : []),
  ...(deductedTotal > 0 ? [{ label: t(($) => $.isDeducted), amount: deductedTotal }] : []),
]
