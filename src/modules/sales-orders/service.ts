import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { readDraft, type Draft } from "../../resource/read"
import { taxesOf } from "../../shared/money"
import { newHead, readContents } from "../documents/create"
import { documentService } from "../documents/service"
import { assertMayBecome } from "../documents/status"
import { orderDocument } from "./document"
import { orderEffects, type OrderDeps } from "./effects"
import { salesOrders, type Order, type OrderHead, type OrderLine, type SalesOrder } from "./model"
import { billingStatusOf, deliveryErrors, statusByBilling } from "./rules"
import { setInvoicedQuantities } from "./store"

/** The values of a copied order that a body cannot set: `null` as payment terms, and the order that it amends. */
type Copied = { paymentTerms?: string | null; amendedFrom?: string }

export function salesOrderService(deps: OrderDeps) {
  const orders = ordersOf(deps)
  const { get, load, changeStatus } = orders
  const create = (tx: Tx, draft: Draft, caller: Caller, copied?: Copied) =>
    createOrder(orders, tx, draft, caller, copied)
  return {
    ...orders,
    create: (tx: Tx, draft: Draft, caller: Caller): SalesOrder => create(tx, draft, caller),

    taxes: (id: string) => orders.taxes(id, taxesOf),

    /** Creates a new draft with the same lines. */
    duplicate(tx: Tx, id: string, caller: Caller): SalesOrder {
      const order = get(id)
      return create(tx, copyOf(order), caller, { paymentTerms: order.paymentTerms })
    },

    /** Cancels an order and creates a draft that refers to it. */
    amend(tx: Tx, id: string, caller: Caller): SalesOrder {
      const before = get(id)
      assertMayBecome(orders, load(id).head, "cancelled")
      changeStatus(tx, id, { status: "cancelled", reason: "Amended", override: false, caller })
      const { orderDate, deliveryDate, paymentTerms } = before
      return create(tx, copyOf(before, { orderDate, deliveryDate }), caller, {
        paymentTerms,
        amendedFrom: id,
      })
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

function createOrder(orders: Orders, tx: Tx, draft: Draft, caller: Caller, copied: Copied = {}): SalesOrder {
  const { values, extras } = draft
  const orderDate = String(values.orderDate ?? orders.moneyContext(tx.now).today)
  const contents = readContents(orders, tx, draft, () => deliveryErrors(orderDate, values.deliveryDate))
  const { customer, lines, taxes } = contents
  const defaultTerms = copied.paymentTerms === null ? null : customer.paymentTerms
  const head: OrderHead = {
    ...newHead(orders, tx, contents, caller),
    customerName: customer.name,
    orderNumber: nextNumber(orders.db, tx, `SO-${orderDate.slice(0, 4)}`),
    invoiceStatus: "not_invoiced",
    orderDate,
    deliveryDate: values.deliveryDate as string | null,
    paymentTerms: (values.paymentTerms as string | null) ?? defaultTerms,
    invoicedTotal: 0,
    submittedAt: null,
    completedAt: null,
    amendedFrom: copied.amendedFrom ?? null,
  }
  const created = orders.create(tx, { head, lines, taxes })
  if (extras.status !== "submitted") return created
  return orders.changeStatus(tx, head.id, { status: "submitted", reason: null, override: false, caller })
}

/** Returns the body that creates a copy of an order. */
const copyOf = (
  { customer, items, paymentTerms, notes }: SalesOrder,
  dates: { orderDate?: string; deliveryDate?: string | null } = {},
): Draft =>
  readDraft(salesOrders, {
    customer,
    paymentTerms,
    notes,
    items: items.map(({ item, quantity, rate, discount }) => ({ item, quantity, rate, discount })),
    ...dates,
  })

function recordBilling(
  { db, save }: Orders,
  tx: Tx,
  before: Order,
  lines: OrderLine[],
  invoicedTotal: number,
): void {
  const status = statusByBilling(before.head.status, lines)
  setInvoicedQuantities(db, lines)
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
