import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import { derivedTable, lineTable } from "../../trade/documents/store"
import { invoicesOfOrders } from "../sales-orders/service"
import { type InvoiceHead, type InvoiceLine, invoices } from "./model"

export const invoiceLines = lineTable<InvoiceLine>(invoices, [
  "orderLine",
  "creditedQuantity",
  "creditedAmount",
])

/** Finds the invoice with this number, or the opening invoice with this key. */
export function findByNumber(db: Database, number: string, openingKey: string): string | null {
  const row = db
    .query<{ id: string }, [string, string]>(
      `SELECT id FROM invoices WHERE invoice_number = ?1
       UNION ALL SELECT id FROM invoices WHERE opening_key = ?2 LIMIT 1`,
    )
    .get(number, openingKey)
  return row?.id ?? null
}

/** Stores the form in which the number of an opening invoice is unique. */
export function setOpeningKey(db: Database, id: string, openingKey: string): void {
  db.query("UPDATE invoices SET opening_key = ? WHERE id = ?").run(openingKey, id)
}

/** True when something paid an invoice or was written off of it, also if that was voided later. */
export const wasSettled = (db: Database, id: string): boolean =>
  db
    .query(
      `SELECT 1 FROM settlements WHERE invoice = ?1
       UNION ALL SELECT 1 FROM write_offs WHERE invoice = ?1 LIMIT 1`,
    )
    .get(id) !== null

/** The credit notes of invoices. */
export const notesOfInvoices = derivedTable("credit_notes", "invoice")

/** What a line of an order has on its invoices; `charged` includes tax if the prices of the order do. */
type CarriedLine = { charged: number; discountAmount: number; documentDiscount: number }

/** Adds up what the invoices of an order contain, without cancelled ones: per line, and in tax. */
export function findCarried(db: Database, order: string) {
  const lines = db
    .query<CarriedLine & { orderLine: string }, [string]>(
      `SELECT order_line AS orderLine, sum(coalesce(gross_amount, amount)) AS charged, sum(line.discount_amount) AS discountAmount,
         sum(document_discount) AS documentDiscount
       FROM invoice_lines AS line JOIN invoices ON invoices.id = line.invoice
       WHERE invoices.sales_order = ? AND invoices.status <> 'cancelled' AND invoice_type <> 'deposit' GROUP BY order_line`,
    )
    .all(order)
  const taxes = invoicesOfOrders.findTaxes(db, order)
  return { lines: new Map(lines.map(({ orderLine, ...carried }) => [orderLine, carried])), taxes }
}

export type CarriedParts = ReturnType<typeof findCarried>

/** Stores the sums of an invoice and what follows from them. The other columns stay, and so do their indexes. */
export function updateSums(db: Database, head: InvoiceHead): void {
  const { amountPaid, creditedTotal, creditTaken, creditApplied, writtenOff, deductedTotal, balance } = head
  const { status, paidAt, version, updatedAt, id } = head
  db.query(
    `UPDATE invoices SET amount_paid = ?, credited_total = ?, credit_taken = ?, credit_applied = ?, written_off = ?,
       deducted_total = ?, balance = ?, status = ?, paid_at = ?, version = ?, updated_at = ? WHERE id = ?`,
  ).run(
    amountPaid,
    creditedTotal,
    creditTaken,
    creditApplied,
    writtenOff,
    deductedTotal,
    balance,
    status,
    paidAt,
    version,
    updatedAt,
    id,
  )
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

/** Counts a change of invoices that is not an edit, and returns them with their versions. */
export function countChanges(
  db: Database,
  ids: readonly string[],
  now: string,
): { id: string; version: number }[] {
  const rows = db
    .query<{ id: string; version: number }, [string, string]>(
      `UPDATE invoices SET change_count = change_count + 1, updated_at = ? WHERE id IN ${listOf("?")}
       RETURNING id, version`,
    )
    .all(now, JSON.stringify(ids))
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  return ids.map((id) => ({ id, version: versions.get(id) ?? 0 }))
}
