import { assertOpenPeriod } from "../../trade/documents/dates"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { refuseMissing } from "../../core/store/crud"
import { noteDeleted } from "../../core/kind/record-events"
import { fromUnits } from "../../shared/decimal"
import { voidRefund } from "../../trade/settlements/refund"
import { findSettlements } from "../../trade/settlements/store"
import { payments, type StoredPayment } from "./model"
import { creditOf, releaseAllocations, type PaymentDeps } from "./parts"
import { voidPayment } from "./store"

/** Returns a stored payment: amounts in the minor unit. */
export const loadPayment = ({ store }: PaymentDeps, id: string): StoredPayment =>
  store.load(id) ?? refuseMissing(payments, id)

/** Voids a payment, and with it all that it paid and all that was refunded of it. */
export function voidWhole(deps: PaymentDeps, tx: Tx, payment: StoredPayment, caller: Caller): void {
  const { db, customers, settings, moneyContext } = deps
  assertOpenPeriod(settings(), payment.paymentDate, "paymentDate")
  const parts = findSettlements(db, "payment", [payment.id])
  for (const part of parts) if (part.kind === "refund") voidRefund(deps, tx, part, caller)
  const allocations = parts.filter(({ kind }) => kind === "allocation")
  releaseAllocations(deps, tx, allocations, caller.userId)
  const { id, customer, amount } = payment
  voidPayment(db, id, { now: tx.now, by: caller.userId })
  noteDeleted(tx, payments, payment)
  customers.moveFigure(tx, "credit_balance", creditOf(payment), { customer, amount: 0 })
  const shown = fromUnits(amount, moneyContext(tx.now).digits)
  tx.audit("payments.delete", id, {
    customer: { from: customer, to: null },
    amount: { from: shown, to: null },
  })
}
