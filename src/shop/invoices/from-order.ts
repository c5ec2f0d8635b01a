import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { assertNoErrors, invalid, missingReference } from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import { takenErrors } from "../../core/store/crud"
import { noteFigures } from "../../core/kind/record-events"
import { totalsOf } from "../../shared/money"
import { warnOfDate } from "../../trade/documents/dates"
import { newHead, ownFieldsOf } from "../../trade/documents/create"
import { salesOrders as orderKind, type Order, type OrderHead } from "../sales-orders/model"
import type { Billing } from "./billing"
import { dueDateBy } from "./due-date"
import { newInvoice } from "./head"
import { issue, type InvoiceDeps } from "./issue"
import { invoices as invoiceKind, type Invoice, type InvoiceHead } from "./model"
import { assertInvoiceable, assertPartAllowed, billLines, chooseLines, type Chosen } from "./parts"
import { partyOf } from "./party"
import { dueDateErrors } from "./rules"
import type { Invoices } from "./invoices"
import { countParts, findCarried } from "./store"

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
