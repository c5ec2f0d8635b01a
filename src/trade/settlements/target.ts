import type { Tx } from "../../core/write/writer"
import { assertNoErrors, invalid, missingReference } from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import type { MoneyContext } from "../../core/kind/field"
import type { PayableInvoice } from "../needs"
import { readAmount } from "./money"

type Deps<I> = {
  invoices: { findHead(id: string): I | null }
  moneyContext: (at?: string) => MoneyContext
}

/** Reads a body that pays an invoice: the invoice, and the amount in the minor unit. */
export function readTarget<I extends PayableInvoice>(
  { invoices, moneyContext }: Deps<I>,
  tx: Tx,
  { values: { invoice: id, amount: given }, errors }: Reading<{ invoice: string; amount: number }>,
  noun: "allocation" | "application",
): { invoice: I; amount: number; money: MoneyContext } {
  const money = moneyContext(tx.now)
  const amount = readAmount(given, money, "amount", errors)
  const invoice = typeof id === "string" ? invoices.findHead(id) : null
  if (typeof id === "string" && !invoice) errors.push(missingReference("invoice", id))
  assertNoErrors(errors, `The ${noun} has invalid values.`)
  if (!invoice) throw invalid("invoice", "REQUIRED", "is required")
  return { invoice, amount, money }
}

/** Returns the date of a part: today, but not before the payment or the credit note. */
export const notBefore = (date: string, { today }: MoneyContext): string => (date > today ? date : today)
