import type { Check } from "../../resource/define"

/** An invoice's totals must match its lines, its balance the payments, and the numbers must have no gaps. */
export const invoiceChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) =>
      `The lines of invoice ${name} add up to ${should}; its subtotal is ${is}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, subtotal AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN invoice_lines ON invoice = invoices.id GROUP BY invoices.id
      HAVING subtotal <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The taxes of invoice ${name} add up to ${should}; its tax total is ${is}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, tax_total AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN invoice_taxes ON invoice = invoices.id GROUP BY invoices.id
      HAVING tax_total <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name }) => `The total of ${name} is not the sum of its subtotal and tax.`,
    sql: `SELECT 'invoice ' || coalesce(invoice_number, id) AS name FROM invoices WHERE total <> subtotal + tax_total`,
  },
  {
    says: ({ name }) => `The discounts of ${name} do not add up to its discount total.`,
    sql: `SELECT 'invoice ' || coalesce(invoice_number, invoices.id) AS name FROM invoices JOIN invoice_lines ON invoice = invoices.id
      GROUP BY invoices.id HAVING discount_total <> sum(discount_amount)`,
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
    says: ({ name, is, should }) =>
      `Invoice numbers of ${name} have a gap: there are ${is}, and the last is ${should}.`,
    sql: `SELECT substr(invoice_number, 1, 8) AS name, count(*) AS "is", max(CAST(substr(invoice_number, 10) AS INTEGER)) AS should
      FROM invoices WHERE invoice_number IS NOT NULL GROUP BY 1 HAVING "is" <> should`,
  },
  {
    says: ({ name, is, should }) =>
      `The last number of the series ${name} is ${is}; the last invoice has ${should}.`,
    sql: `SELECT series AS name, coalesce(last, 0) AS "is", should FROM (
        SELECT substr(invoice_number, 1, 8) AS series, max(CAST(substr(invoice_number, 10) AS INTEGER)) AS should
        FROM invoices WHERE invoice_number IS NOT NULL GROUP BY 1)
      LEFT JOIN number_series ON number_series.name = series WHERE coalesce(last, 0) <> should
      UNION ALL SELECT name, last, 0 FROM number_series
      WHERE name GLOB 'INV-*' AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoice_number GLOB name || '-*')`,
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
