import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { newId } from "../../lib/id"
import { taxesOf, totalsOf } from "../../shared/money"
import { assertNoFaults, Refusal, type Detail } from "../../lib/refusal"
import { whenDone } from "../../lib/turns"
import { assertVersion, type Expected } from "../../resource/crud"
import type { ListQuery } from "../../resource/list"
import { readChange, readDraft, type Input } from "../../resource/read"
import type { ItemService } from "../items/service"
import { taxesToWire, type GivenLine } from "../lines/model"
import { statusFaults } from "../lines/rules"
import { readCustomer, readLines, sameLines, servedParts, totalFaults, warnOfLines } from "../lines/service"
import type { Settings } from "../settings/model"
import { orderBook, type Deps } from "./book"
import { salesOrders, type OrderHead, type OrderLine, type SalesOrder } from "./model"
import type { OrderStatus } from "../../shared/statuses"
import { assertDeletable, assertEditable, assertMayBecome, deliveryFaults } from "./rules"
import { hasLiveInvoice, orderLines } from "./store"
import { assertSubmittable } from "./submit"

/** What moves an order to another status. */
export type Move = { to: OrderStatus; reason?: string | null; override?: boolean; caller: Caller }

/** What a copy takes over that a body could not say: no terms at all, and where it came from. */
type Copied = { paymentTerms?: string | null; amendedFrom?: string }

type More = { catalogue: ItemService; settings: () => Settings }

export function salesOrderService({ catalogue, settings, ...deps }: Deps & More) {
  const { db, store, clients, basis } = deps
  const { find, load, completeAll, get, save, move, note, book } = orderBook(deps)

  const create = (tx: Tx, { status, ...input }: Input, caller: Caller, copied: Copied = {}): SalesOrder => {
    const now = basis(tx.now)
    const faults: Detail[] = statusFaults(status, ["draft", "submitted"])
    const draft = readDraft(salesOrders, input, faults)
    const orderDate = String(draft.orderDate ?? now.today)
    faults.push(...deliveryFaults(orderDate, draft.deliveryDate))
    const customer = readCustomer(clients, draft.customer, null, faults)
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
    faults.push(...totalFaults(totals, now.digits))
    assertNoFaults(faults, "The sales order has invalid values.")
    const head = {
      ...draft,
      id,
      orderNumber: nextNumber(db, `SO-${orderDate.slice(0, 4)}`),
      status: "draft",
      invoiceStatus: "not_invoiced",
      customerName: customer?.name,
      orderDate,
      paymentTerms:
        draft.paymentTerms ?? (copied.paymentTerms === null ? null : (customer?.paymentTerms ?? null)),
      currency: now.currency,
      ...totals,
      invoicedTotal: 0,
      submittedAt: null,
      completedAt: null,
      cancelledAt: null,
      cancelReason: null,
      amendedFrom: copied.amendedFrom ?? null,
      createdBy: caller.userId,
      version: 1,
      createdAt: tx.now,
      updatedAt: tx.now,
    } as unknown as OrderHead
    save(null, { head, lines }, tx)
    orderLines.insert(db, id, lines)
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
    warnOfLines(tx, input.items, shown.items, [...servedParts, "invoicedQuantity"])
    const differing = Object.keys(change).filter(
      (name) => !Bun.deepEquals(change[name], shown[name as keyof SalesOrder]),
    )
    const linesDiffer = given !== undefined && !sameLines(lines, before.lines)
    if (linesDiffer) differing.push("items")
    // What is locked is locked, whatever it was to become.
    assertEditable(before.head, differing)
    const customer = readCustomer(
      clients,
      change.customer ?? before.head.customer,
      before.head.customer,
      faults,
    )
    const dates = { ...before.head, ...change } as OrderHead
    faults.push(...deliveryFaults(dates.orderDate, dates.deliveryDate))
    const totals = linesDiffer ? totalsOf(lines, taxesOf(lines)) : null
    if (totals) faults.push(...totalFaults(totals, now.digits))
    assertNoFaults(faults, "The sales order has invalid values.")
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
    if (linesDiffer) orderLines.replace(db, id, lines)
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
    const isForced =
      to === "submitted" &&
      assertSubmittable(
        tx,
        before,
        { catalogue, clients },
        { override, caller, digits: basis(tx.now).digits, policy: settings().creditPolicy },
      )
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
        ...(reason ? { [to === "cancelled" ? "cancelReason" : "reason"]: { from: null, to: reason } } : {}),
        ...(isForced ? { creditOverride: { from: false, to: true } } : {}),
      },
    })
    return get(id)
  }

  const copyOf = ({ customer, items, paymentTerms, notes }: SalesOrder): Input => ({
    customer,
    paymentTerms,
    notes,
    items: items.map(({ item, quantity, rate, discount }) => ({ item, quantity, rate, discount })),
  })

  return {
    get,
    create: (tx: Tx, input: Input, caller: Caller) => create(tx, input, caller),
    update,

    taxes(id: string) {
      const { lines } = load(id)
      return taxesToWire(lines, taxesOf(lines), basis().digits)
    },

    list(query: ListQuery) {
      return whenDone(store.list(query), (page) =>
        whenDone(completeAll(page.rows as unknown as OrderHead[]), (rows) => ({ ...page, rows })),
      )
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
    duplicate(tx: Tx, id: string, caller: Caller): SalesOrder {
      const order = get(id)
      return create(tx, copyOf(order), caller, { paymentTerms: order.paymentTerms })
    },

    /** Cancels an order and makes a draft of it that says where it came from. */
    amend(tx: Tx, id: string, caller: Caller): SalesOrder {
      const before = get(id)
      assertMayBecome(load(id).head, "cancelled")
      changeStatus(tx, id, { to: "cancelled", reason: "Amended", caller })
      const { orderDate, deliveryDate, paymentTerms } = before
      return create(tx, { ...copyOf(before), orderDate, deliveryDate }, caller, {
        paymentTerms,
        amendedFrom: id,
      })
    },

    /** An order for whoever bills it, as it is kept; and how to book what was billed. */
    find,
    load,
    book,
  }
}

export type SalesOrderService = ReturnType<typeof salesOrderService>
