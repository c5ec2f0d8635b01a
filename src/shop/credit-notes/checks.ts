import { integerIn, rowsOf, textIn } from "../../core/engine/sql"
import type { Check } from "../../core/kind/define"
import { documentChecks, seriesChecks } from "../../trade/documents/checks"

const tables = {
  noun: "credit note",
  table: "credit_notes",
  lines: "credit_note_lines",
  owner: "credit_note",
  name: "credit_note_number",
}

const invoicedTax = integerIn("invoiced.value", "tax")

/** A credit note's totals must match its lines, its parts what was applied and refunded, and its tax that of its invoice. */
export const creditNoteChecks: readonly Check[] = [
  ...documentChecks(tables),
  ...seriesChecks({ ...tables, prefix: "CN" }),
  {
    says: ({ name, is, should }) => `Of credit note ${name}, ${is} is left; its parts leave ${should}.`,
    sql: `SELECT credit_note_number AS name, unapplied AS "is", total - applied_to_invoice - applied - refunded AS should
      FROM credit_notes WHERE unapplied <> total - applied_to_invoice - applied - refunded`,
  },
  {
    says: ({ name, is, should }) =>
      `Of credit note ${name}, ${is} is applied; its applications add up to ${should}.`,
    sql: `SELECT credit_note_number AS name, applied AS "is", coalesce(sum(amount), 0) AS should
      FROM credit_notes LEFT JOIN settlements ON credit_note = credit_notes.id AND kind = 'application'
        AND voided_at IS NULL
      GROUP BY credit_notes.id HAVING applied <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of credit note ${name}, ${is} is refunded; its refunds add up to ${should}.`,
    sql: `SELECT credit_note_number AS name, refunded AS "is", coalesce(sum(amount), 0) AS should
      FROM credit_notes LEFT JOIN settlements ON credit_note = credit_notes.id AND kind = 'refund'
        AND voided_at IS NULL
      GROUP BY credit_notes.id HAVING refunded <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name }) =>
      `Credit note ${name} is of another customer, currency or kind of prices than its invoice.`,
    sql: `SELECT credit_note_number AS name FROM credit_notes JOIN invoices ON invoices.id = invoice
      WHERE credit_notes.customer <> invoices.customer OR credit_notes.currency <> invoices.currency
        OR credit_notes.prices_include_tax <> invoices.prices_include_tax
        OR credit_note_date < invoice_date OR invoices.issued_at IS NULL`,
  },
  {
    says: ({ name }) => `Credit note ${name} is applied to an invoice of another customer.`,
    sql: `SELECT DISTINCT credit_note_number AS name FROM credit_notes
      JOIN settlements ON credit_note = credit_notes.id AND voided_at IS NULL
      JOIN invoices ON invoices.id = settlements.invoice WHERE invoices.customer <> credit_notes.customer`,
  },
  {
    says: ({ name, is, should }) =>
      `The credit notes of invoice ${name} have a tax of ${is} in one category and rate; the invoice has ${should}.`,
    sql: `SELECT invoices.invoice_number AS name, credited.tax AS "is", ${invoicedTax} AS should
      FROM (SELECT invoice, ${textIn("value", "category")} AS category, ${integerIn("value", "rate")} AS rate,
          sum(${integerIn("value", "tax")}) AS tax FROM credit_notes, ${rowsOf("credit_notes.taxes")} GROUP BY 1, 2, 3) AS credited
      JOIN invoices ON invoices.id = credited.invoice, ${rowsOf("invoices.taxes")} AS invoiced
      WHERE ${textIn("invoiced.value", "category")} IS NOT DISTINCT FROM credited.category
        AND ${integerIn("invoiced.value", "rate")} = credited.rate
        AND (credited.tax > ${invoicedTax} OR (credited_total = invoices.total AND credited.tax <> ${invoicedTax}))`,
  },
]
