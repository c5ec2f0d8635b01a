import type { Tx } from "../../core/write/writer"
import type { InvoiceDeps } from "./invoices"
import type { InvoiceHead } from "./model"
import { owedOn, type Sums, withSums } from "./rules"
import { updateSums } from "./store"

export type SumsChange = { before: InvoiceHead; change: Partial<Sums> }

/** Changes what was paid, credited or deducted of different invoices, with one change of each customer. */
export function settleAll(
  deps: Pick<InvoiceDeps, "db" | "store" | "customers">,
  tx: Tx,
  changes: readonly SumsChange[],
): void {
  const owed = new Map<string, number>()
  for (const { before, change } of changes) {
    const moved = { ...withSums(before, change, tx.now), version: before.version + 1, updatedAt: tx.now }
    const head = { ...before, ...moved }
    updateSums(deps.db, head)
    deps.store.noteUpdated(tx, head, before)
    owed.set(before.customer, (owed.get(before.customer) ?? 0) + owedOn(head) - owedOn(before))
    if (head.status !== before.status)
      tx.audit("invoices.status", before.id, { status: { from: before.status, to: head.status } })
  }
  for (const [customer, amount] of owed)
    deps.customers.moveFigure(tx, "outstanding_balance", null, { customer, amount })
}
