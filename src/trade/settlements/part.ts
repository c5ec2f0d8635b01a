import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { newId } from "../../core/lib/id"
import { assertNoErrors, invalid, missingReference, Refusal } from "../../core/lib/refusal"
import { findSettlement, type Settlement } from "./store"
import type { Reading } from "../../core/kind/body"
import type { MoneyContext } from "../../core/kind/field"
import type { PayableInvoice } from "../needs"
import { readAmount } from "./money"

/** Returns a part of a payment or of a credit note, or refuses an id that it does not have. */
export function partOf(
  db: Database,
  owner: { table: "payment" | "credit_note"; id: string; noun: string },
  kind: Settlement["kind"],
  id: string,
): Settlement {
  const found = findSettlement(db, owner.table, owner.id, id)
  if (found?.kind === kind) return found
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no ${kind} ${JSON.stringify(shown)} of this ${owner.noun}.`, {
    params: { kind: `${kind}s`, id: shown },
  })
}

const prefixes = { allocation: "alc", application: "app", refund: "rfd" }
const nothing = { payment: null, creditNote: null, invoice: null, method: null, reference: null }

/** Returns a new part of a payment or of a credit note. */
export const newPart = (
  tx: Tx,
  part: Pick<Settlement, "kind" | "amount" | "date" | "createdBy"> & Partial<Settlement>,
): Settlement => ({ ...nothing, ...part, id: newId(prefixes[part.kind], tx.now), createdAt: tx.now })

/** Adds up the parts of one kind. */
export const sumOf = (parts: readonly Settlement[], kind: Settlement["kind"]): number =>
  parts.reduce((sum, part) => (part.kind === kind ? sum + part.amount : sum), 0)

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
