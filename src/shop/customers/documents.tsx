import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useMay, useMe, useRead } from "../../console/api/hooks"
import type {
  CreditNote,
  Customer,
  Invoice,
  Kinds,
  Payment,
  Quotation,
  SalesOrder,
} from "../../console/api/types"
import { date, money, number } from "../../console/format"
import { StatusBadge } from "../../console/parts/status-badge"
import { t as common } from "../../console/texts"
import { t as invoiceTexts } from "../invoices/page/texts"
import { dueOf, useOpenInvoices } from "../payments/page/open-invoices"
import { RestActions } from "../payments/page/rest-actions"
import { t as paymentTexts } from "../payments/page/texts"
import { shownStatus } from "../quotations/page/list"
import { t as orderTexts } from "../sales-orders/page/texts"
import { StatementButton } from "./page/statement-button"
import { t } from "./texts"

type Delivery = Kinds["deliveries"]

/** What the customer owes and has left, and the latest documents. */
export function Documents({ customer }: { customer: Customer }) {
  const may = useMay()
  const mayInvoices = may("invoices", "read")
  return (
    <>
      {mayInvoices && <OpenItems customer={customer} />}
      {mayInvoices && <Credit customer={customer} />}
      {mayInvoices && <StatementButton customer={customer.id} />}
      {may("sales-orders", "read") && <LatestQuotations customer={customer.id} />}
      {may("sales-orders", "read") && <LatestOrders customer={customer.id} />}
      {may("sales-orders", "read") && <LatestDeliveries customer={customer.id} />}
      {mayInvoices && <LatestInvoices customer={customer.id} />}
    </>
  )
}

/** What is left of the credit notes and the payments of a customer. Credit notes are used on their own pages. */
function Credit({ customer: { id, creditBalance } }: { customer: Customer }) {
  const { currency } = useMe().company
  const hasCredit = creditBalance > 0
  const { data: notes = [] } = useRead<CreditNote[]>(`/credit-notes?${oldest(id, "unapplied")}`, hasCredit)
  const { data: payments = [] } = useRead<Payment[]>(`/payments?${oldest(id, "unallocated")}`, hasCredit)
  if (!hasCredit) return null
  return (
    <Box title={t(($) => $.credit)} amount={money(creditBalance, currency)}>
      {notes.map(({ id, creditNoteNumber, creditNoteDate, unapplied }) => (
        <Line
          key={id}
          href={`/credit-notes/${id}`}
          name={creditNoteNumber}
          detail={date(creditNoteDate)}
          amount={money(unapplied, currency)}
        />
      ))}
      {payments.map((payment) => (
        <Line
          key={payment.id}
          href={`/payments/${payment.id}`}
          name={paymentTexts(($) => $.title, { amount: money(payment.amount, currency) })}
          detail={date(payment.paymentDate)}
          amount={money(payment.unallocated, currency)}
          actions={<RestActions payment={payment} isRow />}
        />
      ))}
    </Box>
  )
}

/** The oldest records of a customer of which something is left. */
const oldest = (customer: string, rest: string) =>
  new URLSearchParams({ customer, [`${rest}[gt]`]: "0", sort: "createdAt", order: "asc", perPage: "20" })

/** The number of open invoices that the page of a customer shows. */
const most = 8

