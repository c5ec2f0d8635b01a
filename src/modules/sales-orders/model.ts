import { defineResource, type Kept } from "../../resource/define"
import {
  amount,
  choice,
  date,
  decimal,
  elsewhere,
  filled,
  reference,
  required,
  served,
  servedOrNull,
  status,
  structure,
  timestamp,
} from "../../resource/field"
import { code, text } from "../../resource/text-field"
import { lines } from "../../resource/lines"
import { billingStatuses, orderStatuses } from "../../shared/statuses"
import { lineFields, type Line } from "../lines/model"

/** A line of an order, and how much of it has been billed. */
export type OrderLine = Line & { invoicedQuantity: number }

const ids = (prefix: string) => structure<string[]>({ type: "array", items: reference(prefix).schema })
const words = structure<string[]>({ type: "array", items: { type: "string" } })

/** What a customer has ordered. */
export const salesOrders = defineResource({
  name: "sales-orders",
  table: "sales_orders",
  idPrefix: "so",
  noun: "sales order",
  title: "SalesOrder",
  search: ["orderNumber", "customerName"],
  searchMore: ["notes"],
  indexed: { sort: ["createdAt", "orderDate"], group: ["customer", "status"], unique: ["orderNumber"] },
  bulky: { fields: ["notes"], from: 26 },
  onCreate: { status: { type: ["string", "null"], enum: ["draft", "submitted", null], default: "draft" } },
  fields: {
    orderNumber: served(code("SO-2026-00001")),
    status: served(status(orderStatuses)),
    invoiceStatus: served(choice(billingStatuses)),
    allowedTransitions: elsewhere(served(words)),
    customer: required(reference("cus")),
    customerName: served(text({ examples: ["Nordlicht GmbH"] })),
    orderDate: filled(date()),
    deliveryDate: date(),
    items: elsewhere(
      required(
        lines<OrderLine>({ ...lineFields("sol"), invoicedQuantity: served(decimal()) }, { min: 1, max: 500 }),
      ),
    ),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    notes: text({ max: 10_000, multiline: true, examples: ["Deliver to the back door."] }),
    currency: served(code("USD")),
    subtotal: served(amount(), 0),
    discountTotal: served(amount(), 0),
    taxTotal: served(amount(), 0),
    total: served(amount(), 0),
    invoicedTotal: served(amount(), 0),
    invoices: elsewhere(served(ids("inv"))),
    submittedAt: servedOrNull(timestamp()),
    completedAt: servedOrNull(timestamp()),
    cancelledAt: servedOrNull(timestamp()),
    cancelReason: servedOrNull(text({ max: 500, multiline: true })),
    amendedFrom: servedOrNull(reference("so")),
    createdBy: servedOrNull(reference("usr")),
  },
})

/** An order as it is kept, without its lines: amounts in the minor unit. */
export type OrderHead = Omit<Kept<typeof salesOrders>, "items" | "invoices" | "allowedTransitions">

/** An order with its lines, both as they are kept. */
export type Order = { head: OrderHead; lines: OrderLine[] }

/** An order as it is answered. */
export type SalesOrder = Kept<typeof salesOrders>
