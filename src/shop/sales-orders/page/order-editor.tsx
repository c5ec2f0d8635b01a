import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { messageOf } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import type { Customer, Me, SalesOrder } from "../../../console/api/types"
import { withinCredit } from "../../../trade/page/credit"
import { DayInput } from "../../../console/forms/day-input"
import { documentValues } from "../../../trade/page/document-values"
import { DraftEditor } from "../../../trade/page/draft-editor"
import { copyOfLine } from "../../../trade/page/filled-line"
import { useDraft } from "../../../trade/page/use-draft"
import { setStatus } from "../../../trade/page/use-steps"
import { digitsOf } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

type Props = {
  /** The draft; null for a new order. */
  order: SalesOrder | null
  /** The customer of a new order, if known. */
  customer?: Customer
  /** The order from which a new one is filled. */
  copied?: SalesOrder | null
}

/** Edits and submits a draft. */
export function OrderEditor({ order, customer, copied }: Props) {
  const state = useOrderDraft({ order, customer, copied })
  const { form, saveAndFinalize } = state
  const maySubmit = !order || order.allowedTransitions.includes("submitted")
  return (
    <DraftEditor
      kind="sales-orders"
      record={order}
      customer={copied ? { name: copied.customerName } : customer}
      state={state}
      finalize={maySubmit ? { label: t(($) => $.orders.saveAndSubmit), onClick: saveAndFinalize } : null}
      dates={
        <>
          <DayInput label={t(($) => $.fields.orderDate)} required {...form.getInputProps("orderDate")} />
          <DayInput
            label={t(($) => $.fields.deliveryDate)}
            clearable
            minDate={form.values.orderDate}
            {...form.getInputProps("deliveryDate")}
          />
        </>
      }
    />
  )
}

function useOrderDraft({ order, customer, copied }: Props) {
  const { role, company } = useMe()
  const [, go] = useLocation()
  const openNew = ({ id }: SalesOrder) => {
    if (!order) go(`/orders/${id}`, { replace: true })
  }
  return useDraft({
    kind: "sales-orders",
    record: order,
    valuesOf: (from) => (!from && copied ? copyOf(copied, company) : valuesOf(from, customer, company)),
    finalize: (saved) =>
      withinCredit(role, { document: "order", action: t(($) => $.orders.submitAnyway) }, (override) =>
        setStatus("sales-orders", saved, { status: "submitted", ...(override ? { override } : {}) }),
      ),
    onDone: (saved, outcome) => {
      const number = saved.orderNumber
      tellDone(
        outcome === "finalized"
          ? t(($) => $.orders.wasSubmitted, { number })
          : t(($) => $.orders.wasSavedAsDraft, { number }),
      )
      openNew(saved)
    },
    // A new order is already saved as a draft, so the user continues on its page.
    onRefused: order
      ? undefined
      : (saved, error) => {
          notifications.show({ message: messageOf(error), color: "red", autoClose: false })
          openNew(saved)
        },
  })
}

const valuesOf = (order: SalesOrder | null, customer: Customer | undefined, company: Me["company"]) => ({
  ...documentValues(order, customer, company),
  orderDate: order?.orderDate ?? company.today,
  deliveryDate: order?.deliveryDate ?? null,
})

/** The values of a new order that is like another one, with its own dates. */
const copyOf = (order: SalesOrder, company: Me["company"]) => ({
  ...valuesOf(order, undefined, company),
  orderDate: company.today,
  deliveryDate: null,
  items: order.items.map((line) => copyOfLine(line, digitsOf(company.currency))),
})
