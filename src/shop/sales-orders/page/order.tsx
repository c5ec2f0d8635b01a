import { termsOf } from "../../../trade/page/in-words"
import { useMay, useRead, useRecord } from "../../../console/api/hooks"
import type { Customer, Invoice, Kinds, SalesOrder } from "../../../console/api/types"
import { CustomerLink, addressLines } from "../../../trade/page/view/parties"
import { date, moment, money, number } from "../../../console/format"
import { mayLeave, useHeld } from "../../../console/forms/unsaved"
import { sentFact } from "../../../trade/page/mail/sent"
import { RecordPage } from "../../../trade/page/record-page"
import { Panel } from "../../../console/parts/page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { fieldName, statusName } from "../../../console/texts/fields"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t } from "./texts"
import { useOrderActions } from "./order-actions"
import { Link } from "wouter"
import { Anchor, Grid, Group, Paper, Stack, Text, SimpleGrid } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { TextAround } from "../../../console/parts/more-menu"
import { DayInput } from "../../../console/forms/day-input"
import { documentPage, OpenFields } from "../../../trade/page/document-page"
import { DraftEditor } from "../../../trade/page/draft/draft-editor"
import { useCopied } from "../../../trade/page/draft/use-copied"
import { DocumentLines } from "../../../trade/page/lines/document-lines"
import { TotalsBox } from "../../../trade/page/view/totals-box"

/** The page of an order: the form of a draft, or a view with the available actions. */
export default documentPage({
  kind: "sales-orders",
  create: {
    title: t(($) => $.new),
    onlyFor: t(($) => $.onlyFor),
    form: (customer) => <NewOrder customer={customer} />,
  },
  show: (order) => <Existing order={order} />,
})

function NewOrder({ customer }: { customer: Customer | undefined }) {
  const { id, copied, isLoading } = useCopied("sales-orders")
  return !isLoading && <OrderEditor key={id} order={null} customer={customer} copied={copied} />
}

function Existing({ order }: { order: SalesOrder }) {
  const may = useMay()
  const status = useHeld(order.status)
  const [isRevised, setRevised] = useState(false)
  const isEdited = status === "submitted" && isRevised
  const isEditable = may("sales-orders", "write") && (status === "draft" || isEdited)
  const { actions, more } = useOrderActions(order, { isEdited, edit: () => setRevised(true) })
  return (
    <RecordPage
      kind="sales-orders"
      record={order}
      title={order.orderNumber}
      badge={
        <>
          <StatusBadge status={order.status} />
          {order.deliveryStatus !== "not_delivered" && <StatusBadge status={order.deliveryStatus} />}
          {order.invoiceStatus !== "not_invoiced" && <StatusBadge status={order.invoiceStatus} />}
        </>
      }
      facts={[
        { label: common(($) => $.fields.customer), value: <CustomerLink of={order} /> },
        { label: common(($) => $.fields.total), value: money(order.total, order.currency), isStrong: true },
        { label: common(($) => $.fields.orderDate), value: date(order.orderDate) },
        { label: common(($) => $.fields.deliveryDate), value: date(order.deliveryDate) },
        order.revision > 1 && {
          label: fieldName("revision", { of: "sales-orders" }),
          value: number(order.revision),
        },
        sentFact(order),
      ]}
      actions={actions}
      more={more}
      aside={<OrderAside order={order} />}
      isWide={isEditable}
    >
      {isEditable ? (
        <ExistingEditor key={status} order={order} onDone={() => setRevised(false)} />
      ) : (
        <OrderView key={status} order={order} />
      )}
    </RecordPage>
  )
}

/** Edits a draft, or revises a submitted order, as soon as it is known which of its lines invoices and deliveries name. */
function ExistingEditor({ order, onDone }: { order: SalesOrder; onDone: () => void }) {
  const isRevision = order.status === "submitted"
  const { held, isLoading } = useHeldLines(order)
  const leave = async () => {
    if (await mayLeave()) onDone()
  }
  if (!isRevision) return <OrderEditor order={order} />
  return (
    !isLoading && <OrderEditor order={order} held={held} onSaved={onDone} onCancel={() => void leave()} />
  )
}

