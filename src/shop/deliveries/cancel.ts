import type { Caller } from "../../core/caller"
import type { Tx } from "../../core/write/writer"
import { leavingBy } from "../sales-orders/rules"
import type { DeliveryHead } from "./model"
import type { Needs } from "./service"
import { findLines } from "./store"

/** Takes a delivery back from its order and brings the goods back, except those that an invoice takes all the same. */
export function cancelDelivery(
  { db, salesOrders, stockMovements }: Needs,
  tx: Tx,
  head: DeliveryHead,
  caller: Caller,
): void {
  const lines = findLines(db, [head.id]).get(head.id) ?? []
  const order = salesOrders.load(head.salesOrder)
  const ordered = new Map(order.lines.map((line) => [line.id, line]))
  const moves = lines.flatMap(({ orderLine, quantity }) => {
    const line = ordered.get(orderLine)
    if (!line) return []
    const leaving = leavingBy(line, { deliveredQuantity: -quantity })
    return [{ item: leaving.item, quantity: -leaving.quantity }]
  })
  stockMovements.move(tx, moves, {
    reason: "cancellation",
    sourceType: "delivery",
    sourceId: head.id,
    by: caller.userId,
  })
  salesOrders.recordDelivery(tx, order, {
    lines: lines.map(({ orderLine, quantity }) => ({ orderLine, quantity: -quantity })),
    list: null,
  })
}
