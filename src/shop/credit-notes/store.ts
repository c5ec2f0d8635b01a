import type { Database } from "../../core/engine/engine"
import { rowsOf } from "../../core/engine/sql"
import type { TaxCategory } from "../../shared/tax"
import { lineTable, taxSums } from "../../trade/documents/store"
import type { CreditNoteLine } from "./model"

export const creditNoteLines = lineTable<CreditNoteLine>("credit_note_lines", "credit_note", [
  "invoiceLine",
  "isAmount",
])

type CreditedTax = { taxCategory: TaxCategory | null; taxRate: number; tax: number }

/** Adds up the tax of the credit notes of an invoice, per category and rate. */
export const findCreditedTaxes = (db: Database, invoice: string): CreditedTax[] =>
  db
    .query<CreditedTax, [string]>(
      `SELECT ${taxSums} FROM credit_notes, ${rowsOf("credit_notes.taxes")} WHERE invoice = ? GROUP BY 1, 2`,
    )
    .all(invoice)

/** Counts the credit notes of an invoice. */
export const countCreditNotes = (db: Database, invoice: string): number =>
  db.query<{ n: number }, [string]>("SELECT count(*) AS n FROM credit_notes WHERE invoice = ?").get(invoice)
    ?.n ?? 0
