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
 * The automatic transitions: an order completes when everything is invoiced, and reopens when an invoice is cancelled.
 */
export const automaticStatuses = {
  submitted: "completed",
  completed: "submitted",
} as const satisfies Partial<Record<OrderStatus, OrderStatus>>

/** The fields that can still be updated in each status. */
export const editable: Record<OrderStatus, readonly string[] | "all"> = {
  draft: "all",
  submitted: ["notes", "deliveryDate", ...foreignFields],
  completed: ["notes", ...foreignFields],
  cancelled: foreignFields,
}

export const nameOf = ({ orderNumber }: OrderHead): string => `Sales order ${orderNumber}`

/** The invoices of an order: whether it ever had one, and whether one is issued and not cancelled. */
type Invoiced = { wasInvoiced: boolean; hasLiveInvoice: boolean }

/** Refuses to delete an order that is submitted, completed or invoiced. */
export function assertDeletable(order: OrderHead, invoiced: Invoiced): void {
  const { orderNumber, status, submittedAt } = order
  if (status === "draft" || (status === "cancelled" && !invoiced.wasInvoiced)) return
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
function whyKept(status: OrderStatus, { hasLiveInvoice }: Invoiced): string {
  if (status === "cancelled") return "it has been invoiced"
  if (status === "submitted")
    return hasLiveInvoice
      ? "it is invoiced; cancel its invoices, then cancel it"
      : "it is submitted; cancel it instead"
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

/** Returns the status of an order by the invoiced quantities of its lines. */
export function statusByBilling(status: OrderStatus, lines: readonly OrderLine[]): OrderStatus {
  if (isInvoiced(lines)) return automaticStatuses.submitted
  return status === "completed" ? automaticStatuses.completed : status
}

/** Returns the stock that an order reserves. Only a submitted order reserves stock. */
export const reservedBy = ({ head, lines }: Order): StockMove[] =>
  head.status === "submitted"
    ? lines.flatMap(({ item, quantity, invoicedQuantity }) =>
        item === null ? [] : [{ item, quantity: quantity - invoicedQuantity }],
      )
    : []

/** Returns the amount of a submitted order that is not invoiced yet, in the minor unit; 0 for other orders. */
export const openValueOf = ({ status, total, invoicedTotal }: OrderHead): number =>
  status === "submitted" ? Math.max(0, total - invoicedTotal) : 0
