import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { assertOpenPeriod } from "../../office/settings/period"
import type { Allocation } from "../../trade/settlements/model"
import { assertLeft, assertPayable } from "../../trade/settlements/money"
import type { Settlement } from "../../trade/settlements/store"
import { toAllocation } from "../../trade/settlements/shown"
import { notBefore, readTarget } from "../../trade/settlements/target"
import type { AllocationBody, StoredPayment } from "./model"
import { allocate, recount, tellAllocation, type PaymentDeps } from "./parts"

/** Pays an invoice with what is left of a payment. It counts from today on, or from the date of the payment. */
export function allocateRest(
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