/** The ids of the lines that an invoice or a delivery names, also a cancelled one; undefined if nothing depends on the order. */
function useHeldLines(order: SalesOrder): { held: ReadonlySet<string> | undefined; isLoading: boolean } {
  const may = useMay()("invoices", "read")
  const [invoices, deliveries] = [useInvoicesOf(order, may), useDeliveriesOf(order)]
  const taken = order.items.filter((line) => line.invoicedQuantity > 0 || line.deliveredQuantity > 0)
  const named = [
    ...taken.map(({ id }) => id),
    ...[...(invoices.data ?? []), ...(deliveries.data ?? [])].flatMap(({ items }) =>
      items.flatMap(({ orderLine }) => orderLine ?? []),
    ),
  ]
  return {
    held: named.length > 0 || order.depositTotal > 0 ? new Set(named) : undefined,
    isLoading: invoices.isLoading || deliveries.isLoading,
  }
}

const useInvoicesOf = ({ id, invoices }: SalesOrder, may: boolean) =>
  useRead<Invoice[]>(`/invoices?salesOrder=${id}&sort=createdAt&perPage=100`, may && invoices.length > 0)

const useDeliveriesOf = ({ id, deliveries }: SalesOrder) =>
  useRead<Kinds["deliveries"][]>(
    `/deliveries?salesOrder=${id}&sort=createdAt&perPage=100`,
    deliveries.length > 0,
  )

/** The deliveries and invoices of an order, and the order that it replaces or the quotation that it was made of. */
function OrderAside({ order }: { order: SalesOrder }) {
  const may = useMay()
  return (
    <>
      {order.deliveries.length > 0 && <Deliveries order={order} />}
      {order.invoices.length + order.depositInvoices.length > 0 && may("invoices", "read") && (
        <Invoices order={order} />
      )}
      {order.amendedFrom && <Replaced id={order.amendedFrom} />}
      {order.quotation && <OfQuotation id={order.quotation} />}
    </>
  )
}

function Deliveries({ order }: { order: SalesOrder }) {
  const { data = [] } = useDeliveriesOf(order)
  return (
    <Panel title={common(($) => $.fields.deliveries)}>
      {data.map(({ id, deliveryNumber, deliveryDate, status }) => (
        <Group key={id} justify="space-between" gap="xs" py={4}>
          <div>
            <Anchor component={Link} href={`/deliveries/${id}`} size="sm">
              {deliveryNumber}
            </Anchor>
            <Text size="xs" c="dimmed">
              {date(deliveryDate)}
            </Text>
          </div>
          <StatusBadge status={status} />
        </Group>
      ))}
    </Panel>
  )
}

