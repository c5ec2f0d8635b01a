import { newId } from "../../lib/id"
import { assertNoErrors, invalid, Refusal, type FieldError } from "../../lib/refusal"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { amountsByRate, lineAmounts, partOf, taxOf } from "../../shared/money"
import type { Order, OrderLine } from "../sales-orders/model"
import type { Billing } from "./billing"
import type { InvoiceLine } from "./model"

/** Refuses an order of which nothing can be billed. */
export function assertBillable({ status, orderNumber }: Order["head"]): void {
  const details = [{ field: "salesOrder", message: `is ${status}` }]
  if (status === "draft")
    throw new Refusal("ORDER_NOT_SUBMITTED", `Sales order ${orderNumber} is a draft; submit it first.`, {
      details,
    })
  if (status === "cancelled")
    throw new Refusal("ORDER_CANCELLED", `Sales order ${orderNumber} is cancelled.`, { details })
  if (status === "completed")
    throw new Refusal(
      "ORDER_ALREADY_INVOICED",
      `Sales order ${orderNumber} is completed; nothing of it is left to invoice.`,
      { details },
    )
}

const mostParts = 1_000
/** What earlier parts carry is added up for every new one, so they may have so many lines in all. */
const mostPartLines = 25_000

/** Refuses one more part of an order that has been billed in very many; all that is left can always be billed. */
export function assertPartAllowed(
  { head, lines: ordered }: Order,
  items: Billing["items"],
  parts: number,
): void {
  if (items === null || (parts < mostParts && parts * ordered.length < mostPartLines)) return
  throw invalid(
    "items",
    `must be left out to invoice all that is left: ${head.orderNumber} has ${parts} invoices already`,
  )
}

/** A line of an order, and how much of it is billed, in 1/10000. */
export type Chosen = { line: OrderLine; quantity: number }

/** The order's lines that are billed. */
export function chooseLines(order: Order, items: Billing["items"]): Chosen[] {
  const left = ({ quantity, invoicedQuantity }: OrderLine) => quantity - invoicedQuantity
  if (!items)
    return order.lines.filter((line) => left(line) > 0).map((line) => ({ line, quantity: left(line) }))
  const errors: FieldError[] = []
  const over: FieldError[] = []
  const chosen = items.flatMap(({ orderLine, quantity }, i) => {
    const line = order.lines.find(({ id }) => id === orderLine)
    if (!line)
      errors.push({ field: `items[${i}].orderLine`, message: `is not a line of ${order.head.orderNumber}` })
    else if (items.findIndex((each) => each.orderLine === orderLine) < i)
      errors.push({ field: `items[${i}].orderLine`, message: "is given twice" })
    if (!line) return []
    const units = toUnits(quantity, priceDigits) ?? 0
    if (units > left(line)) {
      const [ordered, invoiced, rest] = [line.quantity, line.invoicedQuantity, left(line)].map((n) =>
        fromUnits(n, priceDigits),
      )
      over.push({
        field: `items[${i}].quantity`,
        message: `ordered ${ordered}, invoiced ${invoiced}, remaining ${rest}`,
      })
    }
    return [{ line, quantity: units }]
  })
  assertNoErrors(errors, "The invoice has invalid values.")
  if (over.length > 0)
    throw new Refusal(
      "OVER_INVOICED",
      `That is more than is left of sales order ${order.head.orderNumber}.`,
      { details: over },
    )
  return chosen
}

type Carried = {
  lines: ReadonlyMap<string, { amount: number; discountAmount: number }>
  taxes: ReadonlyMap<number, number>
}

/**
 * The lines and taxes of a part of an order. Each carries what everything billed so far comes to, this part included,
 * less what earlier parts carry: so however it is cut, the parts add up to the order, to the last minor unit.
 */
export function billLines(
  order: Order,
  chosen: readonly Chosen[],
  carried: Carried,
  { now, digits }: { now: string; digits: number },
): { lines: InvoiceLine[]; taxes: Map<number, number> } {
  const lines = chosen.map(({ line, quantity }): InvoiceLine => {
    const { invoicedQuantity, ...rest } = line
    const everything = lineAmounts({ ...line, quantity: invoicedQuantity + quantity }, digits)
    const before = carried.lines.get(line.id) ?? { amount: 0, discountAmount: 0 }
    const amount = partOf(everything.amount, before.amount)
    return {
      ...rest,
      id: newId("inl", now),
      orderLine: line.id,
      quantity,
      amount,
      // What is left of the price before discount, so that discounts add up as well.
      discountAmount:
        everything.amount + everything.discountAmount - before.amount - before.discountAmount - amount,
    }
  })
  const billed = amountsByRate([
    ...order.lines.map((line) => ({
      taxRate: line.taxRate,
      amount: carried.lines.get(line.id)?.amount ?? 0,
    })),
    ...lines,
  ])
  const rates = new Set(lines.map(({ taxRate }) => taxRate))
  const taxes = new Map(
    [...rates].map((rate) => [
      rate,
      partOf(taxOf(billed.get(rate) ?? 0, rate), carried.taxes.get(rate) ?? 0),
    ]),
  )
  return { lines, taxes }
}
