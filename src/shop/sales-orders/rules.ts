import { fieldError, Refusal, type FieldError } from "../../core/lib/refusal"
import { dateOrderErrors } from "../../trade/documents/dates"
import { foreignFields } from "../../trade/documents/rules"
import type { OrderStatus } from "./model"
import type { StockMove } from "../stock-movements/service"
import type { Order, OrderHead, OrderLine } from "./model"

/** The transitions that a caller can request. A status without transitions is final. */
export const transitions = {
  draft: ["submitted", "cancelled"],
  submitted: ["completed", "cancelled"],
  completed: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>

/**
 * The automatic transitions: an order completes when everything is invoiced and delivered, and reopens when an invoice is
 * cancelled.
 */
export const automaticStatuses = {
  submitted: "completed",
  completed: "submitted",
} as const satisfies Partial<Record<OrderStatus, OrderStatus>>

/** The fields that can still be updated in each status. */
export const editable: Record<OrderStatus, readonly string[] | "all"> = {
  draft: "all",
  submitted: "all",
  completed: ["notes", ...foreignFields],
  cancelled: foreignFields,
}

export const nameOf = ({ orderNumber }: OrderHead): string => `Sales order ${orderNumber}`

/** The invoices and deliveries of an order: whether it ever had any, and whether one counts now. */
type Invoiced = {
  wasInvoiced: boolean
  hasLiveInvoice: boolean
  wasDelivered: boolean
  hasLiveDelivery: boolean
}

/** Refuses to delete an order that is submitted, completed or invoiced. */
export function assertDeletable(order: OrderHead, invoiced: Invoiced): void {
  const { orderNumber, status, submittedAt } = order
  if (status === "draft" || (status === "cancelled" && !invoiced.wasInvoiced && !invoiced.wasDelivered))
    return
  const why = whyKept(status, invoiced)
  throw new Refusal("DOCUMENT_LOCKED", `Sales order ${orderNumber} cannot be deleted: ${why}.`, {
    params: { number: orderNumber, status },
    details: [
      fieldError("status", "RULE", submittedAt ? "was submitted" : `is ${status}`, {
        rule: "STATUS",
        status,
      }),
    ],
  })
}

/** Why an order cannot be deleted, and what can be done instead. */
function whyKept(status: OrderStatus, { wasInvoiced, hasLiveInvoice, hasLiveDelivery }: Invoiced): string {
  if (status === "cancelled") return wasInvoiced ? "it has been invoiced" : "it had deliveries"
  if (status === "submitted") {
    if (hasLiveInvoice) return "it is invoiced; cancel its invoices, then cancel it"
    return hasLiveDelivery
      ? "it is delivered; cancel its deliveries, then cancel it"
      : "it is submitted; cancel it instead"
  }
  return hasLiveInvoice
    ? "it is completed; cancelling one of its invoices reopens it"
    : "it is completed, which is final; duplicate it to order again"
}

export const deliveryErrors = (orderDate: unknown, deliveryDate: unknown): FieldError[] =>
  dateOrderErrors(["orderDate", orderDate], ["deliveryDate", deliveryDate])

/** Returns how much of an order has been invoiced. */
export function billingStatusOf(lines: readonly OrderLine[]): OrderHead["invoiceStatus"] {
  if (lines.every(({ invoicedQuantity }) => invoicedQuantity === 0)) return "not_invoiced"
  return isInvoiced(lines) ? "invoiced" : "partially_invoiced"
}

export const isInvoiced = (lines: readonly OrderLine[]): boolean =>
  lines.every(({ quantity, invoicedQuantity }) => quantity === invoicedQuantity)

/** True for a line with goods. Services and lines without an item need no delivery. */
export type IsGoods = (line: OrderLine) => boolean

/** Returns how much of the goods of an order has been delivered; of an order without goods, of all its lines. */
export function deliveryStatusOf(lines: readonly OrderLine[], isGoods: IsGoods): OrderHead["deliveryStatus"] {
  if (!hasDeliveries(lines)) return "not_delivered"
  const goods = lines.filter(isGoods)
  return isDelivered(goods.length > 0 ? goods : lines) ? "delivered" : "partially_delivered"
}

const isDelivered = (lines: readonly OrderLine[]): boolean =>
  lines.every(({ quantity, deliveredQuantity }) => quantity === deliveredQuantity)

/** True if an order has a delivery that is not cancelled. */
export const hasDeliveries = (lines: readonly OrderLine[]): boolean =>
  lines.some(({ deliveredQuantity }) => deliveredQuantity > 0)

/** True when nothing is left to do for an order: all is invoiced and, if it has deliveries, all goods are delivered. */
export const isDone = (lines: readonly OrderLine[], isGoods: IsGoods): boolean =>
  isInvoiced(lines) && (!hasDeliveries(lines) || isDelivered(lines.filter(isGoods)))

/** Returns the status of an order after it was invoiced, or one of its invoices was cancelled. */
export function statusByBilling(
  status: OrderStatus,
  lines: readonly OrderLine[],
  isGoods: IsGoods,
): OrderStatus {
  if (isDone(lines, isGoods)) return automaticStatuses.submitted
  return status === "completed" ? automaticStatuses.completed : status
}

/** Returns the status of an order after a delivery, or after one was cancelled. A completed order stays completed. */
export const statusByDelivery = (
  status: OrderStatus,
  lines: readonly OrderLine[],
  isGoods: IsGoods,
): OrderStatus => (isDone(lines, isGoods) ? automaticStatuses.submitted : status)

/** The fields of an order that change with its status. */
export const movedTo = (before: OrderHead, status: OrderStatus, now: string) =>
  status === before.status ? {} : { status, completedAt: status === "completed" ? now : null }

type Figures = Pick<OrderLine, "invoicedQuantity" | "deliveredQuantity">

/** The quantity of a line that has left the stock: what is invoiced or delivered, whichever is more. */
export const goneOf = ({ invoicedQuantity, deliveredQuantity }: Figures): number =>
  Math.max(invoicedQuantity, deliveredQuantity)

/** Returns what leaves the stock when so much more of a line is invoiced or delivered. A negative quantity comes back. */
export const leavingBy = (line: OrderLine, more: Partial<Figures>): StockQuantity => ({
  item: line.item,
  quantity:
    goneOf({
      invoicedQuantity: line.invoicedQuantity + (more.invoicedQuantity ?? 0),
      deliveredQuantity: line.deliveredQuantity + (more.deliveredQuantity ?? 0),
    }) - goneOf(line),
})
type StockQuantity = { item: string | null; quantity: number }

/** Returns the stock that an order reserves. Only a submitted order reserves stock. */
export const reservedBy = ({ head, lines }: Order): StockMove[] =>
  head.status === "submitted"
    ? lines.flatMap((line) =>
        line.item === null ? [] : [{ item: line.item, quantity: line.quantity - goneOf(line) }],
      )
    : []

/**
 * Returns the amount of a submitted order that is not invoiced yet, in the minor unit; 0 for other orders. Deposits count
 * as invoiced until they are deducted from an invoice, which counts then.
 */
export const openValueOf = ({
  status,
  total,
  invoicedTotal,
  depositTotal,
  deductedTotal,
}: OrderHead): number =>
  status === "submitted" ? Math.max(0, total - invoicedTotal - depositTotal + deductedTotal) : 0
