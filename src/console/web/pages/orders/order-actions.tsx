import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconCopy, IconFileInvoice } from "@tabler/icons-react"
import { useMay } from "../../api/hooks"
import type { SalesOrder } from "../../api/types"
import { PrintButton } from "../../documents/print-button"
import { useSteps } from "../../documents/use-steps"
import { useIntentions } from "../../forms/intentions"
import { InvoiceOrderDialog } from "../invoices/invoice-order-dialog"
import { amend, cancel, completeOrder, duplicate, remove } from "./order-steps"

type Steps = ReturnType<typeof useSteps<SalesOrder | undefined>>

/** The actions on an order, by its status and the rights of the user. */
export function OrderActions({ order }: { order: SalesOrder }) {
  const may = useMay()
  const steps: Steps = useSteps()
  const { id, status, invoices } = order
  const mayDelete =
    may("sales-orders", "delete") && (status === "draft" || (status === "cancelled" && invoices.length === 0))
  return (
    <>
      <InvoiceAction order={order} isDisabled={steps.isPending} />
      <PrintButton of={`/orders/${id}`} isDisabled={steps.isPending} />
      {may("sales-orders", "write") && <WriterActions order={order} steps={steps} />}
      {mayDelete && (
        <Button
          variant="light"
          color="red"
          disabled={steps.isPending}
          onClick={() => steps.take(remove(order))}
        >
          Delete
        </Button>
      )}
    </>
  )
}

function InvoiceAction({ order, isDisabled }: { order: SalesOrder; isDisabled: boolean }) {
  const may = useMay()
  const [isInvoicing, { open, close }] = useDisclosure()
  const isOpen = order.status === "submitted" && order.invoiceStatus !== "invoiced"
  return (
    <>
      {isOpen && may("invoices", "write") && (
        <Button leftSection={<IconFileInvoice size={16} />} disabled={isDisabled} onClick={open}>
          Invoice
        </Button>
      )}
      {isInvoicing && <InvoiceOrderDialog order={order} onClose={close} />}
    </>
  )
}

/** The actions that update or copy the order. */
function WriterActions({ order, steps: { take, isPending } }: { order: SalesOrder; steps: Steps }) {
  const [copying, amending] = [useIntentions(), useIntentions()]
  const { status, allowedTransitions, invoiceStatus } = order
  const isUntouched = invoiceStatus === "not_invoiced"
  const common = { variant: "default", disabled: isPending } as const
  return (
    <>
      <Button
        {...common}
        leftSection={<IconCopy size={16} />}
        onClick={() => take(duplicate(order, copying))}
      >
        Duplicate
      </Button>
      {status === "submitted" && isUntouched && (
        <Button {...common} onClick={() => take(amend(order, amending))}>
          Amend
        </Button>
      )}
      {allowedTransitions.includes("completed") && (
        <Button {...common} onClick={() => take(completeOrder(order))}>
          Complete order
        </Button>
      )}
      {allowedTransitions.includes("cancelled") && isUntouched && (
        <Button {...common} variant="light" color="red" onClick={() => take(cancel(order))}>
          Cancel order
        </Button>
      )}
    </>
  )
}
