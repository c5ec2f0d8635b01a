import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { assertNoErrors, fieldError, invalid, missingReference, Refusal } from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import { takenErrors } from "../../core/store/crud"
import { chargedBy, lineAmounts, type LineAmounts, partOf, shareOf } from "../../shared/money"
import { warnOfDate } from "../../trade/documents/dates"
import { newHead, ownFieldsOf } from "../../trade/documents/create"
import { partOfDiscount } from "../../trade/documents/discount"
import { amountsOf, chooseParts, type Derivation, type Part, quantityIn } from "../../trade/documents/derive"
import { type Order, type OrderHead, type OrderLine, orderRefusals } from "../sales-orders/model"
import { isInvoiced, leavingBy } from "../sales-orders/rules"
import { invoicesOfOrders } from "../sales-orders/service"
import { issue, newInvoice, partyOf, type Billing, type InvoiceDeps, type Invoices } from "./invoices"
import { type Invoice, type InvoiceHead, invoices as invoiceKind, type InvoiceLine } from "./model"
import { dueDateBy, dueDateErrors } from "./rules"
import { type CarriedParts, findCarried } from "./store"
import { newId } from "../../core/lib/id"
import type { DocumentCustomer } from "../../trade/needs"
import { deductedFrom, storeDeductions, sumOfDeducted } from "./deposits/deduct"

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
  assertPartAllowed(order, values.items, invoicesOfOrders.count(deps.db, order.head.id))
  const { digits } = deps.moneyContext(tx.now)
  const source = { number: order.head.orderNumber, lines: order.lines }
  const parts = chooseParts(billingsOf(deps, order), source, values.items)
  if (parts.length === 0) throw nothingToInvoice(order)
  const carried = findCarried(deps.db, order.head.id)
  const { lines, totals, ...counted } = billLines(order, parts, carried, { now: tx.now, digits })
  const taxes = counted.taxes.map((tax) => ({ ...tax, reason: null }))
  const discount = partOfDiscount(order.head, lines)
  const customer = customerOf(deps, order.head)
  const dates = datesOf(deps, tx, order.head, values)
  const deducted = deductedFrom(deps, tx, order.head, totals.total)
  const depositTotal = sumOfDeducted(deducted)
  const draft: InvoiceHead = {
    ...headOfOrder(invoices, tx, order.head, { values, customer, discount, taxes, totals }, caller),
    ...dates,
    invoiceType: isLast(order, parts) && order.head.deductedTotal + depositTotal > 0 ? "final" : "standard",
    depositTotal,
    balance: totals.total - depositTotal,
  }
  const leaving = parts.map(({ line, quantity }) => leavingBy(line, { invoicedQuantity: quantity }))
  const head = issue(deps, tx, { head: draft, lines }, { customer, userId: caller.userId, leaving })
  const afterSave = () => {
    storeDeductions(deps, tx, head.id, deducted)
    const billed = { lines, total: totals.total, deducted: depositTotal, isNew: true }
    deps.salesOrders.recordBilling(tx, order, billed)
  }
  return invoices.create(tx, { head, lines, afterSave })
}

/** True when nothing is left to invoice after these parts. */
const isLast = ({ lines }: Order, parts: readonly { line: OrderLine; quantity: number }[]): boolean => {
  const taken = new Map(parts.map(({ line, quantity }) => [line.id, quantity]))
  return lines.every((line) => line.quantity === line.invoicedQuantity + (taken.get(line.id) ?? 0))
}

/** The customer of an order. One that was merged into another counts as that one. */
export function customerOf({ customers }: InvoiceDeps, { customer: id }: OrderHead): DocumentCustomer {
  const customer = customers.forDocument(id)
  if (customer) return customer
  throw invalid("salesOrder", "NOT_FOUND", "has a customer that no longer exists", { value: id })
}

/** What an invoice of an order contains, and what a body says about it. */
type OfOrder = Pick<Parameters<typeof newHead>[2], "customer" | "discount" | "taxes" | "totals"> & {
  values: Partial<Billing>
}

