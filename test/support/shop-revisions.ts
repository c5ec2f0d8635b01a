import { expect } from "bun:test"
import { settleOrder } from "./shop-deliveries"
import type { Shown } from "./shop-compare"
import { type Line, rounded, fullPrice, sum } from "./shop-model"
import { cents, isEdited, isLive, pick, step, type Model, type Order } from "./shop-story"

/** True for a submitted order with lines that an invoice or a delivery names. */
export const isHeld = (model: Model, order: Order): boolean =>
  order.status === "submitted" && !isEdited(model, order)

const namedLines = ({ invoices, deliveries }: Model, order: Order) =>
  new Set(
    [...invoices, ...deliveries].flatMap((each) =>
      each.order === order ? each.parts.map(({ line }) => line) : [],
    ),
  )

const billedOf = ({ invoices }: Model, line: Line) =>
  sum(
    invoices
      .filter(isLive)
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.line === line ? part.price : [])),
  )

/** Gives a line of an order that is invoiced or delivered in part another quantity: often just what is invoiced. */
export const revising = step("revise", async (model, real, at) => {
  const order = pick(
    model.orders.filter((each) => isHeld(model, each)),
    at,
  )
  const line = order && pick(order.lines, at)
  if (!order || !line) return
  const quarters = at % 3 === 0 && line.invoiced > 0 ? line.invoiced : 1 + (at % 20)
  const { items } = await real.shop.get("sales-orders", order.id)
  const resized = items.map((each: Shown) =>
    each.id === line.id ? { ...each, quantity: quarters / 4 } : each,
  )
  const { status, body } = await real.api.put(`/sales-orders/${order.id}`, { items: resized })
  const named = namedLines(model, order)
  const isTooLittle = quarters < Math.max(line.invoiced, line.delivered)
  if (isTooLittle) expect([status, body.error.code]).toEqual([422, "ORDER_IN_PROGRESS"])
  if (status !== 200) {
    // The cents of rounding, and a discount that is more than what is left, are the reasons that are not repeated here.
    const rules = body.error.details.map(({ code, params }: Shown) => params?.rule ?? code)
    for (const rule of rules) expect(["TOO_SMALL", "TOO_LARGE", "ROUNDED", "DISCOUNT_KEPT"]).toContain(rule)
    return
  }
  adopt(model, order, { line, quarters, isNamed: named.has(line), named }, body.data)
  settleOrder(order, real)
})

type Revised = { line: Line; quarters: number; isNamed: boolean; named: ReadonlySet<Line> }

/** Takes over what the lines cost now, which must fit what they have cost. */
function adopt(model: Model, order: Order, { line, quarters, isNamed, named }: Revised, shown: Shown): void {
  const before = line.quarters
  line.quarters = quarters
  order.shownOff = [Math.round(shown.discount * 10_000), shown.isDiscountAmount]
  order.lines.forEach((each, i) => {
    const { amount, grossAmount, discountAmount, documentDiscount } = shown.items[i]
    const fixed = { price: cents(grossAmount ?? amount) ?? 0, share: cents(documentDiscount) ?? 0 }
    expect(fixed.price).toBeGreaterThanOrEqual(billedOf(model, each))
    if (each === line && isNamed && quarters !== before && each.cut !== null) each.cut = cents(discountAmount)
    if (each === line && isNamed && each.fixed && quarters !== before)
      expect(Math.abs(fixed.share - rounded(each.fixed.share * quarters, before))).toBeLessThanOrEqual(3)
    if (each !== line && named.has(each) && each.fixed) expect(fixed).toEqual(each.fixed)
    const full = fixed.price + fixed.share + (cents(discountAmount) ?? 0)
    expect(Math.abs(full - fullPrice(each, each.quarters))).toBeLessThanOrEqual(3)
    each.fixed = fixed
  })
}
