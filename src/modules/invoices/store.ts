import type { Database } from "bun:sqlite"
import { lineTable } from "../documents/store"
import type { InvoiceLine } from "./model"

export const invoiceLines = lineTable<InvoiceLine>("invoice_lines", "invoice", "orderLine")

export function writeTaxes(db: Database, invoice: string, taxes: ReadonlyMap<number, number>): void {
  db.query("DELETE FROM invoice_taxes WHERE invoice = ?").run(invoice)
  const write = db.query("INSERT INTO invoice_taxes (invoice, tax_rate, amount) VALUES (?, ?, ?)")
  for (const [rate, amount] of taxes) write.run(invoice, rate, amount)
}

/** Finds the tax of an invoice per tax rate. */
export function findTaxes(db: Database, invoice: string): Map<number, number> {
  const rows = db
    .query<{ taxRate: number; amount: number }, [string]>(
      "SELECT tax_rate AS taxRate, amount FROM invoice_taxes WHERE invoice = ?",
    )
    .all(invoice)
  return new Map(rows.map(({ taxRate, amount }) => [taxRate, amount]))
}

/** Counts the invoices of an order, including cancelled ones. */
export function countParts(db: Database, order: string): number {
  return (
    db.query<{ n: number }, [string]>("SELECT count(*) AS n FROM invoices WHERE sales_order = ?").get(order)
      ?.n ?? 0
  )
}

/** Adds up what the invoices of an order contain, without cancelled ones: per line, and in tax per tax rate. */
export function findCarried(db: Database, order: string) {
  const lines = db
    .query<{ orderLine: string; amount: number; discountAmount: number }, [string]>(
      `SELECT order_line AS orderLine, sum(amount) AS amount, sum(discount_amount) AS discountAmount
       FROM invoice_lines JOIN invoices ON invoices.id = invoice_lines.invoice
       WHERE invoices.sales_order = ? AND invoices.status <> 'cancelled' GROUP BY order_line`,
    )
    .all(order)
  const taxes = db
    .query<{ taxRate: number; amount: number }, [string]>(
      `SELECT tax_rate AS taxRate, sum(amount) AS amount
       FROM invoice_taxes JOIN invoices ON invoices.id = invoice_taxes.invoice
       WHERE invoices.sales_order = ? AND invoices.status <> 'cancelled' GROUP BY tax_rate`,
    )
    .all(order)
  return {
    lines: new Map(lines.map(({ orderLine, ...carried }) => [orderLine, carried])),
    taxes: new Map(taxes.map(({ taxRate, amount }) => [taxRate, amount])),
  }
}

type PaymentRow = {
  id: string
  invoice: string
  amount: number
  paymentDate: string
  method: string | null
  reference: string | null
  externalId: string | null
  metadata: Record<string, string>
  createdBy: string | null
  createdAt: string
}

export function countPayments(db: Database, invoice: string): number {
  return (
    db.query<{ n: number }, [string]>("SELECT count(*) AS n FROM payments WHERE invoice = ?").get(invoice)
      ?.n ?? 0
  )
}

/** Finds the payments of several invoices, oldest first, amounts in the minor unit. */
export function findPayments(db: Database, invoices: readonly string[]): Map<string, PaymentRow[]> {
  const rows = db
    .query<Omit<PaymentRow, "metadata"> & { metadata: string }, [string]>(
      `SELECT id, invoice, amount, payment_date AS paymentDate, method, reference, external_id AS externalId, metadata,
         created_by AS createdBy, created_at AS createdAt
       FROM payments WHERE invoice IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .all(JSON.stringify(invoices))
  const payments = rows.map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as PaymentRow["metadata"],
  }))
  return Map.groupBy(payments, ({ invoice }) => invoice)
}

type Due = { id: string; dueDate: string }

/** Finds open invoices by due date: those after an invoice and due before a date. */
export const findDueBetween = (
  db: Database,
  { dueDate, id, before, limit }: Due & { before: string; limit: number },
): Due[] =>
  db
    .query<Due, [string, string, string, number]>(
      `SELECT id, due_date AS dueDate FROM invoices
       WHERE (status = 'unpaid' OR status = 'partially_paid') AND (due_date, id) > (?, ?) AND due_date < ?
       ORDER BY due_date, id LIMIT ?`,
    )
    .all(dueDate, id, before, limit)

/** Counts a change of an invoice that is not an edit. */
export function countChange(db: Database, id: string, now: string): void {
  db.query("UPDATE invoices SET change_count = change_count + 1, updated_at = ? WHERE id = ?").run(now, id)
}