/** Returns the head of a new invoice of an order, without its dates. */
export function headOfOrder(
  invoices: Invoices,
  tx: Tx,
  order: OrderHead,
  { values, customer, ...contents }: OfOrder,
  caller: Caller,
) {
  const { pricesIncludeTax, taxTreatment } = order
  const own = ownFieldsOf({ ...inherited(order), ...given(values) }, customer)
  return {
    ...newHead(invoices, tx, { customer, ...contents, pricesIncludeTax, taxTreatment, own }, caller),
    ...newInvoice,
    ...partyOf(customer),
    salesOrder: order.id,
    orderNumber: order.orderNumber,
    paymentTerms: order.paymentTerms,
  }
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

type Dates = Pick<Billing, "invoiceDate" | "supplyDate" | "dueDate">

export function datesOf({ moneyContext }: InvoiceDeps, tx: Tx, order: OrderHead, values: Dates) {
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
const given = (values: Partial<Billing>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Refuses an order that cannot be invoiced. */
export function assertInvoiceable({ status, orderNumber }: OrderHead, field = "salesOrder"): void {
  const why = {
    params: { number: orderNumber, status },
    details: [fieldError(field, "RULE", `is ${status}`, { rule: "STATUS", status })],
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

/** Refuses an invoice without lines: all is invoiced, or only what is delivered may be invoiced, and that is. */
const nothingToInvoice = ({ head: { orderNumber }, lines }: Order): Refusal =>
  isInvoiced(lines)
    ? new Refusal(
        orderRefusals.ORDER_ALREADY_INVOICED,
        `Sales order ${orderNumber} is invoiced completely; nothing is left to invoice.`,
        {
          params: { number: orderNumber },
          details: [fieldError("items", "RULE", "leave nothing to invoice", { rule: "NOTHING_LEFT" })],
        },
      )
    : new Refusal(
        orderRefusals.OVER_INVOICED,
        `Nothing of sales order ${orderNumber} is delivered and not invoiced, and the settings say that only delivered goods are invoiced.`,
        {
          params: { number: orderNumber },
          details: [fieldError("items", "RULE", "leave nothing to invoice", { rule: "NOTHING_LEFT" })],
        },
      )

/**
 * How invoices are made from this order. If the settings say so, of goods only what is delivered may be invoiced. Services and
 * lines without an item need no delivery.
 */
function billingsOf({ settings, salesOrders }: InvoiceDeps, { lines }: Order): typeof billings {
  if (settings().invoiceFrom === "ordered") return billings
  const isGoods = salesOrders.goodsIn(lines)
  return {
    ...billings,
    words: ["delivered", "invoiced"],
    wholeOf: (line) => (isGoods(line) ? line.deliveredQuantity : line.quantity),
  }
}

/** How invoices are made from orders. */
const billings: Derivation<OrderLine, NonNullable<Billing["items"]>[number]> = {
  noun: "invoice",
  lineField: "orderLine",
  takenOf: ({ invoicedQuantity }) => invoicedQuantity,
  words: ["ordered", "invoiced"],
  read: quantityIn,
  refuseOver: (number, details) =>
    new Refusal(
      orderRefusals.OVER_INVOICED,
      `The quantity is more than what is left of sales order ${number}.`,
      {
        params: { number },
        details,
      },
    ),
}

/**
 * Computes the lines and taxes of a partial invoice. Each amount is the amount of everything invoiced so far, including
 * this part, minus the amount of the earlier parts.
 */
export function billLines(
  order: Order,
  parts: readonly Part<OrderLine>[],
  carried: CarriedParts,
  { now, digits }: { now: string; digits: number },
) {
  const none = { charged: 0, discountAmount: 0, documentDiscount: 0 }
  const lines = parts.map(({ line, quantity }) => {
    const { invoicedQuantity, returnedQuantity: _, deliveredQuantity: __, ...rest } = line
    const everything = amountsUpTo(line, invoicedQuantity + quantity, digits)
    const before = carried.lines.get(line.id) ?? none
    return {
      ...rest,
      id: newId("inl", now),
      orderLine: line.id,
      creditedQuantity: 0,
      creditedAmount: 0,
      quantity,
      amount: partOf(everything.amount, before.charged),
      discountAmount: partOf(everything.discountAmount, before.discountAmount),
      documentDiscount: partOf(everything.documentDiscount, before.documentDiscount),
    }
  })
  return amountsOf<OrderLine, InvoiceLine>(order, lines, {
    chargedOf: ({ id }) => (carried.lines.get(id) ?? none).charged,
    taxes: carried.taxes,
  })
}

/**
 * Returns the amounts of a line for a part of its quantity. The discount is never more than that of the whole line, even
 * if rounding makes it so, and for the whole quantity all amounts are those of the line. So the parts of each add up, and
 * none is negative. A line with a share of the discount of the order has both in proportion to its quantity.
 */
function amountsUpTo(
  line: OrderLine,
  quantity: number,
  digits: number,
): LineAmounts & { documentDiscount: number } {
  const shareAt = (amount: number) => shareOf(amount, quantity, line.quantity)
  const documentDiscount = shareAt(line.documentDiscount)
  if (line.isDiscountAmount === 1)
    return {
      amount: shareAt(chargedBy(line)),
      discountAmount: shareAt(line.discountAmount),
      documentDiscount,
    }
  const { amount, discountAmount } = lineAmounts({ ...line, quantity }, digits)
  return {
    amount: line.documentDiscount === 0 ? amount : shareAt(chargedBy(line)),
    discountAmount: Math.min(discountAmount, line.discountAmount),
    documentDiscount,
  }
}
