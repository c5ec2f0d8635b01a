import { Button, Stack, Text, Group } from "@mantine/core"
import { Panel } from "../../../console/parts/page"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Payment } from "../../../console/api/types"
import { CustomerLink, InvoiceLink } from "../../../trade/page/view/parties"
import { date, money, number } from "../../../console/format"
import { type HeaderFact, RecordPage } from "../../../trade/page/record-page"
import { useDelete } from "../../../console/parts/use-delete"
import { howPaid, methodInWords } from "../../../trade/page/suggestions"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { RestActions } from "./rest-actions"
import { PartList } from "../../../trade/page/view/part-list"
import { refundRemoval } from "../../credit-notes/page/credit-note"
import { EditDialog } from "./edit-dialog"
import { type ReactNode, useState } from "react"

/** The page of a payment: what it paid, what was refunded, and what is left of it. */
export function PaymentView({ payment }: { payment: Payment }) {
  const { amount, allocated, refunded, unallocated } = payment
  const { currency } = useMe().company
  const may = useMay()
  const [isEditing, setIsEditing] = useState(false)
  const removal = useVoid(payment, currency)
  const shown = (value: number) => money(value, currency)
  const title = t(($) => $.title, { amount: shown(amount) })
  return (
    <RecordPage
      kind="payments"
      record={payment}
      title={title}
      badge={null}
      facts={factsOf(payment)}
      actions={
        may("invoices", "write") && (
          <Button variant="default" onClick={() => setIsEditing(true)}>
            {t(($) => $.edit)}
          </Button>
        )
      }
      more={{ actions: [may("invoices", "delete") && removal.action], isBusy: removal.isBusy }}
      aside={
        <Figures
          title={common(($) => $.fields.payment)}
          rows={[
            [common(($) => $.fields.amount), shown(amount)],
            [common(($) => $.fields.allocated), shown(allocated)],
            refunded > 0 && [common(($) => $.fields.refunded), shown(refunded)],
            [common(($) => $.fields.unallocated), shown(unallocated)],
          ]}
        />
      }
    >
      <Stack>
        {unallocated > 0 && <RestOfPayment payment={payment} />}
        <Allocations payment={payment} />
        <Refunds payment={payment} />
        {payment.notes !== null && <Notes text={payment.notes} />}
      </Stack>
      {isEditing && <EditDialog payment={payment} name={title} onClose={() => setIsEditing(false)} />}
    </RecordPage>
  )
}

const factsOf = (payment: Payment): HeaderFact[] => [
  { label: common(($) => $.fields.customer), value: <CustomerLink of={payment} /> },
  { label: t(($) => $.date), value: date(payment.paymentDate) },
  { label: common(($) => $.fields.method), value: methodInWords(payment.method) || "–" },
  { label: common(($) => $.fields.reference), value: payment.reference ?? "–" },
]

const Notes = ({ text }: { text: string }) => (
  <Panel title={common(($) => $.fields.notes)}>
    <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {text}
    </Text>
  </Panel>
)

/** The part of a payment that pays nothing yet. */
function RestOfPayment({ payment }: { payment: Payment }) {
  const { unallocated, customerName } = payment
  const { currency } = useMe().company
  return (
    <Panel title={common(($) => $.fields.unallocated)}>
      <Text size="sm" mb="sm">
        {t(($) => $.restText, { amount: money(unallocated, currency), customer: customerName })}
      </Text>
      <RestActions payment={payment} />
    </Panel>
  )
}

/** The action that voids a payment. It says what happens to the invoices, the credit and the refunds. */
function useVoid(payment: Payment, currency: string) {
  const { id, version, allocations, unallocated, refunds } = payment
  const amount = money(payment.amount, currency)
  const numbers = numbersOf(allocations.map(({ invoiceNumber }) => invoiceNumber))
  const text = [
    allocations.length > 0 && t(($) => $.confirmVoidInvoices, { numbers }),
    unallocated > 0 && t(($) => $.confirmVoidRest, { amount: money(unallocated, currency) }),
    refunds.length > 0 && t(($) => $.confirmVoidRefunds),
    t(($) => $.confirmVoidText),
  ]
  return useDelete({
    kind: "payments",
    id,
    version,
    name: t(($) => $.title, { amount }),
    deleted: t(($) => $.wasVoided, { amount }),
    to: "/payments",
    label: t(($) => $.voidPayment),
    question: {
      title: t(($) => $.confirmVoid, { amount }),
      text: text.filter(Boolean).join(" "),
      action: t(($) => $.voidPayment),
    },
  })
}

/** The first five numbers, and how many more there are. */
const numbersOf = (all: string[]): string =>
  all.slice(0, 5).join(", ") + (all.length > 5 ? ` +${number(all.length - 5)}` : "")

/** The invoices that a payment pays. */
function Allocations({ payment: { id, version, allocations } }: { payment: Payment }) {
  const { currency } = useMe().company
  const mayVoid = useMay()("invoices", "delete")
  return (
    <PartList
      title={t(($) => $.paidInvoices)}
      none={t(($) => $.noAllocations)}
      parts={allocations.map((allocation) => {
        const values = { amount: money(allocation.amount, currency), number: allocation.invoiceNumber }
        return {
          id: allocation.id,
          title: <InvoiceLink of={allocation} />,
          text: date(allocation.allocationDate),
          amount: values.amount,
          removal: mayVoid && {
            path: `/payments/${id}/allocations/${allocation.id}`,
            version,
            label: t(($) => $.voidAllocation, values),
            question: {
              title: t(($) => $.confirmVoidAllocation, values),
              text: t(($) => $.confirmVoidAllocationText),
            },
            done: t(($) => $.allocationVoided, values),
          },
        }
      })}
    />
  )
}

/** What the customer got back of a payment. */
function Refunds({ payment: { id, version, refunds } }: { payment: Payment }) {
  const { currency } = useMe().company
  const mayVoid = useMay()("invoices", "delete")
  if (refunds.length === 0) return null
  return (
    <PartList
      title={common(($) => $.fields.refunds)}
      parts={refunds.map((refund) => {
        const amount = money(refund.amount, currency)
        return {
          id: refund.id,
          title: date(refund.refundDate),
          text: howPaid(refund),
          amount,
          removal: mayVoid && refundRemoval(`/payments/${id}`, refund.id, amount, version),
        }
      })}
    />
  )
}

type Props = {
  title: string
  /** The label and the value of each row. Rows without a value are left out. */
  rows: (readonly [label: string, value: ReactNode] | false | null)[]
  children?: ReactNode
}

/** A box with a title and a few labelled amounts. */
export function Figures({ title, rows, children }: Props) {
  return (
    <Panel title={title}>
      {rows
        .filter((row) => row !== false && row !== null)
        .map(([label, value]) => (
          <Group key={label} justify="space-between" gap="md" wrap="nowrap" align="baseline">
            <Text size="sm">{label}</Text>
            <Text size="sm" className="figures" ta="right" component="div">
              {value}
            </Text>
          </Group>
        ))}
      {children}
    </Panel>
  )
}
