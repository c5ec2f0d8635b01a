import { useMay, useMe } from "../../../console/api/hooks"
import type { Payment } from "../../../console/api/types"
import { PartList } from "../../../trade/page/part-list"
import { date, money } from "../../../console/format"
import { t } from "../../../console/texts"
import { InvoiceLink } from "../../credit-notes/page/invoice-link"
import { refundRemoval } from "../../credit-notes/page/removals"

/** The invoices that a payment pays. */
export function Allocations({ payment: { id, version, allocations } }: { payment: Payment }) {
  const { currency } = useMe().company
  const mayVoid = useMay()("invoices", "delete")
  return (
    <PartList
      title={t(($) => $.payments.paidInvoices)}
      none={t(($) => $.payments.noAllocations)}
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
            label: t(($) => $.payments.voidAllocation, values),
            question: {
              title: t(($) => $.payments.confirmVoidAllocation, values),
              text: t(($) => $.payments.confirmVoidAllocationText),
            },
            done: t(($) => $.payments.allocationVoided, values),
          },
        }
      })}
    />
  )
}

/** What the customer got back of a payment. */
export function Refunds({ payment: { id, version, refunds } }: { payment: Payment }) {
  const { currency } = useMe().company
  const mayVoid = useMay()("invoices", "delete")
  if (refunds.length === 0) return null
  return (
    <PartList
      title={t(($) => $.fields.refunds)}
      parts={refunds.map((refund) => {
        const amount = money(refund.amount, currency)
        return {
          id: refund.id,
          title: date(refund.refundDate),
          text: [refund.method, refund.reference].filter(Boolean).join(" · ") || "–",
          amount,
          removal: mayVoid && refundRemoval(`/payments/${id}`, refund.id, amount, version),
        }
      })}
    />
  )
}
