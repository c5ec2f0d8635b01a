import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import {
  assertNoErrors,
  fieldError,
  type FieldError,
  invalid,
  missingReference,
  Refusal,
  reporter,
} from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import { takenErrors } from "../../core/store/crud"
import { noteFigures } from "../../core/kind/record-events"
import {
  applyTax,
  type Carried,
  chargedBy,
  lineAmounts,
  type LineAmounts,
  partOf,
  shareOf,
  taxKeyOf,
  type TaxSum,
  totalsOf,
} from "../../shared/money"
import { warnOfDate } from "../../trade/documents/dates"
import { newHead, ownFieldsOf } from "../../trade/documents/create"
import {
  type Order,
  type OrderHead,
  salesOrders as orderKind,
  type OrderLine,
  orderRefusals,
} from "../sales-orders/model"
import type { Billing } from "./billing"
import { dueDateBy } from "./due-date"
import { newInvoice } from "./head"
import { type InvoiceDeps, issue } from "./issue"
import { type Invoice, type InvoiceHead, invoices as invoiceKind, type InvoiceLine } from "./model"
import { partyOf } from "./party"
import { dueDateErrors } from "./rules"
import type { Invoices } from "./invoices"
import { type CarriedParts, countParts, findCarried } from "./store"
import { newId } from "../../core/lib/id"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"

/** Invoices an order, completely or in part. The order is loaded once. */
export function invoiceOrder(
  deps: InvoiceDeps,
  invoices: Invoices,
  tx: Tx,
  reading: Reading<Billing>,
  caller: Caller,
): Invoice {
  const order = findOrder(deps, reading)
  const { values } = reading
  assertInvoiceable(order.head)
  assertPartAllowed(order, values.items, countParts(deps.db, order.head.id))
  const { digits } = deps.moneyContext(tx.now)
  const chosen = chooseLines(order, values.items)
  const carried = findCarried(deps.db, order.head.id)
  const { lines, taxes: sums } = billLines(order, chosen, carried, { now: tx.now, digits })
  const taxes = sums.map((tax) => ({ ...tax, reason: null }))
  const totals = totalsOf(lines, taxes)
  const customer = deps.customers.forDocument(order.head.customer)
  const dates = datesOf(deps, tx, order.head, values)
  if (!customer)
    throw invalid("salesOrder", "NOT_FOUND", "has a customer that no longer exists", {
      value: order.head.customer,
    })
  const { pricesIncludeTax, taxTreatment } = order.head
  const own = ownFieldsOf({ ...inherited(order.head), ...given(values) }, customer)
  const draft: InvoiceHead = {
    ...newHead(invoices, tx, { customer, taxes, totals, pricesIncludeTax, taxTreatment, own }, caller),
    ...newInvoice,
    ...partyOf(customer),
    ...dates,
    salesOrder: order.head.id,
    orderNumber: order.head.orderNumber,
    paymentTerms: order.head.paymentTerms,
    balance: totals.total,
  }
  const head = issue(deps, tx, { head: draft, lines }, { customer, userId: caller.userId })
  const afterSave = () => recordBilled(deps, tx, order, chosen, totals.total)
  return invoices.create(tx, { head, lines, afterSave })
}

/** Finds the order that a body names. A missing order is reported together with the other errors of the body. */
function findOrder({ salesOrders, store }: InvoiceDeps, { values, errors }: Reading<Billing>): Order {
  const { salesOrder: id } = values
  const isNamed = typeof id === "string"
  const head = isNamed ? salesOrders.findHead(id) : null
  if (isNamed && !head) errors.push(missingReference("salesOrder", id.slice(0, 64)))
  errors.push(...takenErrors(invoiceKind, store, values, null))
  assertNoErrors(errors, "The invoice has invalid values.")
  return salesOrders.withLines(head as OrderHead)
}

