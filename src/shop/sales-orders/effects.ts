import type { Tx } from "../../core/write/writer"
import { fieldError, Refusal } from "../../core/lib/refusal"
import type { OrderStatus } from "../../shared/statuses"
import {
  creditOverride,
  type Became,
  type Doc,
  type Effects,
  type StatusRequest,
} from "../../trade/documents/kind"
import { warnOfMovedDate } from "../../trade/documents/dates"
import type { DocumentDeps } from "../../trade/documents/documents"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import type { StockMovementService } from "../stock-movements/service"
import type { OrderHead, OrderLine } from "./model"
import { assertDeletable, deliveryErrors, openValueOf, reservedBy } from "./rules"
import { findInvoiceIds, hasLiveInvoice } from "./store"
import { assertSubmittable } from "./submit"

export type OrderDeps = DocumentDeps<OrderHead> & {
  customers: CustomerService
  items: ItemService
  stockMovements: StockMovementService
}

/** The effects of orders: they reserve stock, and their open value counts against the credit limit. */
export const orderEffects = (deps: OrderDeps): Effects<OrderHead, OrderLine> => ({
  beside(heads) {
    const invoices = findInvoiceIds(
      deps.db,
      heads.map(({ id }) => id),
    )
    return ({ id }) => ({ invoices: invoices.get(id) ?? [] })
  },
  fill(change, { today }) {
    if ("orderDate" in change) change.orderDate ??= today
  },
  settle(revision) {
    warnOfMovedDate(revision, "orderDate", deps.moneyContext().today)
    const { orderDate, deliveryDate } = { ...revision.before, ...revision.change }
    return deliveryErrors(orderDate, deliveryDate)
  },
  partyOf: ({ name }) => ({ customerName: name }),
  retotal: () => ({}),
  book: (tx, before, after) => book(deps, tx, before, after),
  become: {
    submitted: (tx, document, request) => submit(deps, tx, document, request),
    completed: (tx, { head }) => ({ head: { ...head, status: "completed", completedAt: tx.now } }),
    cancelled(tx, { head }, { reason }) {
      assertNotInvoiced(deps, head)
      return { head: { ...head, status: "cancelled", cancelledAt: tx.now, cancelReason: reason } }
    },
  },
  assertDeletable: (head) =>
    assertDeletable(head, {
      wasInvoiced: (findInvoiceIds(deps.db, [head.id]).get(head.id) ?? []).length > 0,
      hasLiveInvoice: hasLiveInvoice(deps.db, head.id),
    }),
})

function submit(
  deps: OrderDeps,
  tx: Tx,
  document: Doc<OrderHead, OrderLine>,
  { override, caller }: StatusRequest<OrderStatus>,
): Became<OrderHead> {
  const { digits } = deps.moneyContext(tx.now)
  const submission = { override, caller, digits, policy: deps.settings().creditPolicy }
  const isForced = assertSubmittable(tx, document, deps, submission)
  return {
    head: { ...document.head, status: "submitted", submittedAt: tx.now },
    changes: isForced ? creditOverride : {},
  }
}

/** Updates reservations and the customer's open orders by the difference between two states of an order. */
function book(
  { stockMovements, customers }: OrderDeps,
  tx: Tx,
  before: Doc<OrderHead, OrderLine> | null,
  after: Doc<OrderHead, OrderLine>,
): void {
  stockMovements.reserve(tx, before ? reservedBy(before) : [], reservedBy(after))
  const share = ({ head }: Doc<OrderHead, OrderLine>) => ({
    customer: head.customer,
    amount: openValueOf(head),
  })
  customers.moveFigure(tx, "open_orders_value", before && share(before), share(after))
}

function assertNotInvoiced({ db }: OrderDeps, { id, orderNumber }: OrderHead): void {
  if (!hasLiveInvoice(db, id)) return
  throw new Refusal(
    "ORDER_HAS_INVOICES",
    `Sales order ${orderNumber} has invoices; cancel those first, or complete the order instead.`,
    {
      params: { number: orderNumber },
      details: [
        fieldError("status", "RULE", "cannot be cancelled while invoices are issued", {
          rule: "HAS_INVOICES",
        }),
      ],
    },
  )
}
