import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconFileInvoice, IconTruckDelivery } from "../../../console/parts/icons"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { SendAction } from "../../../trade/page/mail/send-action"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { askedFor, cancelled, setStatus, useSteps } from "../../../trade/page/use-steps"
import type { MoreAction } from "../../../console/parts/more-menu"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { DeliverDialog, leftToDeliver } from "../../deliveries/page/deliver-dialog"
import { t as deliveryTexts } from "../../deliveries/page/texts"
import { DepositDialog, useMayAsk } from "../../invoices/deposits/page/deposit-dialog"
import { t as depositTexts } from "../../invoices/deposits/page/texts"
import { InvoiceOrderDialog } from "../../invoices/page/from-order/invoice-order-dialog"

type Steps = ReturnType<typeof useSteps<SalesOrder>>

type Mode = { isEdited: boolean; edit: () => void }

/** The actions on an order, by its status and the rights of the user. The main action of a draft is in its form. */
export function useOrderActions(order: SalesOrder, { isEdited, edit }: Mode) {
  const may = useMay()
  const steps: Steps = useSteps()
  const { id, version, orderNumber } = order
  const removal = useDelete({
    kind: "sales-orders",
    id,
    version,
    name: orderNumber,
    deleted: t(($) => $.wasDeleted, { number: orderNumber }),
    to: "/orders",
  })
  const isBusy = steps.isPending || removal.isBusy
  const delivering = useLateDelivery(order)
  const asking = useDeposit(order)
  return {
    actions: (
      <>
        {order.status !== "draft" && order.status !== "cancelled" && (
          <SendAction
            kind="sales-orders"
            document={order}
            number={orderNumber}
            isDisabled={isBusy}
            mustBeSaved={isEdited}
          />
        )}
        <PdfButton kind="sales-orders" id={order.id} isDisabled={isBusy} />
        <DeliverAction order={order} isDisabled={isBusy || isEdited} />
        <InvoiceAction order={order} isDisabled={isBusy || isEdited} />
        {delivering.dialog}
        {asking.dialog}
      </>
    ),
    more: {
      actions: [
        may("sales-orders", "write") &&
          order.status === "submitted" &&
          !isEdited && { label: t(($) => $.edit), onClick: edit },
        delivering.action,
        !isEdited && asking.action,
        ...useMoreActions(order, steps, removal.action),
      ],
      isBusy,
    },
  }
}

/** True when something of an order is left to deliver, and the user may deliver it. */
function useMayDeliver(order: SalesOrder, status: SalesOrder["status"]): boolean {
  const may = useMay()("sales-orders", "write")
  return may && order.status === status && order.items.some((line) => leftToDeliver(order, line) > 0)
}

function DeliverAction({ order, isDisabled }: { order: SalesOrder; isDisabled: boolean }) {
  const [isDelivering, { open, close }] = useDisclosure()
  const mayDeliver = useMayDeliver(order, "submitted")
  return (
    <>
      {mayDeliver && (
        <Button
          variant="default"
          leftSection={<IconTruckDelivery size={16} />}
          disabled={isDisabled}
          onClick={open}
        >
          {deliveryTexts(($) => $.deliver)}
        </Button>
      )}
      {isDelivering && <DeliverDialog order={order} onClose={close} />}
    </>
  )
}

/** Delivering a completed order. Most were delivered without a delivery note, so it is in the menu. */
function useLateDelivery(order: SalesOrder) {
  const [isDelivering, { open, close }] = useDisclosure()
  const mayDeliver = useMayDeliver(order, "completed")
  return {
    action: mayDeliver && { label: deliveryTexts(($) => $.deliver), onClick: open },
    dialog: isDelivering && <DeliverDialog order={order} onClose={close} />,
  }
}

/** Asking for a deposit. Most orders need none, so it is in the menu. */
function useDeposit(order: SalesOrder) {
  const [isAsking, { open, close }] = useDisclosure()
  const mayAsk = useMayAsk(order)
  return {
    action: mayAsk && { label: depositTexts(($) => $.request), onClick: open },
    dialog: isAsking && <DepositDialog order={order} onClose={close} />,
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

function useMoreActions(order: SalesOrder, { take }: Steps, removal: MoreAction): (MoreAction | false)[] {
  const may = useMay()
  const copy = useDuplicate("/orders", order.id)
  const { status, allowedTransitions, invoiceStatus, invoices, depositInvoices, deliveries } = order
  const documents = [...invoices, ...depositInvoices, ...deliveries]
  const isInvoiced = invoiceStatus !== "not_invoiced"
  const hasDeposits = order.depositTotal > 0
  const isDelivered = order.deliveryStatus !== "not_delivered"
  const mayWrite = may("sales-orders", "write")
  const mayDelete =
    may("sales-orders", "delete") &&
    (status === "draft" || (status === "cancelled" && documents.length === 0))
  return [
    mayWrite && copy,
    mayWrite &&
      allowedTransitions.includes("completed") && {
        label: t(($) => $.complete),
        onClick: () => take(complete(order)),
      },
    mayWrite &&
      allowedTransitions.includes("cancelled") && {
        label: t(($) => $.cancel),
        onClick: () => take(cancel(order)),
        blockedBy: whyKept({ isInvoiced, hasDeposits, isDelivered }),
      },
    mayDelete && removal,
  ]
}

type Kept = Record<"isInvoiced" | "hasDeposits" | "isDelivered", boolean>

/** Why a submitted order cannot be cancelled. */
function whyKept({ isInvoiced, hasDeposits, isDelivered }: Kept): string | undefined {
  if (isInvoiced) return t(($) => $.hasInvoices)
  if (hasDeposits) return depositTexts(($) => $.cannotLeave)
  return isDelivered ? t(($) => $.hasDeliveries) : undefined
}

const complete = (order: SalesOrder) =>
  askedFor<SalesOrder>(
    {
      title: t(($) => $.confirmComplete, { number: order.orderNumber }),
      text: t(($) => $.confirmCompleteText),
      action: t(($) => $.complete),
      reason: common(($) => $.fields.reason),
    },
    ({ reason }) => ({
      run: () => setStatus("sales-orders", order, { status: "completed", reason: reason || null }),
      done: t(($) => $.wasCompleted, { number: order.orderNumber }),
    }),
  )

const cancel = (order: SalesOrder) =>
  cancelled("sales-orders", order, order.orderNumber, {
    text: t(($) => $.confirmCancelText),
    action: t(($) => $.cancel),
    dismiss: t(($) => $.keep),
  })
