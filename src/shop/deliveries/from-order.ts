import type { Caller } from "../../core/caller"
import { changesOf } from "../../core/kind/changes"
import type { Reading } from "../../core/kind/body"
import { newId } from "../../core/lib/id"
import { assertNoErrors, fieldError, invalid, missingReference, Refusal } from "../../core/lib/refusal"
import { takenErrors } from "../../core/store/crud"
import type { TableStore } from "../../core/store/table-store"
import type { Tx } from "../../core/write/writer"
import { warnOfDate } from "../../trade/documents/dates"
import { chooseParts, type Derivation, type Part, quantityIn } from "../../trade/documents/derive"
import { partiesNow } from "../../trade/documents/parties"
import { type Order, type OrderHead, type OrderLine, orderRefusals } from "../sales-orders/model"
import { type IsGoods, leavingBy } from "../sales-orders/rules"
import { deliveriesOfOrders } from "../sales-orders/service"
import {
  deliveries,
  type Delivering,
  type Delivery,
  type DeliveryHead,
  type DeliveryLine,
  deliveryRefusals,
} from "./model"
import type { Needs } from "./service"
import { insertLines } from "./store"

type Store = TableStore<typeof deliveries>

/** The maximum number of deliveries per order, because an order lists all of them. */
const mostDeliveries = 1_000

/** Delivers an order, completely or in part, and returns the id of the delivery. */
export function deliverOrder(
  the: Needs,
  store: Store,
  tx: Tx,
  reading: Reading<Delivering>,
  caller: Caller,
): string {
  const order = findOrder(the, store, reading)
  assertDeliverable(order.head)
  if (deliveriesOfOrders.count(the.db, order.head.id) >= mostDeliveries) throw tooMany(order.head)
  const { values } = reading
  const parts = partsOf(order, values.items, the.salesOrders.goodsIn(order.lines))
  const lines = parts.map((part) => lineOf(part, tx.now))
  const head = headOf(the, tx, order.head, values, caller)
  the.stockMovements.take(
    tx,
    parts.map(({ line, quantity }) => leavingBy(line, { deliveredQuantity: quantity })),
    {
      reason: "delivery",
      sourceType: "delivery",
      sourceId: head.id,
      by: caller.userId,
      doing: "deliver",
    },
  )
  store.insert(tx, head as Delivery)
  insertLines(the.db, head.id, lines)
  the.salesOrders.recordDelivery(tx, order, { lines, list: deliveries.name })
  tx.audit("deliveries.create", head.id, changesOf(deliveries, null, { ...head, items: lines }))
  return head.id
}

/** Finds the order that a body names. A missing order is reported together with the other errors of the body. */
function findOrder({ salesOrders }: Needs, store: Store, { values, errors }: Reading<Delivering>): Order {
  const { salesOrder: id } = values
  const isNamed = typeof id === "string"
  const head = isNamed ? salesOrders.findHead(id) : null
  if (isNamed && !head) errors.push(missingReference("salesOrder", id.slice(0, 64)))
  errors.push(...takenErrors(deliveries, store, { externalId: values.externalId }, null))
  assertNoErrors(errors, "The delivery has invalid values.")
  return salesOrders.withLines(head as OrderHead)
}

/** A completed order can still be delivered: it may have been invoiced before. */
function assertDeliverable({ status, orderNumber }: OrderHead): void {
  if (status === "submitted" || status === "completed") return
  const [refusal, sentence] =
    status === "draft"
      ? [orderRefusals.ORDER_NOT_SUBMITTED, `Sales order ${orderNumber} is a draft; submit it first.`]
      : [orderRefusals.ORDER_CANCELLED, `Sales order ${orderNumber} is cancelled.`]
  throw new Refusal(refusal, sentence, {
    params: { number: orderNumber, status },
    details: [fieldError("salesOrder", "RULE", `is ${status}`, { rule: "STATUS", status })],
  })
}

const tooMany = ({ orderNumber }: OrderHead): Refusal =>
  invalid(
    "salesOrder",
    "RULE",
    `cannot be delivered: ${orderNumber} has ${mostDeliveries} deliveries already`,
    {
      rule: "TOO_MANY",
      max: mostDeliveries,
      number: orderNumber,
    },
  )

type Items = Delivering["items"]
type OrderPart = Part<OrderLine>

/** How deliveries are made from orders. Of an order that is completed, what was invoiced is delivered. */
const derivationOf = ({ status }: OrderHead): Derivation<OrderLine, NonNullable<Items>[number]> => ({
  noun: "delivery",
  lineField: "orderLine",
  takenOf: ({ deliveredQuantity }) => deliveredQuantity,
  wholeOf: ({ quantity, invoicedQuantity }) => (status === "completed" ? invoicedQuantity : quantity),
  words: [status === "completed" ? "invoiced" : "ordered", "delivered"],
  read: quantityIn,
  refuseOver: (number, details) =>
    new Refusal(
      deliveryRefusals.OVER_DELIVERED,
      `The quantity is more than what is left of sales order ${number} to deliver.`,
      { params: { number }, details },
    ),
})

/** Returns what a body delivers of each line: without `items`, all goods that are left. */
function partsOf({ head, lines }: Order, items: Items, isGoods: IsGoods): OrderPart[] {
  const { orderNumber: number } = head
  const offered = items === null ? lines.filter(isGoods) : lines
  const parts = chooseParts(derivationOf(head), { number, lines: offered }, items)
  if (parts.length > 0) return parts
  throw new Refusal(
    deliveryRefusals.OVER_DELIVERED,
    `No goods of sales order ${number} are left to deliver. Name other lines in items, if they are to be on the delivery note.`,
    {
      params: { number },
      details: [fieldError("items", "RULE", "leave nothing to deliver", { rule: "NOTHING_LEFT" })],
    },
  )
}

const lineOf = (
  { line: { id: orderLine, item, itemCode, itemName, description, uom }, quantity }: OrderPart,
  now: string,
): DeliveryLine => ({
  id: newId("dnl", now),
  orderLine,
  item,
  itemCode,
  itemName,
  description,
  uom,
  quantity,
})

function headOf(the: Needs, tx: Tx, order: OrderHead, values: Delivering, caller: Caller): DeliveryHead {
  const { today } = the.moneyContext(tx.now)
  const customer = the.customers.forDocument(order.customer)
  if (!customer)
    throw invalid("salesOrder", "NOT_FOUND", "has a customer that no longer exists", {
      value: order.customer,
    })
  const deliveryDate = values.deliveryDate ?? today
  warnOfDate(tx.warnings, "deliveryDate", deliveryDate, today)
  const { number, series, counter } = the.nextNumber(tx, deliveries, deliveryDate)
  const { carrier, trackingNumber, notes, externalId, metadata } = values
  return {
    id: newId(deliveries.idPrefix, tx.now),
    deliveryNumber: number,
    numberSeries: series,
    numberCounter: counter,
    status: "delivered",
    salesOrder: order.id,
    orderNumber: order.orderNumber,
    customer: customer.id,
    customerName: customer.name,
    deliveryDate,
    carrier,
    trackingNumber,
    buyerReference: order.buyerReference,
    shippingAddress: order.shippingAddress,
    notes,
    ...partiesNow(the.db, the.settings(), customer),
    externalId,
    metadata,
    lastSentAt: null,
    cancelledAt: null,
    cancelReason: null,
    createdBy: caller.userId,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}
