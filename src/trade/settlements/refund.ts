import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { assertNoErrors } from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits } from "../../shared/decimal"
import { assertOpenPeriod, warnOfDate } from "../documents/dates"
import type { Settings } from "../../office/settings/model"
import type { Refund, RefundBody } from "./model"
import { assertLeft, readAmount } from "./money"
import { newPart, notBefore } from "./part"
import { toRefund } from "./shown"
import { insertSettlement, voidSettlement, type Settlement } from "./store"

type Deps = { db: Database; settings: () => Settings; moneyContext: (at?: string) => MoneyContext }

/** The payment or the credit note that is refunded, what is left of it, and its name in messages. */
type Source = { kind: "payments" | "credit-notes"; id: string; left: number; name: string; date: string }

/** Stores that a customer got back a part of a payment or of a credit note. */
export function insertRefund(
  { db, settings, moneyContext }: Deps,
  tx: Tx,
  { kind, id, left, name, date: earliest }: Source,
  { values, errors }: Reading<RefundBody>,
  caller: Caller,
): Refund {
  const money = moneyContext(tx.now)
  const amount = readAmount(values.amount, money, "amount", errors)
  assertNoErrors(errors, "The refund has invalid values.")
  const date = values.refundDate ?? notBefore(earliest, money)
  assertOpenPeriod(settings(), date, "refundDate")
  warnOfDate(tx.warnings, "refundDate", date, money.today)
  assertLeft({ name, left, amount }, money)
  const { method, reference } = values
  const owner = kind === "payments" ? { payment: id } : { creditNote: id }
  const given = { amount, date, method, reference, createdBy: caller.userId }
  const refund = newPart(tx, { kind: "refund", ...owner, ...given })
  insertSettlement(db, refund)
  const shown = fromUnits(amount, money.digits)
  tx.audit(`${kind}.refund`, id, { refund: { from: null, to: refund.id }, amount: { from: null, to: shown } })
  return toRefund({ ...refund, invoiceNumber: null, creditNoteNumber: null }, money.digits)
}

/** Voids a refund. */
export function voidRefund(
  { db, settings, moneyContext }: Deps,
  tx: Tx,
  refund: Settlement,
  caller: Caller,
): void {
  assertOpenPeriod(settings(), refund.date, "refundDate")
  voidSettlement(db, refund.id, { now: tx.now, by: caller.userId })
  const amount = fromUnits(refund.amount, moneyContext(tx.now).digits)
  const kind = refund.payment ? "payments" : "credit-notes"
  tx.audit(`${kind}.refund-removed`, refund.payment ?? refund.creditNote, {
    refund: { from: refund.id, to: null },
    amount: { from: amount, to: null },
  })
}