function datesOf({ moneyContext }: InvoiceDeps, tx: Tx, order: OrderHead, values: Billing) {
  const { today } = moneyContext(tx.now)
  const invoiceDate = values.invoiceDate ?? today
  warnOfDate(tx.warnings, "invoiceDate", invoiceDate, today)
  const dueDate = values.dueDate ?? dueDateBy(invoiceDate, order.paymentTerms, tx.warnings)
  assertNoErrors(dueDateErrors(invoiceDate, dueDate))
  if (invoiceDate < order.orderDate)
    tx.warnings.push({
      code: "DATE_BEFORE_ORDER",
      field: "invoiceDate",
      message: `invoiceDate is before orderDate (${order.orderDate}).`,
      params: { orderDate: order.orderDate },
    })
  const supplyDate = values.supplyDate ?? order.deliveryDate ?? invoiceDate
  return { invoiceDate, supplyDate, dueDate }
}

/** The fields that an invoice takes from its order. */
const inherited = ({ buyerReference, shippingAddress }: OrderHead) => ({ buyerReference, shippingAddress })

/** The values that a body sets. */
const given = (values: Billing) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

function recordBilled(
  { salesOrders }: InvoiceDeps,
  tx: Tx,
  order: Order,
  chosen: readonly Chosen[],
  total: number,
): void {
  const quantities = new Map(chosen.map(({ line, quantity }) => [line.id, quantity]))
  const billed = order.lines.map((line) => ({
    ...line,
    invoicedQuantity: line.invoicedQuantity + (quantities.get(line.id) ?? 0),
  }))
  salesOrders.recordBilling(tx, order, billed, order.head.invoicedTotal + total)
  noteFigures(tx, orderKind, order.head, ["invoices"])
}

/** Refuses an order that cannot be invoiced. */
function assertInvoiceable({ status, orderNumber }: Order["head"]): void {
  const why = {
    params: { number: orderNumber, status },
    details: [fieldError("salesOrder", "RULE", `is ${status}`, { rule: "STATUS", status })],
  }
  if (status === "draft")
    throw new Refusal(
      orderRefusals.ORDER_NOT_SUBMITTED,
      `Sales order ${orderNumber} is a draft; submit it first.`,
      why,
    )
  if (status === "cancelled")
    throw new Refusal(orderRefusals.ORDER_CANCELLED, `Sales order ${orderNumber} is cancelled.`, why)
  if (status === "completed")
    throw new Refusal(
      orderRefusals.ORDER_ALREADY_INVOICED,
      `Sales order ${orderNumber} is completed; nothing is left to invoice.`,
      why,
    )
}

const mostParts = 1_000
/** Every new invoice adds up the lines of the order's earlier invoices, so invoices × order lines is limited. */
const mostPartLines = 25_000

/** Refuses another partial invoice of an order that has very many. The whole rest can always be invoiced. */
function assertPartAllowed({ head, lines: ordered }: Order, items: Billing["items"], parts: number): void {
  if (items === null || (parts < mostParts && parts * ordered.length < mostPartLines)) return
  throw invalid(
    "items",
    "RULE",
    `must be left out, to invoice all that is left: ${head.orderNumber} already has ${parts} invoices`,
    { rule: "TOO_MANY", number: head.orderNumber, count: parts },
  )
}

/** A line of an order, and the quantity to invoice, in 1/10000. */
type Chosen = { line: OrderLine; quantity: number }

const left = ({ quantity, invoicedQuantity }: OrderLine) => quantity - invoicedQuantity

