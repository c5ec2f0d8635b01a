import { call } from "../../api/client"
import type { SalesOrder } from "../../api/types"
import { setStatus, type Step } from "../../documents/use-steps"
import type { useIntentions } from "../../forms/intentions"
import { confirm } from "../../parts/confirm"

type Keys = ReturnType<typeof useIntentions>
/** The response is undefined after a delete. */
export type OrderStep = Step<SalesOrder | undefined>

/** Returns the path of the new draft. */
const toCopy = (copy: SalesOrder | undefined) => (copy ? `/orders/${copy.id}` : "/orders")

export const duplicate = ({ id, orderNumber }: SalesOrder, keys: Keys): OrderStep => ({
  run: () => call("POST", `/sales-orders/${id}/duplicate`, { idempotencyKey: keys.of({ id }) }),
  done: `${orderNumber} was duplicated as a new draft.`,
  nextPage: toCopy,
})

export async function amend({ id, orderNumber }: SalesOrder, keys: Keys): Promise<OrderStep | null> {
  const answer = await confirm({
    title: `Amend ${orderNumber}?`,
    text: "The order is cancelled and replaced by a new draft with the same lines.",
    action: "Amend",
    isDangerous: false,
  })
  return (
    answer && {
      run: () => call("POST", `/sales-orders/${id}/amend`, { idempotencyKey: keys.of({ id }) }),
      done: `${orderNumber} was cancelled and replaced by this draft.`,
      nextPage: toCopy,
    }
  )
}

export async function completeOrder(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: `Complete ${order.orderNumber}?`,
    text: "The remaining quantities will not be invoiced, and their reserved stock is released.",
    action: "Complete order",
    reason: "Reason",
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "completed", reason: answer.reason || null }),
      done: `${order.orderNumber} was completed.`,
    }
  )
}

export async function cancel(order: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({
    title: `Cancel ${order.orderNumber}?`,
    text: "A cancelled order cannot be reopened.",
    action: "Cancel order",
    dismiss: "Keep order",
    reason: "Reason",
  })
  return (
    answer && {
      run: () => setStatus("sales-orders", order, { status: "cancelled", reason: answer.reason || null }),
      done: `${order.orderNumber} was cancelled.`,
    }
  )
}

export async function remove({ id, version, orderNumber }: SalesOrder): Promise<OrderStep | null> {
  const answer = await confirm({ title: `Delete ${orderNumber}?`, action: "Delete" })
  return (
    answer && {
      run: () => call("DELETE", `/sales-orders/${id}`, { version }),
      done: `${orderNumber} was deleted.`,
      nextPage: () => "/orders",
    }
  )
}
