import type { Database } from "bun:sqlite"

/** Rules that the rows of several tables keep together: each query finds the rows that break one, and says how. */
const rules: { says: (row: Row) => string; sql: string }[] = [
  {
    says: ({ name, is, should }) => `The stock of item ${name} is ${is}; its movements add up to ${should}.`,
    sql: `SELECT item_code AS name, current_stock / 10000.0 AS "is", coalesce(sum(quantity), 0) / 10000.0 AS should
      FROM items LEFT JOIN stock_movements ON item = items.id GROUP BY items.id
      HAVING current_stock <> coalesce(sum(quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The reserved stock of item ${name} is ${is}; submitted orders promise ${should}.`,
    sql: `SELECT item_code AS name, reserved_stock / 10000.0 AS "is", coalesce(promised, 0) / 10000.0 AS should
      FROM items LEFT JOIN (
        SELECT item, sum(quantity - invoiced_quantity) AS promised FROM sales_order_lines
        JOIN sales_orders ON sales_orders.id = sales_order WHERE status = 'submitted' GROUP BY item
      ) ON item = items.id
      WHERE reserved_stock <> CASE item_type WHEN 'Service' THEN 0 ELSE coalesce(promised, 0) END`,
  },
  {
    says: ({ name, is, should }) =>
      `The lines of sales order ${name} add up to ${should}; its subtotal is ${is}.`,
    sql: `SELECT order_number AS name, subtotal AS "is", coalesce(sum(amount), 0) AS should
      FROM sales_orders LEFT JOIN sales_order_lines ON sales_order = sales_orders.id GROUP BY sales_orders.id
      HAVING subtotal <> coalesce(sum(amount), 0)`,
  },
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
    says: ({ name }) => `The total of ${name} is not its subtotal and tax.`,
    sql: `SELECT 'sales order ' || order_number AS name FROM sales_orders WHERE total <> subtotal + tax_total
      UNION ALL SELECT 'invoice ' || coalesce(invoice_number, id) FROM invoices WHERE total <> subtotal + tax_total`,
  },
  {
    says: ({ name, is, should }) => `Invoice ${name} says ${is} was paid; its payments add up to ${should}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, amount_paid AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN payments ON invoice = invoices.id GROUP BY invoices.id
      HAVING amount_paid <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name }) => `The balance or the status of invoice ${name} does not follow from what was paid.`,
    sql: `SELECT coalesce(invoice_number, id) AS name FROM invoices
      WHERE balance <> CASE status WHEN 'cancelled' THEN 0 ELSE total - amount_paid END
        OR (status = 'paid' AND amount_paid <> total)
        OR (status = 'partially_paid' AND (amount_paid = 0 OR amount_paid >= total))
        OR (status IN ('draft', 'unpaid', 'cancelled') AND amount_paid <> 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of a line of sales order ${name}, ${is} is invoiced; its invoices say ${should}.`,
    sql: `SELECT order_number AS name, invoiced_quantity / 10000.0 AS "is", coalesce(sum(billed.quantity), 0) / 10000.0 AS should
      FROM sales_order_lines AS line JOIN sales_orders ON sales_orders.id = line.sales_order
      LEFT JOIN (SELECT order_line, quantity FROM invoice_lines JOIN invoices ON invoices.id = invoice
        WHERE status <> 'cancelled') AS billed ON billed.order_line = line.id
      GROUP BY line.id HAVING invoiced_quantity <> coalesce(sum(billed.quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Sales order ${name} says ${is} is invoiced; its invoices add up to ${should}.`,
    sql: `SELECT sales_orders.order_number AS name, invoiced_total AS "is", coalesce(sum(invoices.total), 0) AS should
      FROM sales_orders LEFT JOIN invoices ON sales_order = sales_orders.id AND invoices.status <> 'cancelled'
      GROUP BY sales_orders.id HAVING invoiced_total <> coalesce(sum(invoices.total), 0)`,
  },
  {
    says: ({ name }) => `Sales order ${name} is fully invoiced, but its invoices do not add up to its total.`,
    sql: `SELECT order_number AS name FROM sales_orders WHERE invoice_status = 'invoiced' AND invoiced_total <> total`,
  },
  {
    says: ({ name, is, should }) => `Customer ${name} owes ${is}; the open invoices add up to ${should}.`,
    sql: `SELECT customer_number AS name, outstanding_balance AS "is", coalesce(sum(balance), 0) AS should
      FROM customers LEFT JOIN invoices ON customer = customers.id AND invoices.status NOT IN ('draft', 'cancelled')
      GROUP BY customers.id HAVING outstanding_balance <> coalesce(sum(balance), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Customer ${name} has open orders of ${is}; the orders add up to ${should}.`,
    sql: `SELECT customer_number AS name, open_orders_value AS "is", coalesce(sum(max(0, total - invoiced_total)), 0) AS should
      FROM customers LEFT JOIN sales_orders ON customer = customers.id AND status = 'submitted'
      GROUP BY customers.id HAVING open_orders_value <> coalesce(sum(max(0, total - invoiced_total)), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Invoice numbers of ${name} have a gap: ${is} are there, and the last is ${should}.`,
    sql: `SELECT substr(invoice_number, 1, 8) AS name, count(*) AS "is", max(CAST(substr(invoice_number, 10) AS INTEGER)) AS should
      FROM invoices WHERE invoice_number IS NOT NULL GROUP BY 1 HAVING "is" <> should`,
  },
  {
    says: ({ name, is, should }) =>
      `The series ${name} says that ${is} was the last number; it is ${should}.`,
    sql: `SELECT series AS name, coalesce(last, 0) AS "is", should FROM (
        SELECT substr(invoice_number, 1, 8) AS series, max(CAST(substr(invoice_number, 10) AS INTEGER)) AS should
        FROM invoices WHERE invoice_number IS NOT NULL GROUP BY 1)
      LEFT JOIN number_series ON number_series.name = series WHERE coalesce(last, 0) <> should
      UNION ALL SELECT name, last, 0 FROM number_series
      WHERE name GLOB 'INV-*' AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoice_number GLOB name || '-*')`,
  },
  {
    says: ({ name }) => `The status of sales order ${name} does not follow from what is invoiced of it.`,
    sql: `SELECT order_number AS name FROM sales_orders JOIN (
        SELECT sales_order, min(invoiced_quantity = quantity) AS whole, max(invoiced_quantity > 0) AS some
        FROM sales_order_lines GROUP BY 1) ON sales_order = sales_orders.id
      WHERE invoice_status <> CASE WHEN whole THEN 'invoiced' WHEN some THEN 'partially_invoiced' ELSE 'not_invoiced' END
        OR (whole AND status <> 'completed') OR (some AND status IN ('draft', 'cancelled'))`,
  },
  {
    says: ({ name }) => `The discounts of ${name} do not add up to its discount total.`,
    sql: `SELECT 'sales order ' || order_number AS name FROM sales_orders JOIN sales_order_lines ON sales_order = sales_orders.id
      GROUP BY sales_orders.id HAVING discount_total <> sum(discount_amount)
      UNION ALL SELECT 'invoice ' || coalesce(invoice_number, invoices.id) FROM invoices JOIN invoice_lines ON invoice = invoices.id
      GROUP BY invoices.id HAVING discount_total <> sum(discount_amount)`,
  },
  {
    says: ({ name }) => `The timestamps of ${name} do not fit its status.`,
    sql: `SELECT 'sales order ' || order_number AS name FROM sales_orders
      WHERE (status = 'completed') <> (completed_at IS NOT NULL) OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (status IN ('submitted', 'completed') AND submitted_at IS NULL)
      UNION ALL SELECT 'invoice ' || coalesce(invoice_number, id) FROM invoices
      WHERE (status = 'paid') <> (paid_at IS NOT NULL AND status <> 'cancelled') OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (invoice_number IS NULL) <> (issued_at IS NULL) OR (status = 'unpaid' AND total = 0)`,
  },
  {
    says: ({ name }) => `The stock movements of invoice ${name} are not those of its lines.`,
    sql: `SELECT invoice_number AS name FROM invoices JOIN (
        SELECT invoice, item, sum(invoice_lines.quantity) AS billed FROM invoice_lines JOIN items ON items.id = item
        WHERE item_type <> 'Service' GROUP BY 1, 2) AS line ON line.invoice = invoices.id
      LEFT JOIN (SELECT source_id, item, sum(quantity) AS moved FROM stock_movements GROUP BY 1, 2) AS ledger
        ON ledger.source_id = invoices.id AND ledger.item = line.item
      WHERE invoice_number IS NOT NULL AND coalesce(moved, 0) <> CASE status WHEN 'cancelled' THEN 0 ELSE -billed END`,
  },
  {
    says: ({ name }) => `The balances in the stock ledger of item ${name} do not follow from one another.`,
    sql: `SELECT DISTINCT item_code AS name FROM (
        SELECT item, balance_after, sum(quantity) OVER (PARTITION BY item ORDER BY seq) AS running FROM stock_movements)
      JOIN items ON items.id = item WHERE balance_after <> running`,
  },
  {
    says: ({ name }) => `${name} is in another currency than the instance.`,
    sql: `WITH now AS (SELECT coalesce((SELECT body ->> '$.currency' FROM settings), 'USD') AS currency)
      SELECT 'Sales order ' || order_number AS name FROM sales_orders, now WHERE sales_orders.currency <> now.currency
      UNION ALL SELECT 'Invoice ' || coalesce(invoice_number, id) FROM invoices, now WHERE invoices.currency <> now.currency`,
  },
]

type Row = { name: string; is?: number; should?: number }

/** What is wrong with the file, a sentence each: what SQLite finds, and where the books disagree. */
export function findFaults(db: Database): string[] {
  const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const dangling = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all()
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...dangling.map((row) => `A row of ${row.table} refers to a row of ${row.parent} that is not there.`),
    ...rules.flatMap(({ sql, says }) => db.query<Row, []>(sql).all().map(says)),
  ]
}
