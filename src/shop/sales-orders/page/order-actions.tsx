import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconFileInvoice } from "../../../console/parts/icons"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { PdfButton } from "../../../trade/page/pdf-button"
import { useSteps } from "../../../trade/page/use-steps"
import { useIntentions } from "../../../console/forms/intentions"
import type { MoreAction } from "../../../console/parts/more-menu"
import { useDuplicate } from "../../../console/parts/use-duplicate"
import { t } from "../../../console/texts"
import { InvoiceOrderDialog } from "../../invoices/page/invoice-order-dialog"
import { amend, cancel, completeOrder, remove } from "./order-steps"

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
          {t(($) => $.orders.invoice)}
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
      isUntouched && { label: t(($) => $.orders.amend), onClick: () => take(amend(order, amending)) },
    mayWrite &&
      allowedTransitions.includes("completed") && {
        label: t(($) => $.orders.complete),
        onClick: () => take(completeOrder(order)),
      },
    mayWrite &&
      allowedTransitions.includes("cancelled") && {
        label: t(($) => $.orders.cancel),
        onClick: () => take(cancel(order)),
        blockedBy: isUntouched ? undefined : t(($) => $.orders.hasInvoices),
      },
    mayDelete && { label: t(($) => $.common.delete), onClick: () => take(remove(order)) },
  ]
}
