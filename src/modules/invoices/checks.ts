import type { Check } from "../../resource/define"
import { documentChecks, taxCheck } from "../documents/checks"

const tables = {
  noun: "invoice",
  table: "invoices",
  lines: "invoice_lines",
  owner: "invoice",
  name: "coalesce(invoice_number, invoices.id)",
}

/** An invoice's totals must match its lines, its balance the payments, and the numbers must have no gaps. */
export const invoiceChecks: readonly Check[] = [
  ...documentChecks(tables),
  taxCheck(tables, "id IN (SELECT id FROM invoices WHERE sales_order IS NULL)"),
  {
    says: ({ name }) =>
      `Invoice ${name} is issued, but does not have the data of its company and its customer.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name FROM invoices
      LEFT JOIN seller_versions ON seller_versions.id = seller_version
      WHERE (issued_at IS NOT NULL) <> (seller_versions.id IS NOT NULL AND buyer IS NOT NULL AND language IS NOT NULL)`,
  },
  {
    says: ({ name }) => `Invoice ${name} needs the tax ID of its customer, which it does not have.`,
    sql: `SELECT DISTINCT invoice_number AS name FROM invoices JOIN invoice_lines ON invoice = invoices.id
      WHERE issued_at IS NOT NULL AND tax_category IN ('AE', 'K') AND invoices.tax_id IS NULL`,
  },
  {
    says: ({ name, is, should }) =>
      `The amount paid of invoice ${name} is ${is}; its payments add up to ${should}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, amount_paid AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN payments ON invoice = invoices.id GROUP BY invoices.id
      HAVING amount_paid <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name }) => `The balance or the status of invoice ${name} does not match its payments.`,
    sql: `SELECT coalesce(invoice_number, id) AS name FROM invoices
      WHERE balance <> CASE status WHEN 'cancelled' THEN 0 ELSE total - amount_paid END
        OR (status = 'paid' AND amount_paid <> total)
        OR (status = 'partially_paid' AND (amount_paid = 0 OR amount_paid >= total))
        OR (status IN ('draft', 'unpaid', 'cancelled') AND amount_paid <> 0)`,
  },
  {
    says: ({ name }) => `Invoice ${name} has a number, but no series and counter, or the other way round.`,
    sql: `SELECT coalesce(invoice_number, id) AS name FROM invoices
      WHERE (invoice_number IS NULL) <> (number_series IS NULL) OR (invoice_number IS NULL) <> (number_counter IS NULL)`,
  },
  {
    says: ({ name, is, should }) =>
      `Invoice numbers of the series ${name} have a gap: there are ${is}, and there should be ${should}.`,
    sql: `SELECT number_series AS name, count(DISTINCT number_counter) AS "is",
        max(max(number_counter) - coalesce(first, 1) + 1, count(*)) AS should
      FROM invoices LEFT JOIN number_series AS series ON series.name = number_series
      WHERE number_series IS NOT NULL GROUP BY number_series
      HAVING "is" <> should OR min(number_counter) <> coalesce(first, 1)`,
  },
  {
    says: ({ name, is, should }) =>
      `The last number of the series ${name} is ${is}; the last invoice has ${should}.`,
    sql: `SELECT number_series AS name, coalesce(last, 0) AS "is", max(number_counter) AS should
      FROM invoices LEFT JOIN number_series AS series ON series.name = number_series
      WHERE number_series IS NOT NULL GROUP BY number_series HAVING "is" <> should
      UNION ALL SELECT name, last, first - 1 FROM number_series
      WHERE (name = 'INV' OR name GLOB 'INV-*') AND last >= first
        AND NOT EXISTS (SELECT 1 FROM invoices WHERE number_series = name)`,
  },
  {
    says: ({ name }) => `The timestamps of ${name} do not match its status.`,
    sql: `SELECT 'invoice ' || coalesce(invoice_number, id) AS name FROM invoices
      WHERE (status = 'paid') <> (paid_at IS NOT NULL AND status <> 'cancelled') OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (invoice_number IS NULL) <> (issued_at IS NULL) OR (status = 'unpaid' AND total = 0)`,
  },
  {
    says: ({ name }) => `${name} is not in the currency of the settings.`,
    sql: `WITH now AS (SELECT coalesce((SELECT body ->> '$.currency' FROM settings), 'USD') AS currency)
      SELECT 'Invoice ' || coalesce(invoice_number, id) AS name FROM invoices, now WHERE invoices.currency <> now.currency`,
  },
]