function Invoices({ order }: { order: SalesOrder }) {
  const { data = [] } = useInvoicesOf(order, true)
  return (
    <Panel title={common(($) => $.fields.invoices)}>
      {data.map(({ id, invoiceNumber, invoiceDate, invoiceType, status, isOverdue, total, currency }) => (
        <Group key={id} justify="space-between" gap="xs" py={4}>
          <div>
            <Anchor component={Link} href={`/invoices/${id}`} size="sm">
              {invoiceNumber ?? common(($) => $.values.status.draft)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {[date(invoiceDate), ...typeName(invoiceType)].join(", ")}
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

/** What an invoice is called that is no usual one. */
const typeName = (type: Invoice["invoiceType"]): string[] =>
  type === "standard" ? [] : [common(($) => $.values.invoiceType[type])]

function Replaced({ id }: { id: string }) {
  const { data: before } = useRecord("sales-orders", id)
  return (
    <Panel title={t(($) => $.origin)}>
      <Text size="sm">
        <TextAround text={(order) => t(($) => $.replaces, { order })}>
          <Anchor component={Link} href={`/orders/${id}`} inherit>
            {before?.orderNumber ?? t(($) => $.earlierOrder)}
          </Anchor>
        </TextAround>
      </Text>
    </Panel>
  )
}

function OfQuotation({ id }: { id: string }) {
  const { data: quotation } = useRecord("quotations", id)
  return (
    <Panel title={t(($) => $.origin)}>
      <Text size="sm">
        <TextAround text={(number) => t(($) => $.ofQuotation, { number })}>
          <Anchor component={Link} href={`/quotations/${id}`} inherit>
            {quotation?.quotationNumber ?? t(($) => $.aQuotation)}
          </Anchor>
        </TextAround>
      </Text>
    </Panel>
  )
}

type Props = {
  /** The draft; null for a new order. */
  order: SalesOrder | null
  /** The customer of a new order, if known. */
  customer?: Customer
  /** The order from which a new one is filled. */
  copied?: SalesOrder | null
  /** The lines of a submitted order of which only the quantity can be updated. */
  held?: ReadonlySet<string>
  onSaved?: () => void
  onCancel?: () => void
}

const credit = { document: "order", anyway: t(($) => $.submitAnyway) } as const

/** Edits and submits a draft, or revises a submitted order. */
const OrderEditor = ({ order, customer, copied, held, onSaved, onCancel }: Props) => (
  <DraftEditor
    kind="sales-orders"
    record={order}
    customer={customer}
    copied={copied}
    held={held}
    heldReason={held && t(($) => $.held)}
    reserved={onSaved && order?.items}
    onCancel={onCancel}
    credit={onSaved && { document: "revision", anyway: t(($) => $.saveAnyway) }}
    saveLabel={onSaved && t(($) => $.saveRevision)}
    ownValues={(from, { today }) => ({
      orderDate: from?.orderDate ?? today,
      deliveryDate: from?.deliveryDate ?? null,
    })}
    finalize={{ status: "submitted", credit }}
    finalizeLabel={
      !order || order.allowedTransitions.includes("submitted") ? t(($) => $.saveAndSubmit) : null
    }
    told={({ orderNumber: number }, outcome) => {
      onSaved?.()
      if (outcome === "finalized") return t(($) => $.wasSubmitted, { number })
      return onSaved ? t(($) => $.wasRevised, { number }) : t(($) => $.wasSavedAsDraft, { number })
    }}
    dates={(form) => (
      <>
        <DayInput label={common(($) => $.fields.orderDate)} required {...form.getInputProps("orderDate")} />
        <DayInput
          label={common(($) => $.fields.deliveryDate)}
          clearable
          minDate={form.values.orderDate}
          {...form.getInputProps("deliveryDate")}
        />
      </>
    )}
  />
)

/** The view of an order that is no longer a draft. Its lines are read-only. */
function OrderView({ order }: { order: SalesOrder }) {
  const may = useMay()
  const status = useHeld(order.status)
  const isEdited = may("sales-orders", "write") && (status === "submitted" || status === "completed")
  return (
    <Stack>
      <Paper withBorder p="md">
        <Facts facts={factsOf(order)} />
      </Paper>
      <DocumentLines of={order} />
      <Grid>
        <Grid.Col span={{ base: 12, sm: 7 }}>
          {isEdited ? (
            <OpenFields
              kind="sales-orders"
              record={order}
              name={order.orderNumber}
              day={
                status === "submitted"
                  ? { key: "deliveryDate", clearable: true, minDate: order.orderDate }
                  : undefined
              }
              notesHint={tradeTexts(($) => $.documents.notesHint)}
              rows={[3, 16]}
            />
          ) : (
            <Notes text={order.notes} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          <TotalsBox
            {...order}
            more={[
              ...(order.depositTotal > 0
                ? [{ label: common(($) => $.fields.depositTotal), amount: order.depositTotal }]
                : []),
              ...(order.invoicedTotal > 0
                ? [{ label: t(($) => $.invoiced), amount: order.invoicedTotal }]
                : []),
            ]}
          />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function factsOf(order: SalesOrder) {
  const { paymentTerms, buyerReference, submittedAt, completedAt, cancelledAt, cancelReason } = order
  const shipping = addressLines(order.shippingAddress)
  return [
    { label: common(($) => $.fields.paymentTerms), value: termsOf(paymentTerms) },
    ...(buyerReference ? [{ label: common(($) => $.fields.buyerReference), value: buyerReference }] : []),
    ...(shipping.length > 0
      ? [{ label: common(($) => $.fields.shippingAddress), value: shipping.join("\n") }]
      : []),
    ...(submittedAt ? [{ label: statusName("submitted"), value: moment(submittedAt) }] : []),
    ...(completedAt ? [{ label: statusName("completed"), value: moment(completedAt) }] : []),
    ...(cancelledAt ? [{ label: statusName("cancelled"), value: moment(cancelledAt) }] : []),
    ...(cancelReason ? [{ label: common(($) => $.fields.reason), value: cancelReason }] : []),
  ]
}

const Notes = ({ text }: { text: string | null }) => (
  <Paper withBorder p="md">
    <Text size="xs" c="dimmed">
      {common(($) => $.fields.notes)}
    </Text>
    <Text size="sm" style={{ whiteSpace: "pre-line" }}>
      {text ?? "–"}
    </Text>
  </Paper>
)

/** The read-only fields of a document, each with a label. */
const Facts = ({ facts }: { facts: { label: string; value: ReactNode }[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" verticalSpacing="sm" component="dl" m={0}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <Text component="dt" size="xs" c="dimmed">
          {label}
        </Text>
        <Text component="dd" size="sm" m={0} style={{ whiteSpace: "pre-line" }}>
          {value}
        </Text>
      </div>
    ))}
  </SimpleGrid>
)