/** The open invoices of a customer, the oldest first. */
function OpenItems({ customer: { id, outstandingBalance } }: { customer: Customer }) {
  const { currency } = useMe().company
  const { data: invoices = [] } = useOpenInvoices(id)
  const more = invoices.length - most
  if (invoices.length === 0) return null
  return (
    <Box
      title={t(($) => $.openItems)}
      amount={money(outstandingBalance, currency)}
      all={{
        href: `/invoices?customer=${id}&status[in]=unpaid,partially_paid&sort=dueDate&order=asc`,
        label: t(($) => $.allOpenItems),
      }}
    >
      {invoices.slice(0, most).map((invoice) => (
        <Line
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
          {t(($) => $.moreOpen, { count: more, shown: number(more) })}
        </Text>
      )}
    </Box>
  )
}

const latest = (customer: string, fields: string) =>
  `?customer=${customer}&perPage=5&fields=id,currency,status,total,${fields}`

/** Few customers get quotations, so there is no box without one. */
function LatestQuotations({ customer }: { customer: string }) {
  const { data } = useRead<Quotation[]>(
    `/quotations${latest(customer, "quotationNumber,quotationDate,isExpired")}`,
  )
  if (!data?.length) return null
  return (
    <Latest
      title={t(($) => $.latestQuotations)}
      none={common(($) => $.kinds.quotations.noneYet)}
      all={{ href: `/quotations?customer=${customer}`, label: t(($) => $.allQuotations) }}
      rows={data.map((quotation) => ({
        ...quotation,
        href: `/quotations/${quotation.id}`,
        name: quotation.quotationNumber,
        day: quotation.quotationDate,
        status: shownStatus(quotation),
      }))}
    />
  )
}

/** The same for deliveries, which have no amount. */
function LatestDeliveries({ customer }: { customer: string }) {
  const fields = "id,status,deliveryNumber,deliveryDate"
  const { data } = useRead<Delivery[]>(`/deliveries?customer=${customer}&perPage=5&fields=${fields}`)
  if (!data?.length) return null
  return (
    <Latest
      title={t(($) => $.latestDeliveries)}
      none={common(($) => $.kinds.deliveries.noneYet)}
      all={{ href: `/deliveries?customer=${customer}`, label: t(($) => $.allDeliveries) }}
      rows={data.map((delivery) => ({
        ...delivery,
        href: `/deliveries/${delivery.id}`,
        name: delivery.deliveryNumber,
        day: delivery.deliveryDate,
      }))}
    />
  )
}

function LatestOrders({ customer }: { customer: string }) {
  const { data } = useRead<SalesOrder[]>(`/sales-orders${latest(customer, "orderNumber,orderDate")}`)
  return (
    <Latest
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

function LatestInvoices({ customer }: { customer: string }) {
  const { data } = useRead<Invoice[]>(
    `/invoices${latest(customer, "invoiceNumber,invoiceDate,isOverdue,balance")}`,
  )
  return (
    <Latest
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
  status: string
  /** Deliveries have none. */
  total?: number
  /** What is left to pay, if a part is paid. */
  open?: number
  currency?: string
}
type LatestProps = Pick<BoxProps, "title"> &
  Required<Pick<BoxProps, "all">> & { none: string; rows: Row[] | undefined }

const amountOf = ({ total, open, currency }: { total: number; open?: number; currency: string }) =>
  open === undefined
    ? money(total, currency)
    : invoiceTexts(($) => $.openAmount, { amount: money(open, currency) })

function Latest({ title, none, all, rows }: LatestProps) {
  if (!rows) return null
  if (rows.length === 0)
    return (
      <Box title={title}>
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      </Box>
    )
  return (
    <Box title={title} all={all}>
      {rows.map(({ id, href, name, day, status, total = 0, open, currency }) => (
        <Line
          key={id}
          href={href}
          name={name}
          detail={date(day)}
          amount={currency === undefined ? "" : amountOf({ total, open, currency })}
          badge={
            <>
              {open !== undefined && currency !== undefined && (
                <Text size="xs" c="dimmed" className="figures">
                  {t(($) => $.ofTotal, { total: money(total, currency) })}
                </Text>
              )}
              <StatusBadge status={status} />
            </>
          }
        />
      ))}
    </Box>
  )
}

type BoxProps = {
  title: string
  /** The sum of the lines. */
  amount?: string
  all?: { href: string; label: string }
  children: ReactNode
}

/** A box with what a customer owes or has left, or with documents. */
const Box = ({ title, amount, all, children }: BoxProps) => (
  <Paper withBorder p="md">
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      {all && (
        <Anchor component={Link} href={all.href} size="sm" aria-label={all.label}>
          {common(($) => $.common.viewAll)}
        </Anchor>
      )}
    </Group>
    <Stack gap="xs">
      {children}
      {amount !== undefined && (
        <Group justify="space-between" fz="sm" fw={600}>
          <span>{common(($) => $.fields.total)}</span>
          <span className="figures">{amount}</span>
        </Group>
      )}
    </Stack>
  </Paper>
)

type LineProps = {
  href: string
  name: string
  detail: string
  amount: string
  badge?: ReactNode
  actions?: ReactNode
}

const Line = ({ href, name, detail, amount, badge, actions }: LineProps) => (
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
