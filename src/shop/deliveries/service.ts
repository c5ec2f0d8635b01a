import type { Caller } from "../../core/caller"
import type { Core } from "../../core/folder"
import { related } from "../../core/http/answer/expand"
import type { Reading } from "../../core/kind/body"
import { type Input, readChange } from "../../core/kind/read"
import { assertVersion, type Expected, keepChangeCount } from "../../core/kind/tag"
import { Refusal } from "../../core/lib/refusal"
import { settled, whenDone } from "../../core/lib/turns"
import { refuseMissing, tableCrud } from "../../core/store/crud"
import type { ListQuery } from "../../core/store/list"
import type { Tx } from "../../core/write/writer"
import type { Settings } from "../../office/settings/model"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { completeInSlices } from "../../trade/documents/documents"
import { assertTransition, assertUnlocked } from "../../trade/documents/rules"
import { type DocumentMail, sendOperation } from "../../trade/mail/service"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import type { SalesOrderService } from "../sales-orders/service"
import type { StockMovementService } from "../stock-movements/service"
import { cancelDelivery } from "./cancel"
import { deliverOrder } from "./from-order"
import { deliveries, type Delivering, type Delivery, type DeliveryHead } from "./model"
import { editable, named, transitions } from "./rules"
import { countLines, findLines } from "./store"

export type Needs = Core & {
  settings: () => Settings
  customers: CustomerService
  items: ItemService
  salesOrders: SalesOrderService
  stockMovements: StockMovementService
  mail: DocumentMail
}

/** A request to change the status. Only cancelling is one. */
type StatusRequest = { status: string; reason: string | null; caller: Caller }

/** Deliveries of sales orders. */
export function deliveryService(the: Needs) {
  const { db } = the
  const store = the.storeOf(deliveries)
  const crud = tableCrud(deliveries, store)
  const completeAll = completeInSlices(complete(db), (heads) =>
    countLines(
      db,
      heads.map(({ id }) => id),
    ),
  )
  const get = (id: string): Delivery => complete(db)([crud.get(id)])[0] as Delivery
  const findMany = async (ids: readonly string[], signal: AbortSignal | null) =>
    settled(completeAll(await store.findMany(ids, signal)), signal)
  return {
    get,
    findMany,
    findId: crud.findId,
    values: crud.values,
    list: (query: ListQuery) =>
      whenDone(store.list(query), (page) => whenDone(completeAll(page.rows), (rows) => ({ ...page, rows }))),
    related: {
      customer: the.customers.asRelated,
      salesOrder: the.salesOrders.asRelated,
      "items.item": the.items.asRelated,
    },
    asRelated: related(deliveries, { findMany }),
    send: sendOperation(the, deliveries),

    /** Delivers an order, completely or in part. */
    fromOrder(tx: Tx, reading: Reading<Delivering>, caller: Caller): Delivery {
      const id = deliverOrder(the, store, tx, reading, caller)
      if (reading.values.send) the.mail.sendBy(tx, { kind: deliveries.name, id, caller })
      return get(id)
    },

    /** Updates how it was sent, and its notes. */
    update(tx: Tx, id: string, input: Input, expected: Expected): Delivery {
      const before = get(id)
      assertVersion(before, expected)
      const isSame = (name: string, value: unknown) => Bun.deepEquals(value, before[name as keyof Delivery])
      const change = readChange(deliveries, before, input, [], [])
      const differing = Object.keys(change).filter((name) => !isSame(name, change[name]))
      assertUnlocked(editable[before.status], named(before), differing)
      // Its lines are not in its own table, so what is sent back as it was is left out here.
      const rest = Object.fromEntries(Object.entries(input).filter(([name, value]) => !isSame(name, value)))
      crud.revise(tx, id, rest, expected)
      return get(id)
    },

    /** Cancels a delivery: its goods are back, unless they are invoiced. */
    changeStatus(tx: Tx, id: string, request: StatusRequest, expected: Expected = null): Delivery {
      const before = store.load(id) ?? refuseMissing(deliveries, id)
      assertVersion(get(id), expected)
      if (request.status === before.status) return get(id)
      assertTransition(transitions[before.status], named(before), request.status)
      assertMayCancel(request.caller)
      cancelDelivery(the, tx, before, request.caller)
      const { reason } = request
      const stamps = { status: "cancelled" as const, cancelledAt: tx.now, cancelReason: reason }
      store.replace(tx, { ...before, ...stamps, version: before.version + 1, updatedAt: tx.now }, before)
      tx.audit("deliveries.status", id, {
        status: { from: before.status, to: "cancelled" },
        ...(reason === null ? {} : { cancelReason: { from: null, to: reason } }),
      })
      return get(id)
    },
  }
}

export type DeliveryService = ReturnType<typeof deliveryService>

/** Returns a function that adds to deliveries what is in other tables. */
const complete =
  (db: Core["db"]) =>
  (heads: DeliveryHead[]): Delivery[] => {
    const lines = findLines(
      db,
      heads.map(({ id }) => id),
    )
    return heads.map((head) =>
      keepChangeCount(head, {
        ...head,
        allowedTransitions: [...transitions[head.status]],
        items: (lines.get(head.id) ?? []).map((line) => ({
          ...line,
          quantity: fromUnits(line.quantity, priceDigits),
        })),
      }),
    )
  }

/** A web shop or a till hands goods over, and people who answer for the stock take that back. */
function assertMayCancel({ role }: Caller): void {
  if (role !== "shop") return
  throw new Refusal("FORBIDDEN", `The role ${role} is not allowed to cancel deliveries.`, {
    params: { role },
  })
}
