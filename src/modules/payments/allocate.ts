import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import type { Reading } from "../../resource/body"
import { assertOpenPeriod } from "../settings/period"
import type { Allocation } from "../settlements/model"
import { assertLeft, assertPayable } from "../settlements/money"
import type { Settlement } from "../settlements/store"
import { toAllocation } from "../settlements/shown"
import { notBefore, readTarget } from "../settlements/target"
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
