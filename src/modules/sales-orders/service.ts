import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/rights"
import { fromUnits, priceDigits } from "../../lib/decimal"
import { newId } from "../../lib/id"
import { taxesOf, totalsOf } from "../../lib/money"
import { assertNoFaults, Refusal, type Detail } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import { assertVersion, type Expected } from "../../resource/crud"
import type { Basis } from "../../resource/field"
import type { ListQuery } from "../../resource/list"
import { readChange, readDraft, type Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import { lineToWire, type GivenLine } from "../lines/model"
import { readLines, sameLines, totalFaults } from "../lines/service"
import type { Settings } from "../settings/model"
import type { StockService } from "../stock-movements/service"
import { assertCredit } from "./credit"
import {
  salesOrders,
  type Order,
  type OrderHead,
  type OrderLine,
  type OrderStatus,
  type SalesOrder,
} from "./model"
import {
  assertDeletable,
  assertEditable,
  assertMayBecome,
  deliveryFaults,
  invoiceStatusOf,
  isInvoiced,
  nextStatuses,
  openValueOf,
  promisedBy,
} from "./rules"
import {
  findInvoiceIds,
  findLines,
  hasLiveInvoice,
  insertLines,
  replaceLines,
  setInvoicedQuantities,
} from "./store"

type Deps = {
  db: Database
  store: TableStore<typeof salesOrders>
  catalogue: ItemService
  clients: CustomerService
  stock: StockService
  settings: () => Settings
  basis: (at?: string) => Basis
}

/** What moves an order to another status. */
export type Move = { to: OrderStatus; reason?: string | null; override?: boolean; caller: Caller }

export function salesOrderService({ db, store, catalogue, clients, stock, settings, basis }: Deps) {
  const load = (id: string): Order => {
    const head = store.load(id) as OrderHead | null
    if (!head) throw new Refusal("NOT_FOUND", `There is no sales order ${JSON.stringify(id.slice(0, 64))}.`)
    return { head, lines: findLines(db, [id]).get(id) ?? [] }
  }

  /** Adds what lives in other tables to heads that are in plain numbers already. */
  const complete = (heads: OrderHead[]): SalesOrder[] => {
    const ids = heads.map(({ id }) => id)
    const lines = findLines(db, ids)
    const invoices = findInvoiceIds(db, ids)
    const { digits } = basis()
    return heads.map((head) => ({
      ...head,
      allowedTransitions: [...nextStatuses[head.status]],
      items: (lines.get(head.id) ?? []).map((line) => ({
        ...lineToWire(line, digits),
        invoicedQuantity: fromUnits(line.invoicedQuantity, priceDigits),
      })),
      invoices: invoices.get(head.id) ?? [],
    })) as SalesOrder[]
  }

  const get = (id: string): SalesOrder => {
    const head = store.find(id) as OrderHead | null
    const [order] = head ? complete([head]) : []
    if (!order) throw new Refusal("NOT_FOUND", `There is no sales order ${JSON.stringify(id.slice(0, 64))}.`)
    return order
  }

  /** Writes an order's head, and what follows from it: reservations and the customer's open orders. */
  const save = (before: Order | null, after: Order, tx: Tx): void => {
    if (before) store.replace(tx, after.head as SalesOrder, before.head as SalesOrder)
    else store.insert(tx, after.head as SalesOrder)
    stock.reserve(before ? promisedBy(before) : [], promisedBy(after))
    if (before) clients.addFigures(before.head.customer, { openOrders: -openValueOf(before.head) })
    clients.addFigures(after.head.customer, { openOrders: openValueOf(after.head) })
  }

  const create = (
    tx: Tx,
    { status, ...input }: Input,
    caller: Caller,
    amendedFrom: string | null = null,
  ): SalesOrder => {
    const now = basis(tx.now)
    const faults: Detail[] = statusFaults(status, ["draft", "submitted"])
    const draft = readDraft(salesOrders, input, faults)
    const orderDate = String(draft.orderDate ?? now.today)
    faults.push(...deliveryFaults(orderDate, draft.deliveryDate))
    const customer = findCustomer(draft.customer, null, faults)
    const id = newId(salesOrders.idPrefix, tx.now)
    const given = (draft.items ?? []) as GivenLine[]
    const read = readLines(catalogue, given, {
      before: [],
      idPrefix: "sol",
      now: tx.now,
      digits: now.digits,
      faults,
    })
    const lines: OrderLine[] = read.map((line) => ({ ...line, invoicedQuantity: 0 }))
    const totals = totalsOf(lines, taxesOf(lines))
    faults.push(...totalFaults(totals))
    assertNoFaults(faults, "The sales order has invalid values.")
    const head = {
      ...draft,
      id,
      orderNumber: nextNumber(db, `SO-${orderDate.slice(0, 4)}`),
      status: "draft",
      invoiceStatus: "not_invoiced",
      customerName: customer?.name,
      orderDate,
      paymentTerms: draft.paymentTerms ?? customer?.paymentTerms ?? null,
      currency: now.currency,
      ...totals,
      invoicedTotal: 0,
      submittedAt: null,
      completedAt: null,
      cancelledAt: null,
      cancelReason: null,
      amendedFrom,
      createdBy: caller.userId,
      version: 1,
      createdAt: tx.now,
      updatedAt: tx.now,
    } as unknown as OrderHead
    save(null, { head, lines }, tx)
    insertLines(db, id, lines)
    const made = get(id)
    note(tx, "create", null, made)
    return status === "submitted" ? changeStatus(tx, id, { to: "submitted", caller }) : made
  }

  const update = (tx: Tx, id: string, input: Input, expected: Expected): SalesOrder => {
    const before = load(id)
    const shown = get(id)
    assertVersion(before.head, expected)
    const now = basis(tx.now)
    const faults: Detail[] = []
    const change = readChange(salesOrders, shown, input, faults, tx.warnings)
    if ("orderDate" in change) change.orderDate ??= now.today
    const given = change.items as GivenLine[] | undefined
    delete change.items
    const lines = given
      ? readLines(catalogue, given, {
          before: before.lines,
          idPrefix: "sol",
          now: tx.now,
          digits: now.digits,
          faults,
        }).map((line) => ({
          ...line,
          invoicedQuantity: before.lines.find((each) => each.id === line.id)?.invoicedQuantity ?? 0,
        }))
      : before.lines
    const customer = findCustomer(change.customer ?? before.head.customer, before.head.customer, faults)
    const dates = { ...before.head, ...change } as OrderHead
    faults.push(...deliveryFaults(dates.orderDate, dates.deliveryDate))
    const differing = Object.keys(change).filter(
      (name) => !Bun.deepEquals(change[name], shown[name as keyof SalesOrder]),
    )
    const linesDiffer = faults.length === 0 && !sameLines(lines, before.lines)
    if (linesDiffer) differing.push("items")
    const totals = linesDiffer ? totalsOf(lines, taxesOf(lines)) : null
    if (totals) faults.push(...totalFaults(totals))
    assertNoFaults(faults, "The sales order has invalid values.")
    assertEditable(before.head, differing)
    if (differing.length === 0) return shown
    const moved = differing.includes("customer") && customer
    const head = {
      ...before.head,
      ...(moved ? { customerName: customer.name, paymentTerms: customer.paymentTerms } : {}),
      ...change,
      ...totals,
      version: before.head.version + 1,
      updatedAt: tx.now,
    } as OrderHead
    if (linesDiffer) replaceLines(db, id, lines)
    save(before, { head, lines }, tx)
    const after = get(id)
    note(tx, "update", shown, after)
    return after
  }

  const changeStatus = (
    tx: Tx,
    id: string,
    { to, reason = null, override = false, caller }: Move,
  ): SalesOrder => {
    const before = load(id)
    if (before.head.status === to) return get(id)
    assertMayBecome(before.head, to)
    const isForced = to === "submitted" && assertSubmittable(tx, before, override, caller)
    if (to === "cancelled" && hasLiveInvoice(db, id))
      throw new Refusal(
        "ORDER_HAS_INVOICES",
        `Sales order ${before.head.orderNumber} has invoices; cancel those first.`,
        {
          details: [{ field: "status", message: "cannot be cancelled while invoices are issued" }],
        },
      )
    const stamps = {
      submitted: { submittedAt: tx.now },
      completed: { completedAt: tx.now },
      cancelled: { cancelledAt: tx.now, cancelReason: reason },
      draft: {},
    }
    move(tx, before, { ...before.head, ...stamps[to], status: to })
    tx.auditEntries.push({
      action: "sales-orders.status",
      kind: "sales-orders",
      recordId: id,
      changes: {
        status: { from: before.head.status, to },
        ...(reason ? { cancelReason: { from: null, to: reason } } : {}),
        ...(isForced ? { creditOverride: { from: false, to: true } } : {}),
      },
    })
    return get(id)
  }

  const move = (tx: Tx, before: Order, head: OrderHead, lines = before.lines): void =>
    save(before, { head: { ...head, version: head.version + 1, updatedAt: tx.now }, lines }, tx)

  const assertSubmittable = (tx: Tx, { head, lines }: Order, override: boolean, caller: Caller): boolean => {
    const faults: Detail[] = []
    const customer = findCustomer(head.customer, null, faults)
    const sold = catalogue.forLines(lines.map(({ item }) => item))
    lines.forEach(({ item, itemCode }, i) => {
      if (!sold.get(item)?.isActive)
        faults.push({ field: `items[${i}].item`, message: `${itemCode} is inactive` })
    })
    assertNoFaults(faults, `Sales order ${head.orderNumber} cannot be submitted.`)
    const promised = new Map<string, number>()
    lines.forEach(({ item, itemCode, quantity }, i) => {
      const found = sold.get(item)
      promised.set(item, (promised.get(item) ?? 0) + quantity)
      const available = (found?.currentStock ?? 0) - (found?.reservedStock ?? 0)
      if (!found?.hasStock || available >= (promised.get(item) ?? 0)) return
      const message = `${itemCode}: ${fromUnits(quantity, priceDigits)} ordered, ${fromUnits(Math.max(0, available), priceDigits)} available.`
      tx.warnings.push({ code: "INSUFFICIENT_STOCK", field: `items[${i}].quantity`, message })
    })
    const { digits } = basis(tx.now)
    const policy = settings().creditPolicy
    return (
      customer !== null && assertCredit(tx, customer, { total: head.total, digits, policy, override, caller })
    )
  }

  /** The customer a document names. One that is inactive may stay, but not be newly named. */
  const findCustomer = (id: unknown, before: string | null, faults: Detail[]) => {
    if (typeof id !== "string") return null
    const customer = clients.forDocument(id)
    if (!customer) faults.push({ field: "customer", message: `${JSON.stringify(id)} does not exist` })
    else if (!customer.isActive && id !== before)
      faults.push({ field: "customer", message: `${customer.name} is inactive` })
    return customer
  }

  const note = (tx: Tx, verb: string, before: SalesOrder | null, after: SalesOrder | null) =>
    tx.auditEntries.push({
      action: `sales-orders.${verb}`,
      kind: "sales-orders",
      recordId: (after ?? before)?.id,
      changes: changesOf(salesOrders, before, after),
    })

  const copyOf = (
    { customer, deliveryDate, items, paymentTerms, notes }: SalesOrder,
    keepsDates: boolean,
  ): Input => ({
    customer,
    ...(keepsDates ? { deliveryDate } : {}),
    paymentTerms,
    notes,
    items: items.map(({ item, quantity, rate, discount }) => ({ item, quantity, rate, discount })),
  })

  return {
    get,
    create: (tx: Tx, input: Input, caller: Caller) => create(tx, input, caller),
    update,

    list(query: ListQuery) {
      const page = store.list(query)
      return { ...page, rows: complete(page.rows as unknown as OrderHead[]) }
    },

    remove(tx: Tx, id: string, expected: Expected): void {
      const before = get(id)
      assertVersion(before, expected)
      assertDeletable(load(id).head, before.invoices.length > 0)
      store.remove(tx, id)
      note(tx, "delete", before, null)
    },

    changeStatus(tx: Tx, id: string, asked: Move, expected: Expected): SalesOrder {
      assertVersion(load(id).head, expected)
      return changeStatus(tx, id, asked)
    },

    /** A new draft with the same lines. */
    duplicate: (tx: Tx, id: string, caller: Caller) => create(tx, copyOf(get(id), false), caller),

    /** Cancels an order and makes a draft of it that says where it came from. */
    amend(tx: Tx, id: string, caller: Caller): SalesOrder {
      const before = get(id)
      changeStatus(tx, id, { to: "cancelled", reason: "Amended", caller })
      return create(
        tx,
        { ...copyOf(before, false), orderDate: before.orderDate, deliveryDate: before.deliveryDate },
        caller,
        id,
      )
    },

    /** An order for whoever bills it, as it is kept. */
    load,

    /** Books a change of what has been billed; the order completes, or opens again, by itself. */
    book(tx: Tx, before: Order, lines: OrderLine[], invoicedTotal: number): void {
      const invoiceStatus = invoiceStatusOf(lines)
      const isDone = isInvoiced(lines)
      const wasOpenedAgain = before.head.status === "completed" && !isDone
      const status: OrderStatus = isDone ? "completed" : wasOpenedAgain ? "submitted" : before.head.status
      setInvoicedQuantities(db, lines)
      const head: OrderHead = { ...before.head, invoiceStatus, invoicedTotal }
      if (status === before.head.status) return save(before, { head, lines }, tx)
      const completedAt = status === "completed" ? tx.now : null
      move(tx, before, { ...head, status, completedAt }, lines)
      const changes = { status: { from: before.head.status, to: status } }
      tx.auditEntries.push({
        action: "sales-orders.status",
        kind: "sales-orders",
        recordId: head.id,
        changes,
      })
    },
  }
}

export type SalesOrderService = ReturnType<typeof salesOrderService>

/** What is wrong with the status a document is to be made with. */
export function statusFaults(status: unknown, allowed: readonly string[]): Detail[] {
  if (status === undefined || status === null || allowed.includes(status as string)) return []
  return [{ field: "status", message: `must be one of ${allowed.join(", ")}` }]
}
