import type { Related } from "../../core/http/answer/expand"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Draft } from "../../core/kind/read"
import { once } from "../../core/lib/shared-runs"
import { noteFigures } from "../../core/kind/record-events"
import { newHead, readContents } from "../../trade/documents/create"
import { warnOfDate, warnOfMovedDate } from "../../trade/documents/dates"
import { type Copied, copy, type Copy, take } from "../../trade/documents/derive"
import { type Line, lineToApi } from "../../trade/documents/model"
import { documentDeps, type DocumentDeps, type Trade } from "../../trade/documents/documents"
import { documentService } from "../../trade/documents/service"
import { assertMayBecome } from "../../trade/documents/status"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import type { StockMovementService } from "../stock-movements/service"
import {
  type Order,
  type OrderHead,
  type OrderLine,
  type SalesOrder,
  salesOrders,
  orderRefusals,
} from "./model"
import {
  assertDeletable,
  billingStatusOf,
  deliveryErrors,
  deliveryStatusOf,
  editable,
  hasDeliveries,
  type IsGoods,
  movedTo,
  nameOf,
  openValueOf,
  reservedBy,
  statusByBilling,
  statusByDelivery,
  transitions,
} from "./rules"
import { fromUnits, priceDigits } from "../../shared/decimal"
import {
  type Became,
  creditOverride,
  type Doc,
  type DocumentKind,
  type Effects,
  type StatusRequest,
} from "../../trade/documents/kind"
import { assertNoErrors, fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import type { OrderStatus } from "./model"
import { inactiveErrors } from "../../trade/documents/lines"
import { type DocumentMail, sendOperation } from "../../trade/mail/service"
import { readCustomer, warnOfTreatment } from "../../trade/documents/customer"
import type { Settings } from "../../office/settings/model"
import {
  addReturned,
  countChange,
  deliveriesOfOrders,
  depositsOfOrders,
  hasLiveInvoice,
  invoicesOfOrders,
  orderLines,
  ownParts,
} from "./store"
import { heldBy, isRevision, reviseOrder, warnOfShortage } from "./revise"

export { deliveriesOfOrders, depositsOfOrders, invoicesOfOrders }

/** The document that a new order copies, and the order that it amends or the quotation that it is made of. */
type Origin = Omit<Copy, "draft"> & { amendedFrom?: string; quotation?: string }

type Needs = Trade & {
  items: ItemService
  customers: CustomerService
  stockMovements: StockMovementService
  /** Mail needs orders too. */
  mail: DocumentMail
  /** Quotations make orders. */
  quotations: { noteOrder: NoteOrder; asRelated: Related }
}

/** Notes on a quotation that its order is gone. */
type NoteOrder = (tx: Tx, quotation: string) => void

export function salesOrderService(the: Needs) {
  const { stockMovements } = the
  const orders = ordersOf({
    ...documentDeps<OrderHead, Needs>(the, salesOrders),
    stockMovements,
    noteOrder: (tx, quotation) => the.quotations.noteOrder(tx, quotation),
  })
  const { load, changeStatus } = orders
  const create = (tx: Tx, draft: Draft, caller: Caller, copied?: Origin) =>
    createOrder(orders, tx, draft, caller, copied)
  const digitsNow = () => orders.moneyContext().digits
  /** Creates a draft with the contents of a document, which may be of another kind. */
  const createCopy = (
    tx: Tx,
    document: Copied,
    lines: readonly Line[],
    caller: Caller,
    origin: Pick<Origin, "quotation"> = {},
  ): SalesOrder => {
    const { draft, ...copied } = copy(salesOrders, document, lines, digitsNow())
    return create(tx, draft, caller, { ...copied, ...origin })
  }
  return {
    ...orders,
    related: {
      ...orders.related,
      amendedFrom: orders.asRelated,
      // Quotations need orders too.
      get quotation() {
        return the.quotations.asRelated
      },
    },

    create: (tx: Tx, draft: Draft, caller: Caller): SalesOrder => create(tx, draft, caller),

    /** Sends an order by mail, as an operation of a batch. */
    send: sendOperation(the, salesOrders),

    createCopy,

    /** Creates a new draft with the same lines. */
    duplicate(tx: Tx, id: string, caller: Caller): SalesOrder {
      const { head, lines } = load(id)
      return createCopy(tx, head, lines, caller)
    },

    /** Cancels an order and creates a draft that refers to it. */
    amend(tx: Tx, id: string, caller: Caller): SalesOrder {
      const { head, lines } = load(id)
      assertMayBecome(orders, head, "cancelled")
      changeStatus(tx, id, { status: "cancelled", reason: "Amended", override: false, caller })
      const { orderDate, deliveryDate } = head
      const { draft, ...copied } = copy(salesOrders, head, lines, digitsNow(), { orderDate, deliveryDate })
      return create(tx, draft, caller, { ...copied, amendedFrom: id })
    },

    /** Records quantities that a customer sent back. They are not invoiced again. */
    recordReturned(tx: Tx, id: string, returned: Parameters<typeof addReturned>[1]): void {
      if (returned.length === 0) return
      addReturned(orders.db, returned)
      const version = countChange(orders.db, id, tx.now)
      noteFigures(tx, salesOrders, { id, version }, ["items"])
    },

    /** Records what an invoice takes of an order, or gives back. The order completes or reopens automatically. */
    recordBilling: (tx: Tx, before: Order, billed: Billed): void =>
      take(orders, tx, before, {
        taken: billed.lines.map(({ orderLine, quantity }) => ({
          id: orderLine ?? "",
          figures: { invoicedQuantity: quantity },
        })),
        headBy: (lines) => billedHead(before.head, lines, billed, tx.now, goodsIn(the.items, lines)),
        list: billed.isNew ? "invoices" : null,
      }),

    /** Records the total of a deposit invoice, or what of one is credited or cancelled. */
    recordDeposit(tx: Tx, before: Order, { total, isNew }: { total: number; isNew: boolean }): void {
      const { depositTotal, version } = before.head
      const change = { depositTotal: depositTotal + total, version: version + 1, updatedAt: tx.now }
      orders.save(tx, before, { head: { ...before.head, ...change }, lines: before.lines })
      if (isNew) noteFigures(tx, salesOrders, before.head, ["depositInvoices"])
    },

    /** Returns a function that tells the lines of an order with goods from the others. */
    goodsIn: (lines: readonly OrderLine[]): IsGoods => goodsIn(the.items, lines),

    /** Records what a delivery takes of an order, or gives back. The order may complete automatically. */
    recordDelivery: (tx: Tx, before: Order, delivered: Delivered): void =>
      take(orders, tx, before, {
        taken: delivered.lines.map(({ orderLine, quantity }) => ({
          id: orderLine,
          figures: { deliveredQuantity: quantity },
        })),
        headBy: (lines) => deliveredHead(before.head, lines, tx.now, goodsIn(the.items, lines)),
        list: delivered.list,
      }),
  }
}

export type SalesOrderService = ReturnType<typeof salesOrderService>

const ordersOf = (deps: OrderDeps) =>
  documentService<OrderHead, OrderLine, SalesOrder>(orderDocument, orderEffects(deps), deps)
type Orders = ReturnType<typeof ordersOf>

function createOrder(orders: Orders, tx: Tx, draft: Draft, caller: Caller, copied?: Origin): SalesOrder {
  const { values, extras } = draft
  const { today } = orders.moneyContext(tx.now)
  const orderDate = String(values.orderDate ?? today)
  warnOfDate(tx.warnings, "orderDate", orderDate, today)
  const check = () => deliveryErrors(orderDate, values.deliveryDate)
  const contents = readContents(orders, tx, draft, check, copied?.source)
  const { customer, lines } = contents
  const { defaultPaymentTerms } = orders.settings()
  const ownTerms = customer.paymentTerms ?? defaultPaymentTerms
  const defaultTerms = copied?.paymentTerms === null ? null : ownTerms
  const { number, series, counter } = orders.nextNumber(tx, salesOrders, orderDate)
  const head: OrderHead = {
    ...newHead(orders, tx, contents, caller),
    customerName: customer.name,
    orderNumber: number,
    numberSeries: series,
    numberCounter: counter,
    revision: 1,
    invoiceStatus: "not_invoiced",
    deliveryStatus: "not_delivered",
    orderDate,
    deliveryDate: values.deliveryDate as string | null,
    paymentTerms: (values.paymentTerms as string | null) ?? defaultTerms,
    invoicedTotal: 0,
    depositTotal: 0,
    deductedTotal: 0,
    submittedAt: null,
    completedAt: null,
    cancelledAt: null,
    cancelReason: null,
    amendedFrom: copied?.amendedFrom ?? null,
    quotation: copied?.quotation ?? null,
  }
  const created = orders.create(tx, { head, lines })
  if (extras.status !== "submitted") return created
  return orders.changeStatus(tx, head.id, { status: "submitted", reason: null, override: false, caller })
}

/** What an invoice takes of the lines of an order; negative if it is cancelled. */
type Billed = {
  lines: readonly { orderLine: string | null; quantity: number }[]
  total: number
  /** What the invoice takes off for deposits. */
  deducted: number
  isNew: boolean
}

/** What a delivery takes of the lines of an order; negative if it is cancelled. */
type Delivered = {
  lines: readonly { orderLine: string; quantity: number }[]
  /** The field of the order that lists a new one; null if it is cancelled. */
  list: keyof SalesOrder | null
}

/** What follows for an order from the invoiced quantities of its lines. */
function billedHead(
  before: OrderHead,
  lines: readonly OrderLine[],
  { total, deducted }: Billed,
  now: string,
  isGoods: IsGoods,
) {
  return {
    invoiceStatus: billingStatusOf(lines),
    invoicedTotal: before.invoicedTotal + total,
    deductedTotal: before.deductedTotal + deducted,
    ...movedTo(before, statusByBilling(before.status, lines, isGoods), now),
  }
}

/** What follows for an order from the delivered quantities of its lines. */
const deliveredHead = (before: OrderHead, lines: readonly OrderLine[], now: string, isGoods: IsGoods) => ({
  deliveryStatus: deliveryStatusOf(lines, isGoods),
  ...movedTo(before, statusByDelivery(before.status, lines, isGoods), now),
})

/** Returns a function that tells the lines with goods from the others. It reads the items when it is first called. */
function goodsIn(items: ItemService, lines: readonly OrderLine[]): IsGoods {
  const find = once(() => items.forLines(lines.flatMap(({ item }) => item ?? [])))
  return ({ item }) => item !== null && find().get(item)?.hasStock === true
}

/** A sales order as a kind of document. */
const orderDocument: DocumentKind<OrderHead, OrderLine> = {
  resource: salesOrders,
  lines: orderLines,
  lineIdPrefix: "sol",
  withOwnPart: (line, before) => ({
    ...line,
    invoicedQuantity: before?.invoicedQuantity ?? 0,
    returnedQuantity: before?.returnedQuantity ?? 0,
    deliveredQuantity: before?.deliveredQuantity ?? 0,
  }),
  ownParts,
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    invoicedQuantity: fromUnits(line.invoicedQuantity, priceDigits),
    returnedQuantity: fromUnits(line.returnedQuantity, priceDigits),
    deliveredQuantity: fromUnits(line.deliveredQuantity, priceDigits),
  }),
  transitions,
  editable,
  nameOf,
}

