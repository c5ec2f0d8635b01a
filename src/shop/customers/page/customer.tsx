import { Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { Link } from "wouter"
import { useMay, useMe, useRead, useRecord } from "../../../console/api/hooks"
import type { CreditNote, Customer, Payment } from "../../../console/api/types"
import { date, money, number } from "../../../console/format"
import { Loaded, OnlyFor } from "../../../console/parts/page"
import { NewRecord } from "../../../console/parts/new-record"
import { type HeaderFact, RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as paymentTexts } from "../../payments/page/texts"
import { t as orderTexts } from "../../sales-orders/page/texts"
import { CustomerForm } from "./customer-form"
import { LatestInvoices, LatestOrders } from "./latest-documents"
import { RestActions } from "../../payments/page/rest-actions"
import type { ReactNode } from "react"
import { dueOf, useOpenInvoices } from "../../payments/page/open-invoices"

const parent = { title: common(($) => $.kinds.customers.title), href: "/customers" }

/** The page of a customer: account, form, latest documents and timeline. */
export default function CustomerPage({ id }: { id: string }) {
  const query = useRecord("customers", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="customers"
        scope="write"
        title={t(($) => $.new)}
        parent={parent}
        sentence={t(($) => $.onlyFor)}
      >
        <NewRecord kind="customers" title={t(($) => $.new)} parent={parent}>
          {(copied, startAgain) => <CustomerForm customer={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(customer) => <Existing customer={customer} />}</Loaded>
}

function Existing({ customer }: { customer: Customer }) {
  const { id, version, name, status } = customer
  const may = useMay()
  const duplicate = useDuplicate("/customers", id)
  const removal = useDelete({ kind: "customers", id, version, name, to: "/customers" })
  return (
    <RecordPage
      kind="customers"
      record={customer}
      title={name}
      parent={parent}
      badge={<StatusBadge status={status} />}
      facts={useAccount(customer)}
      actions={<Actions customer={customer} />}
      more={{
        actions: [may("customers", "write") && duplicate, may("customers", "delete") && removal.action],
        isBusy: removal.isBusy,
      }}
      aside={<Documents customer={customer} />}
    >
      <CustomerForm customer={customer} />
    </RecordPage>
  )
}

/** An order is the main action on an active customer. An inactive one can still pay. */
function Actions({ customer: { id, isActive } }: { customer: Customer }) {
  const may = useMay()
  return (
    <>
      {may("invoices", "write") && (
        <Button component={Link} href={`/payments/new?customer=${id}`} variant="default">
          {paymentTexts(($) => $.record)}
        </Button>
      )}
      {isActive && may("sales-orders", "write") && (
        <Button component={Link} href={`/orders/new?customer=${id}`} leftSection={<IconPlus size={16} />}>
          {orderTexts(($) => $.new)}
        </Button>
      )}
    </>
  )
}

/** What the customer owes and has left, and the latest documents. */
function Documents({ customer }: { customer: Customer }) {
  const may = useMay()
  const mayInvoices = may("invoices", "read")
  return (
    <>
      {mayInvoices && <OpenItems customer={customer} />}
      {mayInvoices && <Credit customer={customer} />}
      {may("sales-orders", "read") && <LatestOrders customer={customer.id} />}
      {mayInvoices && <LatestInvoices customer={customer.id} />}
    </>
  )
}

function useAccount(customer: Customer): HeaderFact[] {
  const {
    customerNumber,
    outstandingBalance,
    creditBalance,
    openOrdersValue,
    creditAvailable,
    taxTreatment,
  } = customer
  const { currency } = useMe().company
  const credit = creditAvailable === null ? t(($) => $.noLimit) : money(creditAvailable, currency)
  return [
    { label: common(($) => $.common.number), value: customerNumber },
    {
      label: common(($) => $.fields.outstandingBalance),
      value: money(outstandingBalance, currency),
      isStrong: true,
    },
    ...(creditBalance > 0
      ? [{ label: common(($) => $.fields.creditBalance), value: money(creditBalance, currency) }]
      : []),
    { label: t(($) => $.openOrders), value: money(openOrdersValue, currency) },
    { label: t(($) => $.availableCredit), value: credit },
    ...(taxTreatment === "domestic"
      ? []
      : [{ label: t(($) => $.tax), value: common(($) => $.values.taxTreatment[taxTreatment]) }]),
  ]
}

/** What is left of the credit notes and the payments of a customer. Credit notes are used on their own pages. */
function Credit({ customer: { id, creditBalance } }: { customer: Customer }) {
  const { currency } = useMe().company
  const hasCredit = creditBalance > 0
  const { data: notes = [] } = useRead<CreditNote[]>(`/credit-notes?${query(id, "unapplied")}`, hasCredit)
  const { data: payments = [] } = useRead<Payment[]>(`/payments?${query(id, "unallocated")}`, hasCredit)
  if (!hasCredit) return null
  return (
    <Items title={t(($) => $.credit)} amount={money(creditBalance, currency)}>
      {notes.map(({ id, creditNoteNumber, creditNoteDate, unapplied }) => (
        <Item
          key={id}
          href={`/credit-notes/${id}`}
          name={creditNoteNumber}
          detail={date(creditNoteDate)}
          amount={money(unapplied, currency)}
        />
      ))}
      {payments.map((payment) => (
        <Item
          key={payment.id}
          href={`/payments/${payment.id}`}
          name={paymentTexts(($) => $.title, { amount: money(payment.amount, currency) })}
          detail={date(payment.paymentDate)}
          amount={money(payment.unallocated, currency)}
          actions={<RestActions payment={payment} isRow />}
        />
      ))}
    </Items>
  )
}

/** The oldest records of a customer of which something is left. */
const query = (customer: string, rest: string) =>
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
    <Items
      title={t(($) => $.openItems)}
      amount={money(outstandingBalance, currency)}
      all={{
        href: `/invoices?customer=${id}&status[in]=unpaid,partially_paid&sort=dueDate&order=asc`,
        label: t(($) => $.allOpenItems),
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
          {t(($) => $.moreOpen, { count: more, shown: number(more) })}
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
const Items = ({ title, amount, all, children }: ItemsProps) => (
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
      <Group justify="space-between" fz="sm" fw={600}>
        <span>{common(($) => $.fields.total)}</span>
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

const Item = ({ href, name, detail, amount, badge, actions }: ItemProps) => (
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
