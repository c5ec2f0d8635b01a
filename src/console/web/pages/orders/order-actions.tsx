import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { notifications } from "@mantine/notifications"
import { IconCopy, IconFileInvoice, IconPrinter } from "@tabler/icons-react"
import { Link, useLocation } from "wouter"
import { call, messageOf } from "../../api/client"
import { useChange, useMay } from "../../api/hooks"
import type { Answer, SalesOrder } from "../../api/types"
import { useIntentions } from "../../forms/intentions"
import { tellWarnings } from "../../parts/tell"
import { confirm } from "../../parts/confirm"
import { InvoiceOrderDialog } from "../invoices/invoice-order-dialog"
import { setOrderStatus } from "./submit-order"

type Step = { run: () => Promise<Answer<SalesOrder | undefined>>; done: string; leadsTo?: "copy" | "list" }

/** What can be done with an order as it stands, by whoever looks at it. */
export function OrderActions({ order }: { order: SalesOrder }) {
  const may = useMay()
  const [, go] = useLocation()
  const [isInvoicing, invoicing] = useDisclosure()
  const [copying, amending] = [useIntentions(), useIntentions()]
  const change = useChange(({ run }: Step) => run())
  const { id, orderNumber, version, status, allowedTransitions, invoiceStatus, invoices } = order
  const mayWrite = may("sales-orders", "write")
  const isOpen = status === "submitted" && invoiceStatus !== "invoiced"
  const isUntouched = invoiceStatus === "not_invoiced"
  const mayDelete =
    may("sales-orders", "delete") && (status === "draft" || (status === "cancelled" && invoices.length === 0))

  const perform = (step: Step) =>
    change.mutate(step, {
      onSuccess: ({ data, warnings }) => {
        tellWarnings(warnings)
        notifications.show({ message: step.done, color: "teal" })
        if (step.leadsTo === "copy" && data) go(`/orders/${data.id}`)
        if (step.leadsTo === "list") go("/orders")
      },
      onError: (error) => notifications.show({ message: messageOf(error), color: "red" }),
    })

  const duplicate = () =>
    perform({
      run: () => call("POST", `/sales-orders/${id}/duplicate`, { idempotencyKey: copying.of({ id }) }),
      done: `${orderNumber} was copied into a new draft.`,
      leadsTo: "copy",
    })

  const amend = async () => {
    const question = {
      title: `Amend ${orderNumber}?`,
      text: "The order is cancelled, and a new draft with the same lines takes its place.",
      action: "Amend",
      isDangerous: false,
    }
    if (!(await confirm(question))) return
    perform({
      run: () => call("POST", `/sales-orders/${id}/amend`, { idempotencyKey: amending.of({ id }) }),
      done: `${orderNumber} was cancelled; this draft takes its place.`,
      leadsTo: "copy",
    })
  }

  const close = async () => {
    const answer = await confirm({
      title: `Close ${orderNumber} short?`,
      text: "What has not been invoiced will not be, and its stock is free again.",
      action: "Close short",
      reason: "Reason",
    })
    if (!answer) return
    const reason = answer.reason || null
    perform({
      run: () => setOrderStatus(order, { status: "completed", reason }),
      done: `${orderNumber} was closed.`,
    })
  }

  const cancel = async () => {
    const answer = await confirm({
      title: `Cancel ${orderNumber}?`,
      text: "A cancelled order cannot be opened again.",
      action: "Cancel the order",
      reason: "Reason",
    })
    if (!answer) return
    const reason = answer.reason || null
    perform({
      run: () => setOrderStatus(order, { status: "cancelled", reason }),
      done: `${orderNumber} was cancelled.`,
    })
  }

  const remove = async () => {
    if (!(await confirm({ title: `Delete ${orderNumber}?`, action: "Delete" }))) return
    perform({
      run: () => call("DELETE", `/sales-orders/${id}`, { version }),
      done: `${orderNumber} was deleted.`,
      leadsTo: "list",
    })
  }

  const common = { variant: "default", disabled: change.isPending } as const
  return (
    <>
      {isOpen && may("invoices", "write") && (
        <Button
          leftSection={<IconFileInvoice size={16} />}
          disabled={change.isPending}
          onClick={invoicing.open}
        >
          Invoice
        </Button>
      )}
      <Button
        {...common}
        component={Link}
        href={`/orders/${id}/print`}
        leftSection={<IconPrinter size={16} />}
      >
        Print
      </Button>
      {mayWrite && (
        <Button {...common} leftSection={<IconCopy size={16} />} onClick={duplicate}>
          Duplicate
        </Button>
      )}
      {mayWrite && status === "submitted" && isUntouched && (
        <Button {...common} onClick={amend}>
          Amend
        </Button>
      )}
      {mayWrite && allowedTransitions.includes("completed") && (
        <Button {...common} onClick={close}>
          Close short
        </Button>
      )}
      {mayWrite && allowedTransitions.includes("cancelled") && isUntouched && (
        <Button {...common} variant="light" color="red" onClick={cancel}>
          Cancel order
        </Button>
      )}
      {mayDelete && (
        <Button {...common} variant="light" color="red" onClick={remove}>
          Delete
        </Button>
      )}
      {isInvoicing && <InvoiceOrderDialog order={order} onClose={invoicing.close} />}
    </>
  )
}