/** Returns the order's lines to invoice. */
function chooseLines(order: Order, items: Billing["items"]): Chosen[] {
  if (!items)
    return order.lines.filter((line) => left(line) > 0).map((line) => ({ line, quantity: left(line) }))
  const errors: FieldError[] = []
  const over: FieldError[] = []
  const number = order.head.orderNumber
  const chosen = items.flatMap(({ orderLine, quantity }, i) => {
    const line = order.lines.find(({ id }) => id === orderLine)
    const error = reporter(errors, `items[${i}].orderLine`)
    if (!line) error("NOT_FOUND", `is not a line of ${number}`, { value: orderLine, number })
    else if (items.findIndex((each) => each.orderLine === orderLine) < i)
      error("RULE", "is given more than once", { rule: "REPEATED" })
    if (!line) return []
    const units = toUnits(quantity, priceDigits) ?? 0
    if (units > left(line)) over.push(overInvoiced(`items[${i}].quantity`, line))
    return [{ line, quantity: units }]
  })
  assertNoErrors(errors, "The invoice has invalid values.")
  if (over.length > 0)
    throw new Refusal(
      orderRefusals.OVER_INVOICED,
      `The quantity is more than what is left of sales order ${number}.`,
      {
        params: { number },
        details: over,
      },
    )
  return chosen
}

function overInvoiced(field: string, line: OrderLine): FieldError {
  const plain = (units: number) => fromUnits(units, priceDigits)
  const [ordered, invoiced, max] = [plain(line.quantity), plain(line.invoicedQuantity), plain(left(line))]
  const message = `ordered ${ordered}, invoiced ${invoiced}, remaining ${max}`
  return fieldError(field, "TOO_LARGE", message, { max, ordered, invoiced })
}

/**
 * Computes the lines and taxes of a partial invoice. Each amount is the amount of everything invoiced so far, including
 * this part, minus the amount of the earlier parts. For any split, the parts add up to the order, to the last minor
 * unit.
 */
export function billLines(
  { head, lines: ordered }: Order,
  chosen: readonly Chosen[],
  carried: CarriedParts,
  { now, digits }: { now: string; digits: number },
): { lines: InvoiceLine[]; taxes: TaxSum[] } {
  const lines = chosen.map(({ line, quantity }): InvoiceLine => {
    const { invoicedQuantity, returnedQuantity: _, ...rest } = line
    const everything = amountsUpTo(line, invoicedQuantity + quantity, digits)
    const before = carried.lines.get(line.id) ?? { charged: 0, discountAmount: 0 }
    const amount = partOf(everything.amount, before.charged)
    return {
      ...rest,
      id: newId("inl", now),
      orderLine: line.id,
      creditedQuantity: 0,
      creditedAmount: 0,
      quantity,
      amount,
      grossAmount: head.pricesIncludeTax ? amount : null,
      discountAmount: partOf(everything.discountAmount, before.discountAmount),
    }
  })
  const billed = applyTax(lines, head.pricesIncludeTax, carriedTaxes(ordered, carried))
  return { lines: [...billed.lines], taxes: billed.taxes }
}

/**
 * Returns the amounts of a line for a part of its quantity. The discount is never more than that of the whole line, even
 * if rounding makes it so, and for the whole quantity both are those of the line. So the parts of both add up, and none
 * is negative.
 */
function amountsUpTo(line: OrderLine, quantity: number, digits: number): LineAmounts {
  const shareAt = (amount: number) => shareOf(amount, quantity, line.quantity)
  if (line.isDiscountAmount === 1)
    return { amount: shareAt(chargedBy(line)), discountAmount: shareAt(line.discountAmount) }
  const { amount, discountAmount } = lineAmounts({ ...line, quantity }, digits)
  return { amount, discountAmount: Math.min(discountAmount, line.discountAmount) }
}

/** Returns what the earlier parts of an order contain per category and rate. */
function carriedTaxes(ordered: readonly OrderLine[], { lines, taxes }: CarriedParts): Map<string, Carried> {
  const sums = new Map<string, Carried>()
  for (const line of ordered) {
    const key = taxKeyOf(line)
    const before = sums.get(key) ?? { charged: 0, tax: 0 }
    sums.set(key, { ...before, charged: before.charged + (lines.get(line.id)?.charged ?? 0) })
  }
  for (const { tax, ...key } of taxes) {
    const sum = sums.get(taxKeyOf(key))
    if (sum) sum.tax = tax
  }
  return sums
}
