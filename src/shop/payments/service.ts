import { assertOpenPeriod } from "../../trade/documents/dates"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Core } from "../../core/folder"
import { settled, whenDone } from "../../core/lib/turns"
import type { Reading } from "../../core/kind/body"
import type { Draft, Input } from "../../core/kind/read"
import { refuseMissing } from "../../core/store/crud"
import type { ListQuery } from "../../core/store/list"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { allocationsIn, assertMayCorrect, refundsIn, toAllocation } from "../../trade/settlements/shown"
import { completeInSlices } from "../../trade/documents/documents"
import { type Allocation, invoicePayments, type Refund, type RefundBody } from "../../trade/settlements/model"
import { notBefore, partOf, readTarget } from "../../trade/settlements/part"
import { insertRefund, voidRefund } from "../../trade/settlements/refund"
import { countSettlementsOf, findSettlements, type Settlement } from "../../trade/settlements/store"
import { createPayment } from "./create"
import { type AllocationBody, type Payment, payments, type StoredPayment } from "./model"
import { invoicePaymentService } from "./of-invoice"
import {
  allocate,
  type PaymentDeps,
  type PaymentStore,
  recount,
  tellAllocation,
  voidAllocation,
} from "./parts"
import { updatePayment } from "./update"
import { loadPayment, voidWhole } from "./void"
import { assertLeft, assertPayable } from "../../trade/settlements/money"

/** The payments of customers. */
type Needs = Omit<PaymentDeps, "store"> & Core

export function paymentService({ db, storeOf, invoices, customers, settings, moneyContext }: Needs) {
  const store = storeOf(payments) as unknown as PaymentStore
  const deps: PaymentDeps = { db, store, invoices, customers, settings, moneyContext }
  const completeAll = completeInSlices(
    (shown: StoredPayment[]) => withParts(deps, shown),
    (shown) =>
      countSettlementsOf(
        deps.db,
        "payment",
        shown.map(({ id }) => id),
      ),
  )
  const get = (id: string): Payment =>
    withParts(deps, [store.find(id) ?? refuseMissing(payments, id)])[0] as Payment
  return {
    ...usesOf(deps),
    /** The payments of one invoice. */
    ofInvoice: invoicePaymentService({ ...deps, parts: storeOf(invoicePayments) }),
    list: (query: ListQuery) =>
      whenDone(store.list(query), (page) => whenDone(completeAll(page.rows), (rows) => ({ ...page, rows }))),
    values: store.values,
    related: { customer: customers.asRelated, "allocations.invoice": invoices.asRelated },
    findMany: async (ids: readonly string[], signal: AbortSignal | null) =>
      settled(completeAll(await store.findMany(ids, signal)), signal),
    inTable: (records: readonly Record<string, unknown>[]) =>
      records.map((payment) => ({ ...payment, invoiceNumbers: invoiceNumbersOf(payment) })),
    get,
    findId: (name: string, value: string) => store.findId(name, value),
    create: (tx: Tx, draft: Draft, caller: Caller): Payment => get(createPayment(deps, tx, draft, caller).id),

    update(tx: Tx, id: string, input: Input, expected: Expected): Payment {
      const shown = get(id)
      assertVersion(shown, expected)
      return updatePayment(deps, tx, shown, input) ? get(id) : shown
    },

    /** Voids a payment with its allocations and refunds. */
    remove(tx: Tx, id: string, expected: Expected, caller: Caller): void {
      const payment = loadPayment(deps, id)
      assertVersion(payment, expected)
      voidWhole(deps, tx, payment, caller)
    },
  }
}

const invoiceNumbersOf = ({ allocations }: Record<string, unknown>): string => {
  const numbers = (allocations as { invoiceNumber: string }[]).map(({ invoiceNumber }) => invoiceNumber)
  return [...new Set(numbers)].join(", ")
}

/** The functions that use what is left of a payment. */
function usesOf(deps: PaymentDeps) {
  const load = (id: string) => loadPayment(deps, id)
  const part = (id: string, kind: Settlement["kind"], partId: string) =>
    partOf(deps.db, { table: "payment", id, noun: "payment" }, kind, partId)
  /** Checks the version, voids a part of a payment, and counts what is left. */
  const removePart = (tx: Tx, id: string, expected: Expected, remove: () => void): void => {
    const payment = load(id)
    assertVersion(payment, expected)
    remove()
    recount(deps, tx, payment)
  }
  return {
    allocate: (tx: Tx, id: string, reading: Reading<AllocationBody>, caller: Caller): Allocation =>
      allocateRest(deps, tx, load(id), reading, caller),
    /** Voids an allocation. Its amount is unallocated again. */
    removeAllocation: (tx: Tx, id: string, partId: string, expected: Expected, caller: Caller): void =>
      removePart(tx, id, expected, () =>
        voidAllocation(deps, tx, part(id, "allocation", partId), caller.userId),
      ),
    refund(tx: Tx, id: string, reading: Reading<RefundBody>, caller: Caller): Refund {
      assertMayCorrect(caller, "refund", "amount")
      const payment = load(id)
      const { unallocated: left, paymentDate: date } = payment
      const source = { kind: "payments" as const, id, left, name: "The payment", date }
      const refund = insertRefund(deps, tx, source, reading, caller)
      recount(deps, tx, payment)
      return refund
    },
    removeRefund: (tx: Tx, id: string, partId: string, expected: Expected, caller: Caller): void =>
      removePart(tx, id, expected, () => voidRefund(deps, tx, part(id, "refund", partId), caller)),
  }
}

export type PaymentService = ReturnType<typeof paymentService>

/** Adds the allocations and refunds to payments in the form of a response. */
function withParts({ db, moneyContext }: PaymentDeps, shown: readonly StoredPayment[]): Payment[] {
  const ids = shown.map(({ id }) => id)
  const parts = Map.groupBy(findSettlements(db, "payment", ids), ({ payment }) => payment)
  const { digits } = moneyContext()
  return shown.map((payment) => {
    const own = parts.get(payment.id) ?? []
    return {
      ...payment,
      allocations: allocationsIn(own, digits),
      refunds: refundsIn(own, digits),
    }
  })
}

/** Pays an invoice with what is left of a payment. It counts from today on, or from the date of the payment. */
function allocateRest(
  deps: PaymentDeps,
  tx: Tx,
  payment: StoredPayment,
  reading: Reading<AllocationBody>,
  caller: Caller,
): Allocation {
  const { invoice, amount, money } = readTarget(deps, tx, reading, "allocation")
  const date = notBefore(payment.paymentDate, money)
  assertOpenPeriod(deps.settings(), date, "allocationDate")
  assertLeft({ name: "The payment", left: payment.unallocated, amount }, money)
  assertPayable(deps.db, invoice, { amount, field: "amount", customer: payment.customer }, money)
  const part = { invoice, amount, date, by: caller.userId }
  const [allocation] = allocate(deps, tx, payment.id, [part]) as [Settlement]
  recount(deps, tx, payment)
  const { invoiceNumber } = invoice
  tellAllocation(deps, tx, "allocation", { ...allocation, invoiceNumber })
  return toAllocation({ ...allocation, invoiceNumber, creditNoteNumber: null }, money.digits)
}
