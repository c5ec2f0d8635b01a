import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import type { InvoicePayment, WriteOff } from "./model"

/** How a part of a payment or of a credit note is used. The amount is in the minor unit. */
export type Settlement = {
  id: string
  kind: "allocation" | "application" | "refund"
  payment: string | null
  creditNote: string | null
  invoice: string | null
  amount: number
  date: string
  method: string | null
  reference: string | null
  createdBy: string | null
  createdAt: string
}

/** A settlement with the numbers of its documents. */
export type ShownSettlement = Settlement & { invoiceNumber: string | null; creditNoteNumber: string | null }

/** The record that a settlement uses a part of, or the invoice that it pays. */
type Owner = "payment" | "credit_note" | "invoice"

const columns = `settlements.id, kind, payment, credit_note AS creditNote, settlements.invoice, settlements.amount, date,
  method, reference, settlements.created_by AS createdBy, settlements.created_at AS createdAt`

export function insertSettlement(db: Database, settlement: Settlement): void {
  const { id, kind, payment, creditNote, invoice, amount, date } = settlement
  const { method, reference, createdBy, createdAt } = settlement
  db.query(
    `INSERT INTO settlements (id, kind, payment, credit_note, invoice, amount, date, method, reference, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, kind, payment, creditNote, invoice, amount, date, method, reference, createdBy, createdAt)
}

/** Marks a settlement as voided. It stays in the table for the audit and for figures at past dates. */
export function voidSettlement(
  db: Database,
  id: string,
  { now, by }: { now: string; by: string | null },
): void {
  db.query("UPDATE settlements SET voided_at = ?, voided_by = ? WHERE id = ?").run(now, by, id)
}

/** Finds the settlements of several records that are not voided, oldest first. */
export const findSettlements = (db: Database, owner: Owner, ids: readonly string[]): ShownSettlement[] =>
  db
    .query<ShownSettlement, [string]>(
      `SELECT ${columns}, invoice_number AS invoiceNumber,
         (SELECT credit_note_number FROM credit_notes WHERE credit_notes.id = settlements.credit_note) AS creditNoteNumber
       FROM settlements LEFT JOIN invoices ON invoices.id = settlements.invoice
       WHERE ${owner === "invoice" ? "settlements.invoice" : owner} IN ${listOf("?")}
         AND voided_at IS NULL ORDER BY settlements.id`,
    )
    .all(JSON.stringify(ids))

/** Finds a settlement of a payment or a credit note that is not voided. */
export const findSettlement = (
  db: Database,
  owner: Exclude<Owner, "invoice">,
  ownerId: string,
  id: string,
): Settlement | null =>
  db
    .query<Settlement, [string, string]>(
      `SELECT ${columns} FROM settlements WHERE settlements.id = ? AND ${owner} = ? AND voided_at IS NULL`,
    )
    .get(id, ownerId)

/** Counts the payments and applications of an invoice. */
export const countSettlements = (db: Database, invoice: string): number =>
  db
    .query<{ n: number }, [string]>(
      "SELECT count(*) AS n FROM settlements WHERE invoice = ? AND voided_at IS NULL",
    )
    .get(invoice)?.n ?? 0

/** Counts the settlements of several records that are not voided. */
export function countSettlementsOf(db: Database, owner: Owner, ids: readonly string[]): Map<string, number> {
  const rows = db
    .query<{ id: string; n: number }, [string]>(
      `SELECT ${owner} AS id, count(*) AS n FROM settlements
       WHERE ${owner} IN ${listOf("?")} AND voided_at IS NULL GROUP BY 1`,
    )
    .all(JSON.stringify(ids))
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** Finds what pays several invoices, oldest first, amounts in the minor unit. */
export function findInvoicePayments(
  db: Database,
  invoices: readonly string[],
): Map<string, InvoicePayment[]> {
  const rows = db
    .query<Omit<InvoicePayment, "metadata"> & { metadata: string }, [string]>(
      `SELECT id, invoice, amount, payment_date AS paymentDate, method, reference, notes, external_id AS externalId,
         metadata, created_by AS createdBy, created_at AS createdAt
       FROM invoice_payments WHERE invoice IN ${listOf("?")} ORDER BY id`,
    )
    .all(JSON.stringify(invoices))
  const payments = rows.map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as InvoicePayment["metadata"],
  }))
  return Map.groupBy(payments, ({ invoice }) => invoice)
}

/** Stores a write-off. The amount is in the minor unit. */
export function insertWriteOff(db: Database, writeOff: WriteOff): void {
  const { id, invoice, amount, reason, writeOffDate, createdBy, createdAt } = writeOff
  db.query(
    `INSERT INTO write_offs (id, invoice, amount, reason, write_off_date, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, invoice, amount, reason, writeOffDate, createdBy, createdAt)
}

/** Marks a write-off as voided. It stays in the table for the audit and for figures at past dates. */
export function voidWriteOff(
  db: Database,
  id: string,
  { now, by }: { now: string; by: string | null },
): void {
  db.query("UPDATE write_offs SET voided_at = ?, voided_by = ? WHERE id = ?").run(now, by, id)
}

/** Finds the write-offs of several invoices that are not voided, oldest first, amounts in the minor unit. */
export function findWriteOffs(db: Database, invoices: readonly string[]): Map<string, WriteOff[]> {
  const rows = db
    .query<WriteOff, [string]>(
      `SELECT id, invoice, amount, reason, write_off_date AS writeOffDate, created_by AS createdBy,
         created_at AS createdAt
       FROM live_write_offs WHERE invoice IN ${listOf("?")} ORDER BY id`,
    )
    .all(JSON.stringify(invoices))
  return Map.groupBy(rows, ({ invoice }) => invoice)
}

/** Counts the write-offs of several invoices that are not voided. */
export function countWriteOffs(db: Database, invoices: readonly string[]): Map<string, number> {
  const rows = db
    .query<{ id: string; n: number }, [string]>(
      `SELECT invoice AS id, count(*) AS n FROM live_write_offs WHERE invoice IN ${listOf("?")} GROUP BY 1`,
    )
    .all(JSON.stringify(invoices))
  return new Map(rows.map(({ id, n }) => [id, n]))
}
