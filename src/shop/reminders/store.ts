import type { Database } from "../../core/engine/engine"
import type { Last } from "./rules"

/** Returns the last reminder of an invoice. */
export const findLast = (db: Database, invoice: string): Last | null =>
  db
    .query<Last, [string]>("SELECT level, date FROM reminders WHERE invoice = ? ORDER BY level DESC LIMIT 1")
    .get(invoice)

/** An invoice that is overdue, with what its reminders depend on. */
export type Overdue = {
  id: string
  invoiceNumber: string
  customer: string
  customerName: string
  /** Where its reminders are sent. */
  email: string | null
  status: string
  dueDate: string
  balance: number
  ownPause: string | null
  customerPause: string | null
  lastLevel: number | null
  lastDate: string | null
}

/** The place of an invoice in the order in which overdue invoices are read. */
export type Place = { dueDate: string; id: string }

/** Finds invoices that were due until a day, those that were due first before the others. */
export const findOverdue = (
  db: Database,
  { after, until, limit }: { after: Place; until: string; limit: number },
): Overdue[] =>
  db
    .query<Overdue, [string, string, string, number]>(
      `SELECT invoices.id, invoice_number AS invoiceNumber, customer, customer_name AS customerName,
         coalesce(customers.invoice_email, customers.email) AS email, invoices.status, due_date AS dueDate, balance,
         invoices.reminders_paused_until AS ownPause, customers.reminders_paused_until AS customerPause,
         (SELECT max(level) FROM reminders WHERE invoice = invoices.id) AS lastLevel,
         (SELECT max(date) FROM reminders WHERE invoice = invoices.id) AS lastDate
       FROM invoices JOIN customers ON customers.id = customer
       WHERE (invoices.status = 'unpaid' OR invoices.status = 'partially_paid')
         AND (due_date, invoices.id) > (?, ?) AND due_date <= ?
       ORDER BY due_date, invoices.id LIMIT ?`,
    )
    .all(after.dueDate, after.id, until, limit)
