import type { Check } from "../../core/kind/define"

/** The stock movements must match the issued invoices and the restocked credit notes, and each balance must follow from the previous one. */
export const movementChecks: readonly Check[] = [
  {
    says: ({ name }) => `The stock movements of invoice ${name} do not match its lines.`,
    sql: `SELECT invoice_number AS name FROM invoices JOIN (
        SELECT invoice, item, sum(invoice_lines.quantity) AS billed FROM invoice_lines JOIN items ON items.id = item
        WHERE item_type <> 'Service' GROUP BY 1, 2) AS line ON line.invoice = invoices.id
      LEFT JOIN (SELECT source_id, item, sum(quantity) AS moved FROM stock_movements GROUP BY 1, 2) AS ledger
        ON ledger.source_id = invoices.id AND ledger.item = line.item
      WHERE invoice_number IS NOT NULL AND coalesce(moved, 0) <> CASE status WHEN 'cancelled' THEN 0 ELSE -billed END`,
  },
  {
    says: ({ name }) => `The stock movements of credit note ${name} do not match its lines.`,
    sql: `SELECT DISTINCT coalesce(max(credit_note_number), credit_note) AS name FROM (
        SELECT credit_note, item, credit_note_lines.quantity FROM credit_note_lines
        JOIN credit_notes ON credit_notes.id = credit_note JOIN items ON items.id = item
        WHERE restock = 1 AND is_amount = 0 AND item_type <> 'Service'
        UNION ALL SELECT source_id, item, -quantity FROM stock_movements WHERE source_type = 'credit-note') AS moved
      LEFT JOIN credit_notes ON credit_notes.id = credit_note GROUP BY credit_note, item HAVING sum(quantity) <> 0`,
  },
  {
    says: ({ name }) => `The balances in the stock ledger of item ${name} are inconsistent.`,
    sql: `SELECT DISTINCT item_code AS name FROM (
        SELECT item, balance_after, sum(quantity) OVER (PARTITION BY item ORDER BY seq) AS running FROM stock_movements) AS ledger
      JOIN items ON items.id = item WHERE balance_after <> running`,
  },
]