type OrderDeps = DocumentDeps<OrderHead> & {
  customers: CustomerService
  items: ItemService
  stockMovements: StockMovementService
  noteOrder: NoteOrder
}

/** The ids of the documents of a new order, by the field that has them. */
const noDocuments = {
  invoices: [] as string[],
  depositInvoices: [] as string[],
  deliveries: [] as string[],
}

/** The effects of orders: they reserve stock, and their open value counts against the credit limit. */
const orderEffects = (deps: OrderDeps): Effects<OrderHead, OrderLine> => ({
  beside(heads) {
    const ids = heads.map(({ id }) => id)
    const invoices = invoicesOfOrders.findIds(deps.db, ids)
    const deposits = depositsOfOrders.findIds(deps.db, ids)
    const deliveries = deliveriesOfOrders.findIds(deps.db, ids)
    return ({ id }): typeof noDocuments => ({
      invoices: invoices.get(id) ?? [],
      depositInvoices: deposits.get(id) ?? [],
      deliveries: deliveries.get(id) ?? [],
    })
  },
  ofNew: noDocuments,
  fill(change, { today }) {
    if ("orderDate" in change) change.orderDate ??= today
  },
  keepsTax: ({ status }) => status === "submitted",
  held: (_, order) => heldBy(deps, order),
  settle(revision) {
    const { before, change, differing } = revision
    warnOfMovedDate(revision, "orderDate", deps.moneyContext().today)
    if (isRevision(before.status, differing)) change.revision = before.revision + 1
    const { orderDate, deliveryDate } = { ...before, ...change }
    return deliveryErrors(orderDate, deliveryDate)
  },
  partyOf: ({ name }) => ({ customerName: name }),
  revised: (tx, before, after, revising) =>
    reviseOrder({ ...deps, goodsIn: (lines) => goodsIn(deps.items, lines) }, tx, before, after, revising),
  book: (tx, before, after) => book(deps, tx, before, after),
  become: {
    submitted: (tx, document, request) => submit(deps, tx, document, request),
    completed: (tx, { head }) => ({ head: { ...head, status: "completed", completedAt: tx.now } }),
    cancelled(tx, { head, lines }, { reason }) {
      assertNotInvoiced(deps, head)
      assertNotDelivered(head, lines)
      return { head: { ...head, status: "cancelled", cancelledAt: tx.now, cancelReason: reason } }
    },
  },
  assertDeletable: (head) =>
    assertDeletable(head, {
      wasInvoiced:
        invoicesOfOrders.count(deps.db, head.id) > 0 || depositsOfOrders.count(deps.db, head.id) > 0,
      hasLiveInvoice: hasLiveInvoice(deps.db, head.id),
      wasDelivered: deliveriesOfOrders.count(deps.db, head.id) > 0,
      hasLiveDelivery: head.deliveryStatus !== "not_delivered",
    }),
  unbook(tx, { quotation }) {
    if (quotation !== null) deps.noteOrder(tx, quotation)
  },
})

