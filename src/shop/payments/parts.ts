import { assertOpenPeriod } from "../../trade/documents/dates"
import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { fromUnits } from "../../shared/decimal"
import type { MoneyContext } from "../../core/kind/field"
import type { Later } from "../../core/lib/turns"
import type { ListQuery } from "../../core/store/list"
import type { Page } from "../../core/store/table-list"
import type { TableStore } from "../../core/store/table-store"
import type { CustomerService } from "../customers/service"
import type { InvoiceHead } from "../invoices/model"
import type { InvoiceService } from "../invoices/service"
import type { Settings } from "../../office/settings/model"
import { newPart, sumOf } from "../../trade/settlements/part"
import {
  findSettlements,
  insertSettlement,
  voidSettlement,
  type Settlement,
} from "../../trade/settlements/store"
import type { payments, StoredPayment } from "./model"

export type PaymentDeps = {
  db: Database
  store: PaymentStore
  invoices: InvoiceService
  customers: CustomerService
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
}

/** The table of payments. Its rows do not contain the allocations and refunds. */
export type PaymentStore = Pick<TableStore<typeof payments>, "findId" | "takenFields" | "values"> & {
  load(id: string): StoredPayment | null
  /** In the form of a response: amounts in plain numbers. */
  find(id: string): StoredPayment | null
  insert(tx: Tx, payment: StoredPayment): unknown
  replace(tx: Tx, after: StoredPayment, before: StoredPayment): void
  list(query: ListQuery): Later<Page<StoredPayment>>
  findMany(ids: readonly string[], signal: AbortSignal | null): Promise<StoredPayment[]>
}

/** A part of a payment for an invoice. */
type Part = { invoice: InvoiceHead; amount: number; date: string; by: string | null }

/** Stores that parts of a payment pay different invoices, and lowers the balances of the invoices. */
export function allocate(deps: PaymentDeps, tx: Tx, payment: string, parts: readonly Part[]): Settlement[] {
  const { invoices, moneyContext } = deps
  const allocations = parts.map((part) => storeAllocation(deps, tx, payment, part))
  invoices.settleAll(
    tx,
    parts.map(({ invoice, amount }) => ({
      before: invoice,
      change: { amountPaid: invoice.amountPaid + amount },
    })),
  )
  const { digits } = moneyContext(tx.now)
  for (const { invoice, amount } of parts)
    tx.audit("invoices.payment", invoice.id, {
      payment: { from: null, to: payment },
      amount: { from: null, to: fromUnits(amount, digits) },
    })
  return allocations
}

function storeAllocation(
  { db }: PaymentDeps,
  tx: Tx,
  payment: string,
  { invoice, amount, date, by }: Part,
): Settlement {
  const part = { payment, invoice: invoice.id, amount, date, createdBy: by }
  const allocation = newPart(tx, { kind: "allocation", ...part })
  insertSettlement(db, allocation)
  return allocation
}

/** Voids an allocation of a payment that stays: its amount is unallocated again. */
export function voidAllocation(deps: PaymentDeps, tx: Tx, allocation: Settlement, by: string | null): void {
  for (const { invoiceNumber } of releaseAllocations(deps, tx, [allocation], by))
    tellAllocation(deps, tx, "allocation-removed", { ...allocation, invoiceNumber })
}

/** Voids allocations of a payment. Their invoices, which it returns, have that much more left to pay. */
export function releaseAllocations(
  deps: PaymentDeps,
  tx: Tx,
  allocations: readonly Settlement[],
  by: string | null,
): InvoiceHead[] {
  const { db, invoices, settings, moneyContext } = deps
  for (const { id, date } of allocations) {
    assertOpenPeriod(settings(), date, "allocationDate")
    voidSettlement(db, id, { now: tx.now, by })
  }
  const released = [...Map.groupBy(allocations, ({ invoice }) => invoice ?? "")].map(([id, parts]) => ({
    before: invoices.loadHead(id),
    amount: sumOf(parts, "allocation"),
    payment: parts[0]?.payment ?? null,
  }))
  invoices.settleAll(
    tx,
    released.map(({ before, amount }) => ({ before, change: { amountPaid: before.amountPaid - amount } })),
  )
  const { digits } = moneyContext(tx.now)
  for (const { before, amount, payment } of released)
    tx.audit("invoices.payment-removed", before.id, {
      payment: { from: payment, to: null },
      amount: { from: fromUnits(amount, digits), to: null },
    })
  return released.map(({ before }) => before)
}

/**
 * Adds to the history of a payment that a part of it was allocated, or an allocation was voided, after the payment was
 * recorded. The history of the invoice has an entry of its own.
 */
export function tellAllocation(
  { moneyContext }: PaymentDeps,
  tx: Tx,
  what: "allocation" | "allocation-removed",
  { id, payment, invoice, amount, invoiceNumber }: Settlement & Pick<InvoiceHead, "invoiceNumber">,
): void {
  const change = (value: string | number | null) =>
    what === "allocation" ? { from: null, to: value } : { from: value, to: null }
  tx.audit(`payments.${what}`, payment, {
    allocation: change(id),
    invoice: change(invoice),
    invoiceNumber: change(invoiceNumber),
    amount: change(fromUnits(amount, moneyContext(tx.now).digits)),
  })
}

/**
 * Stores how much of a payment is allocated and refunded now. What is left is credit of the customer; `counted` is what
 * was left before, null for a new payment.
 */
export function recount(
  deps: PaymentDeps,
  tx: Tx,
  before: StoredPayment,
  counted: ReturnType<typeof creditOf> | null = creditOf(before),
): StoredPayment {
  const { db, store, customers } = deps
  const parts = findSettlements(db, "payment", [before.id])
  const [allocated, refunded] = [sumOf(parts, "allocation"), sumOf(parts, "refund")]
  const paid = [...new Set(parts.flatMap(({ invoice }) => invoice ?? []))]
  const after: StoredPayment = {
    ...before,
    allocated,
    refunded,
    unallocated: before.amount - allocated - refunded,
    invoice: paid.length === 1 ? (paid[0] ?? null) : null,
    version: before.version + 1,
    updatedAt: tx.now,
  }
  store.replace(tx, after, before)
  customers.moveFigure(tx, "credit_balance", counted, creditOf(after))
  return after
}

/** What is left of a payment, as a part of the credit of its customer. */
export const creditOf = ({ customer, unallocated }: StoredPayment) => ({ customer, amount: unallocated })
