import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconFileInvoice } from "../../../console/parts/icons"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { setStatus, type Step, useSteps } from "../../../trade/page/use-steps"
import { useIntentions } from "../../../console/forms/use-record-form"
import type { MoreAction } from "../../../console/parts/more-menu"
import { useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as tradeTexts } from "../../../trade/page/texts"
import { InvoiceOrderDialog } from "../../invoices/page/invoice-order-dialog"
import { call } from "../../../console/api/client"
import { confirm } from "../../../console/parts/confirm"

type Steps = ReturnType<typeof useSteps<SalesOrder | undefined>>

/** The actions on an order, by its status and the rights of the user. The main action of a draft is in its form. */
export function useOrderActions(order: SalesOrder) {
  const steps: Steps = useSteps()
  return {
    actions: (
      <>
        <PdfButton kind="sales-orders" id={order.id} isDisabled={steps.isPending} />
        <InvoiceAction order={order} isDisabled={steps.isPending} />
      </>
    ),
    more: { actions: useMoreActions(order, steps), isBusy: steps.isPending },
  }
}

function InvoiceAction({ order, isDisabled }: { order: SalesOrder; isDisabled: boolean }) {
  const may = useMay()
  const [isInvoicing, { open, close }] = useDisclosure()
  const isOpen = order.status === "submitted" && order.invoiceStatus !== "invoiced"
  return (
    <>
      {isOpen && may("invoices", "write") && (
        <Button leftSection={<IconFileInvoice size={16} />} disabled={isDisabled} onClick={open}>
          {t(($) => $.invoice)}
        </Button>
      )}
      {isInvoicing && <InvoiceOrderDialog order={order} onClose={close} />}
    </>
  )
}

function useMoreActions(order: SalesOrder, { take }: Steps): (MoreAction | false)[] {
  const may = useMay()
  const copy = useDuplicate("/orders", order.id)
  const amending = useIntentions()
  const { status, allowedTransitions, invoiceStatus, invoices } = order
  const isUntouched = invoiceStatus === "not_invoiced"
  const mayWrite = may("sales-orders", "write")
  const mayDelete =
    may("sales-orders", "delete") && (status === "draft" || (status === "cancelled" && invoices.length === 0))
  return [
    mayWrite && copy,
    mayWrite &&
      status === "submitted" &&
      isUntouched && { label: t(($) => $.amend), onClick: () => take(amend(order, amending)) },
    mayWrite &&
      allowedTransitions.includes("completed") && {
        label: t(($) => $.complete),
        onClick: () => take(completeOrder(order)),
      },
    mayWrite &&
      allowedTransitions.includes("cancelled") && {
        label: t(($) => $.cancel),
        onClick: () => take(cancel(order)),
        blockedBy: isUntouched ? undefined : t(($) => $.hasInvoices),
      },
    mayDelete && { label: common(($) => $.common.delete), onClick: () => take(remove(order)) },
  ]
}

type Keys = ReturnType<typeof useIntentions>
/** The response is undefined after a delete. */
type OrderStep = Step<SalesOrder | undefined>

/** Returns the path of the new draft. */
const toCopy = (copy: SalesOrder | undefined) => (copy ? `/orders/${copy.id}` : "/orders")

async function amend({ id, orderNumber }: SalesOrder, keys: Keys): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.confirmAmend, { number: orderNumber }),
    text: t(($) => $.confirmAmendText),
    action: t(($) => $.amend),
    isDangerous: false,
  })
  return (
    answer && {
      run: () => call("POST", `/sales-orders/${id}/amend`, { idempotencyKey: keys.of({ id }) }),
      done: t(($) => $.wasAmended, { number: orderNumber }),
      nextPage: toCopy,
    }
  )
}

async function completeOrder(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.confirmComplete, { number: order.orderNumber }),
    text: t(($) => $.confirmCompleteText),
    action: t(($) => $.complete),
    reason: common(($) => $.fields.reason),
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "completed", reason: answer.reason || null }),
      done: t(($) => $.wasCompleted, { number: order.orderNumber }),
    }
  )
}

async function cancel(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: tradeTexts(($) => $.documents.confirmCancel, { number: order.orderNumber }),
    text: t(($) => $.confirmCancelText),
    action: t(($) => $.cancel),
    dismiss: t(($) => $.keep),
    reason: common(($) => $.fields.reason),
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "cancelled", reason: answer.reason || null }),
      done: tradeTexts(($) => $.documents.wasCancelled, { number: order.orderNumber }),
    }
  )
}

async function remove({ id, version, orderNumber }: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: common(($) => $.parts.confirmDelete, { name: orderNumber }),
    action: common(($) => $.common.delete),
  })
  return (
    answer && {
      run: () => call("DELETE", `/sales-orders/${id}`, { version }),
      done: t(($) => $.wasDeleted, { number: orderNumber }),
      nextPage: () => "/orders",
    }
  )
}
