import { nextNumber } from "../../core/write/numbers"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { readDraft, type Draft } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import { newHead, readContents, type Source } from "../../trade/documents/create"
import { warnOfDate } from "../../trade/documents/dates"
import { lineToDraft, withCopied } from "../../trade/documents/model"
import { documentDeps, type Trade } from "../../trade/documents/documents"
import { documentService } from "../../trade/documents/service"
import { assertMayBecome } from "../../trade/documents/status"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import type { StockMovementService } from "../stock-movements/service"
import { orderDocument } from "./document"
import { orderEffects, type OrderDeps } from "./effects"
import { salesOrders, type Order, type OrderHead, type OrderLine, type SalesOrder } from "./model"
import { billingStatusOf, deliveryErrors, statusByBilling } from "./rules"
import { addReturned, countChange } from "./store"

/** The values of a copied order that a body cannot set: `null` as payment terms, and the order that it amends. */
type Copied = { source: Source; paymentTerms: string | null; amendedFrom?: string }

type Needs = Trade & { items: ItemService; customers: CustomerService; stockMovements: StockMovementService }

export function salesOrderService(the: Needs) {
  const { stockMovements } = the
  const orders = ordersOf({ ...documentDeps<OrderHead, Needs>(the, salesOrders), stockMovements })
  const { get, load, changeStatus } = orders
  const create = (tx: Tx, draft: Draft, caller: Caller, copied?: Copied) =>
    createOrder(orders, tx, draft, caller, copied)
  return {
    ...orders,
    create: (tx: Tx, draft: Draft, caller: Caller): SalesOrder => create(tx, draft, caller),

    /** Creates a new draft with the same lines. */
    duplicate(tx: Tx, id: string, caller: Caller): SalesOrder {
      const { lines } = load(id)
      const order = get(id)
      const { paymentTerms } = order
      return create(tx, copyOf(orders, order, lines), caller, { source: order, paymentTerms })
    },

    /** Cancels an order and creates a draft that refers to it. */
    amend(tx: Tx, id: string, caller: Caller): SalesOrder {
      const before = get(id)
      const { head, lines } = load(id)
      assertMayBecome(orders, head, "cancelled")
      changeStatus(tx, id, { status: "cancelled", reason: "Amended", override: false, caller })
      const { orderDate, deliveryDate, paymentTerms } = before
      return create(tx, copyOf(orders, before, lines, { orderDate, deliveryDate }), caller, {
        source: before,
        paymentTerms,
        amendedFrom: id,
      })
    },

    /** Records quantities that a customer sent back. They are not invoiced again. */
    recordReturned(tx: Tx, id: string, returned: Parameters<typeof addReturned>[1]): void {
      if (returned.length === 0) return
      addReturned(orders.db, returned)
      const version = countChange(orders.db, id, tx.now)
      noteFigures(tx, salesOrders, { id, version }, ["items"])
    },

    /** Records new invoiced quantities. The order completes or reopens automatically. */
    recordBilling: (tx: Tx, before: Order, lines: OrderLine[], invoicedTotal: number): void =>
      recordBilling(orders, tx, before, lines, invoicedTotal),
  }
}

export type SalesOrderService = ReturnType<typeof salesOrderService>

const ordersOf = (deps: OrderDeps) =>
  documentService<OrderHead, OrderLine, SalesOrder>(orderDocument, orderEffects(deps), deps)
type Orders = ReturnType<typeof ordersOf>

function createOrder(orders: Orders, tx: Tx, draft: Draft, caller: Caller, copied?: Copied): SalesOrder {
  const { values, extras } = draft
  const { today } = orders.moneyContext(tx.now)
  const orderDate = String(values.orderDate ?? today)
  warnOfDate(tx.warnings, "orderDate", orderDate, today)
  const check = () => deliveryErrors(orderDate, values.deliveryDate)
  const contents = readContents(orders, tx, draft, check, copied?.source)
  const { customer, lines } = contents
  const { defaultPaymentTerms, numberFormats } = orders.settings()
  const ownTerms = customer.paymentTerms ?? defaultPaymentTerms
  const defaultTerms = copied?.paymentTerms === null ? null : ownTerms
  const numbering = { kind: "salesOrders" as const, format: numberFormats.salesOrders, date: orderDate }
  const { number, series, counter } = nextNumber(orders.db, tx, numbering)
  const head: OrderHead = {
    ...newHead(orders, tx, contents, caller),
    customerName: customer.name,
    orderNumber: number,
    numberSeries: series,
    numberCounter: counter,
    invoiceStatus: "not_invoiced",
    orderDate,
    deliveryDate: values.deliveryDate as string | null,
    paymentTerms: (values.paymentTerms as string | null) ?? defaultTerms,
    invoicedTotal: 0,
    submittedAt: null,
    completedAt: null,
    amendedFrom: copied?.amendedFrom ?? null,
  }
  const created = orders.create(tx, { head, lines })
  if (extras.status !== "submitted") return created
  return orders.changeStatus(tx, head.id, { status: "submitted", reason: null, override: false, caller })
}

/** Returns the body that creates a copy of an order. */
const copyOf = (
  { moneyContext }: Orders,
  { customer, paymentTerms, pricesIncludeTax, buyerReference, shippingAddress, notes }: SalesOrder,
  lines: readonly OrderLine[],
  dates: { orderDate?: string; deliveryDate?: string | null } = {},
): Draft =>
  withCopied(
    readDraft(salesOrders, {
      customer,
      paymentTerms,
      pricesIncludeTax,
      buyerReference,
      shippingAddress,
      notes,
      items: lines.map((line) => lineToDraft(line, moneyContext().digits)),
      ...dates,
    }),
    lines,
  )

function recordBilling(
  { save }: Orders,
  tx: Tx,
  before: Order,
  lines: OrderLine[],
  invoicedTotal: number,
): void {
  const status = statusByBilling(before.head.status, lines)
  const stays = status === before.head.status
  const completedAt = status === "completed" ? tx.now : null
  const head: OrderHead = {
    ...before.head,
    invoiceStatus: billingStatusOf(lines),
    invoicedTotal,
    ...(stays ? {} : { status, completedAt }),
    version: before.head.version + 1,
    updatedAt: tx.now,
  }
  save(tx, before, { head, lines })
  if (!stays) tx.audit("sales-orders.status", head.id, { status: { from: before.head.status, to: status } })
}
