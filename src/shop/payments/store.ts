import type { Database } from "../../core/engine/engine"

/** Finds the open invoices of a customer, those that are due first before the others. R-9 is before R-10. */
export const findOpenInvoices = (db: Database, customer: string, limit: number): { id: string }[] =>
  db
    .query<{ id: string }, [string, number]>(
      `SELECT id FROM invoices WHERE customer = ? AND balance > 0 AND status NOT IN ('draft', 'cancelled')
       ORDER BY due_date, number_series, number_counter LIMIT ?`,
    )
    .all(customer, limit)

/** Marks a payment as voided. It stays in the table for the audit and for figures at past dates. */
export function voidPayment(db: Database, id: string, { now, by }: { now: string; by: string | null }): void {
  db.query("UPDATE payments SET voided_at = ?, voided_by = ? WHERE id = ?").run(now, by, id)
}
