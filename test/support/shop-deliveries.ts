import { expect } from "bun:test"
import fc from "fast-check"
import type { Line } from "./shop-model"
import { isDone, pick, pickIn, step, type Model, type Order, type Real, type Step } from "./shop-story"

/** Deliveries in the stories of shop-steps.ts: goods leave once, whether they are delivered or invoiced first. */
export const isGoods = ({ item }: Pick<Line, "item">, { items }: Real): boolean =>
  item !== null && items[item]?.hasStock === true

/** What has left of a line: the larger of what was delivered and what was invoiced. */
export const goneOf = ({ delivered, invoiced }: Line): number => (delivered > invoiced ? delivered : invoiced)

/** Delivers or invoices more of a line, or less, and moves what leaves or comes back because of it. */
export function leave(
  model: Model,
  real: Real,
  line: Line,
  what: "delivered" | "invoiced",
  quarters: number,
): void {
  const before = goneOf(line)
  line[what] += quarters
  if (line.item === null || !isGoods(line, real)) return
  model.stock[line.item] = (model.stock[line.item] ?? 0) - (goneOf(line) - before)
}

/** Completes an order when all is invoiced and, if something is delivered, all goods are. */
export function settleOrder(order: Order, real: Real): void {
  const isDelivered = order.lines.some(({ delivered }) => delivered > 0)
  const lacks = (line: Line) => isDelivered && isGoods(line, real) && line.delivered < line.quarters
  if (order.lines.every((line) => line.invoiced === line.quarters && !lacks(line))) order.status = "completed"
}

/** How much of an order is delivered, as a response says it. */
export function deliveryStatusOf(order: Order, real: Real): string {
  if (order.lines.every(({ delivered }) => delivered === 0)) return "not_delivered"
  const goods = order.lines.filter((line) => isGoods(line, real))
  const counted = goods.length > 0 ? goods : order.lines
  return counted.every((line) => line.delivered === line.quarters) ? "delivered" : "partially_delivered"
}

const refusals: Record<string, string> = { draft: "ORDER_NOT_SUBMITTED", cancelled: "ORDER_CANCELLED" }

const delivering = (isWhole: boolean): fc.Arbitrary<Step> =>
  fc.tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 8 })).map(([at, most]): Step => ({
    title: isWhole ? "deliver" : "deliver a part",
    at,
    async run(model, real) {
      const order = pickIn(model.orders, at, "submitted", "completed")
      if (!order) return
      const leftOf = (line: Line) =>
        Math.max(0, (order.status === "completed" ? line.invoiced : line.quarters) - line.delivered)
      const offered = order.lines.filter((line) => isGoods(line, real) && leftOf(line) > 0)
      const named = order.lines.slice(at % 2).slice(0, 2)
      const chosen = isWhole
        ? offered.map((line) => ({ line, quarters: leftOf(line) }))
        : named.map((line) => ({ line, quarters: most }))
      if (!isWhole && chosen.length === 0) return
      const items = chosen.map(({ line, quarters }) => ({ orderLine: line.id, quantity: quarters / 4 }))
      const body = { salesOrder: order.id, ...(isWhole ? {} : { items }) }
      const answer = await real.api.post("/deliveries/from-order", body)
      const refused = refusals[order.status]
      const isOver = chosen.length === 0 || chosen.some(({ line, quarters }) => quarters > leftOf(line))
      if (!isDone(answer, 201, [refused ?? false, !refused && isOver && "OVER_DELIVERED"])) return
      const { data } = answer.body
      expect(data.items.map((each: { quantity: number }) => each.quantity * 4)).toEqual(
        chosen.map(({ quarters }) => quarters),
      )
      model.deliveries.push({ id: data.id, order, parts: chosen, isCancelled: false })
      for (const { line, quarters } of chosen) leave(model, real, line, "delivered", quarters)
      settleOrder(order, real)
    },
  }))

const cancelling = step("cancel a delivery", async (model, real, at) => {
  const delivery = pick(model.deliveries, at)
  if (!delivery) return
  const answer = await real.shop.status("deliveries", delivery.id, "cancelled")
  expect(answer).toMatchObject({ status: 200, body: { data: { status: "cancelled" } } })
  if (delivery.isCancelled) return
  delivery.isCancelled = true
  for (const { line, quarters } of delivery.parts) leave(model, real, line, "delivered", -quarters)
  settleOrder(delivery.order, real)
})

const choosing = step("invoice what is delivered", async (model, { api }) => {
  model.isFromDelivered = !model.isFromDelivered
  const invoiceFrom = model.isFromDelivered ? "delivered" : "ordered"
  expect((await api.put("/settings", { invoiceFrom })).status).toBe(200)
})

export const deliverySteps = [
  { weight: 2, arbitrary: delivering(true) },
  { weight: 3, arbitrary: delivering(false) },
  { weight: 2, arbitrary: cancelling },
  { weight: 1, arbitrary: choosing },
]
