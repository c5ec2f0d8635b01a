import { call } from "../../../console/api/client"
import type { SalesOrder } from "../../../console/api/types"
import { setStatus, type Step } from "../../../trade/page/use-steps"
import type { useIntentions } from "../../../console/forms/intentions"
import { confirm } from "../../../console/parts/confirm"
import { t } from "../../../console/texts"

type Keys = ReturnType<typeof useIntentions>
/** The response is undefined after a delete. */
export type OrderStep = Step<SalesOrder | undefined>

/** Returns the path of the new draft. */
const toCopy = (copy: SalesOrder | undefined) => (copy ? `/orders/${copy.id}` : "/orders")

export async function amend({ id, orderNumber }: SalesOrder, keys: Keys): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.orders.confirmAmend, { number: orderNumber }),
    text: t(($) => $.orders.confirmAmendText),
    action: t(($) => $.orders.amend),
    isDangerous: false,
  })
  return (
    answer && {
      run: () => call("POST", `/sales-orders/${id}/amend`, { idempotencyKey: keys.of({ id }) }),
      done: t(($) => $.orders.wasAmended, { number: orderNumber }),
      nextPage: toCopy,
    }
  )
}

export async function completeOrder(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.orders.confirmComplete, { number: order.orderNumber }),
    text: t(($) => $.orders.confirmCompleteText),
    action: t(($) => $.orders.complete),
    reason: t(($) => $.fields.reason),
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "completed", reason: answer.reason || null }),
      done: t(($) => $.orders.wasCompleted, { number: order.orderNumber }),
    }
  )
}

export async function cancel(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.documents.confirmCancel, { number: order.orderNumber }),
    text: t(($) => $.orders.confirmCancelText),
    action: t(($) => $.orders.cancel),
    dismiss: t(($) => $.orders.keep),
    reason: t(($) => $.fields.reason),
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "cancelled", reason: answer.reason || null }),
      done: t(($) => $.documents.wasCancelled, { number: order.orderNumber }),
    }
  )
}

export async function remove({ id, version, orderNumber }: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: t(($) => $.parts.confirmDelete, { name: orderNumber }),
    action: t(($) => $.common.delete),
  })
  return (
    answer && {
      run: () => call("DELETE", `/sales-orders/${id}`, { version }),
      done: t(($) => $.orders.wasDeleted, { number: orderNumber }),
      nextPage: () => "/orders",
    }
  )
}
