import type { Check } from "../../core/kind/define"

/** The outstanding balance and the open orders of a customer must match the documents. */
export const customerChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) =>
      `The outstanding balance of customer ${name} is ${is}; the open invoices add up to ${should}.`,
    sql: `SELECT customer_number AS name, outstanding_balance AS "is", coalesce(sum(balance), 0) AS should
      FROM customers LEFT JOIN invoices ON customer = customers.id AND invoices.status NOT IN ('draft', 'cancelled')
      GROUP BY customers.id HAVING outstanding_balance <> coalesce(sum(balance), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The credit balance of customer ${name} is ${is}; what is left of credit notes and payments adds up to ${should}.`,
    sql: `SELECT * FROM (SELECT customer_number AS name, credit_balance AS "is",
        (SELECT coalesce(sum(unapplied), 0) FROM credit_notes WHERE customer = customers.id)
          + (SELECT coalesce(sum(unallocated), 0) FROM live_payments WHERE customer = customers.id) AS should
      FROM customers) AS found WHERE "is" <> should`,
  },
  {
    says: ({ name, is, should }) =>
      `Customer ${name} has open orders of ${is}; the orders add up to ${should}.`,
    sql: `SELECT customer_number AS name, open_orders_value AS "is", coalesce(sum(CASE WHEN total > invoiced_total THEN total - invoiced_total ELSE 0 END), 0) AS should
      FROM customers LEFT JOIN sales_orders ON customer = customers.id AND status = 'submitted'
      GROUP BY customers.id HAVING open_orders_value <> coalesce(sum(CASE WHEN total > invoiced_total THEN total - invoiced_total ELSE 0 END), 0)`,
  },
]
