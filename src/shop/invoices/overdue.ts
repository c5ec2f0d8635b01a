import type { Database } from "../../core/engine/engine"
import { findPosition, storePosition } from "../../core/engine/positions"
import type { Tx } from "../../core/write/writer"
import type { MoneyContext } from "../../core/kind/field"
import { invoices } from "./model"
import { countChange, findDueBetween } from "./store"

const task = "overdue-invoices"
/** The number of invoices that one transaction marks. */
const atOnce = 100

type Deps = { db: Database; moneyContext: (at?: string) => MoneyContext }

/** True when the day has changed since the last run, so that invoices may have become overdue. */
export const isOverdueOutdated = ({ db, moneyContext }: Deps): boolean =>
  (findPosition(db, task) ?? "") < moneyContext().today

/**
 * Stores that invoices became overdue because a day has passed: their ETag and `updatedAt` change. The position is the
 * due date, and the id where a transaction stopped, so that every invoice is marked once. Returns true when more are
 * left.
 */
export function markOverdue({ db, moneyContext }: Deps, tx: Tx): boolean {
  const { today } = moneyContext(tx.now)
  // In the first run nothing is marked, because the invoices that are overdue did not become overdue now.
  const [dueDate = today, id = ""] = findPosition(db, task)?.split(" ") ?? []
  const due = findDueBetween(db, { dueDate, id, before: today, limit: atOnce })
  for (const { id: becameDue } of due) {
    const version = countChange(db, becameDue, tx.now)
    const event = { kind: invoices.name, id: becameDue, version }
    tx.events.push(
      { ...event, type: "updated", changed: ["isOverdue"] },
      { ...event, type: "overdue", changed: [] },
    )
  }
  const last = due.length < atOnce ? undefined : due.at(-1)
  storePosition(db, task, last ? `${last.dueDate} ${last.id}` : today)
  return last !== undefined
}