function submit(
  deps: OrderDeps,
  tx: Tx,
  document: Doc<OrderHead, OrderLine>,
  { override, caller }: StatusRequest<OrderStatus>,
): Became<OrderHead> {
  const { digits, currency } = deps.moneyContext(tx.now)
  const submission = { override, caller, digits, currency, policy: deps.settings().creditPolicy }
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
    orderRefusals.ORDER_HAS_INVOICES,
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

function assertNotDelivered({ orderNumber }: OrderHead, lines: readonly OrderLine[]): void {
  if (!hasDeliveries(lines)) return
  throw new Refusal(
    orderRefusals.ORDER_HAS_DELIVERIES,
    `Sales order ${orderNumber} has deliveries; cancel those first, or complete the order instead.`,
    {
      params: { number: orderNumber },
      details: [
        fieldError("status", "RULE", "cannot be cancelled while goods are delivered", {
          rule: "HAS_DELIVERIES",
        }),
      ],
    },
  )
}

type Submission = {
  override: boolean
  caller: Caller
  digits: number
  currency: string
  policy: Settings["creditPolicy"]
}

/**
 * Refuses an order with an inactive customer or item, and warns about insufficient stock. Returns true when the credit
 * limit was overridden.
 */
function assertSubmittable(
  tx: Tx,
  { head, lines }: Order,
  { items, customers }: { items: ItemService; customers: CustomerService },
  submission: Submission,
): boolean {
  const errors: FieldError[] = []
  const customer = readCustomer(customers, head.customer, null, { errors, warnings: tx.warnings })
  errors.push(...inactiveErrors(items, lines))
  assertNoErrors(errors, `Sales order ${head.orderNumber} cannot be submitted.`)
  warnOfShortage(tx, { lines, reserved: [] }, items)
  if (customer) warnOfTreatment(tx.warnings, head, customer)
  return (
    customer !== null &&
    customers.assertCredit(tx, customer, { ...submission, total: head.total, what: "order" })
  )
}
