import { Refusal, type Detail } from "../../lib/refusal"
import { assertTransition, assertUnlocked } from "../lines/rules"
import type { Move } from "../stock-movements/service"
import type { Order, OrderHead, OrderLine } from "./model"
import type { OrderStatus } from "../../shared/statuses"

/** Where an order may go from each status when somebody asks for it. A status with no way out is final. */
export const nextStatuses = {
  draft: ["submitted", "cancelled"],
  submitted: ["completed", "cancelled"],
  completed: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>

/** Where an order goes by itself: complete when all is invoiced, open again when an invoice of it is cancelled. */
export const automaticStatuses = {
  submitted: "completed",
  completed: "submitted",
} as const satisfies Partial<Record<OrderStatus, OrderStatus>>

/** What may still be changed in each status. */
export const editableFields: Record<OrderStatus, readonly string[] | "all"> = {
  draft: "all",
  submitted: ["notes", "deliveryDate"],
  completed: ["notes"],
  cancelled: [],
}

/** Refuses unless the order may move to `to`. Knows no clock, no database and no HTTP. */
export const assertMayBecome = (order: OrderHead, to: OrderStatus): void =>
  assertTransition<OrderStatus>(nextStatuses, named(order), to)

export const assertEditable = (order: OrderHead, differing: readonly string[]): void =>
  assertUnlocked(editableFields[order.status], named(order), differing)

const named = ({ orderNumber, status }: OrderHead) => ({ name: `Sales order ${orderNumber}`, status })

/** Only what promises nothing to anybody may go. */
export function assertDeletable({ orderNumber, status, submittedAt }: OrderHead, wasInvoiced: boolean): void {
  if (status === "draft" || (status === "cancelled" && !wasInvoiced)) return
  const why = status === "cancelled" ? "it has been invoiced" : `it is ${status}; cancel it instead`
  throw new Refusal("DOCUMENT_LOCKED", `Sales order ${orderNumber} cannot be deleted: ${why}.`, {
    details: [{ field: "status", message: submittedAt ? "was submitted" : `is ${status}` }],
  })
}

export const deliveryFaults = (orderDate: unknown, deliveryDate: unknown): Detail[] =>
  typeof orderDate === "string" && typeof deliveryDate === "string" && deliveryDate < orderDate
    ? [{ field: "deliveryDate", message: "must not be before orderDate" }]
    : []

/** How much of an order has been billed. */
export function invoiceStatusOf(lines: readonly OrderLine[]): OrderHead["invoiceStatus"] {
  if (lines.every(({ invoicedQuantity }) => invoicedQuantity === 0)) return "not_invoiced"
  return isInvoiced(lines) ? "invoiced" : "partially_invoiced"
}

export const isInvoiced = (lines: readonly OrderLine[]): boolean =>
  lines.every(({ quantity, invoicedQuantity }) => quantity === invoicedQuantity)

/** What an order still keeps in the store for its customer: only while it is submitted. */
export const promisedBy = ({ head, lines }: Order): Move[] =>
  head.status === "submitted"
    ? lines.map(({ item, quantity, invoicedQuantity }) => ({ item, quantity: quantity - invoicedQuantity }))
    : []

/** What an order will still bring in, in the minor unit: only while it is submitted. */
export const openValueOf = ({ status, total, invoicedTotal }: OrderHead): number =>
  status === "submitted" ? Math.max(0, total - invoicedTotal) : 0
