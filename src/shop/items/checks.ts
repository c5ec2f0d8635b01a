import type { Check } from "../../core/kind/define"

/**
 * An item's stock must match its stock movements, its reserved stock the submitted orders, and its tax rate its tax
 * code.
 */
export const itemChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) => `The stock of item ${name} is ${is}; its movements add up to ${should}.`,
    sql: `SELECT item_code AS name, current_stock / 10000.0 AS "is", coalesce(sum(quantity), 0) / 10000.0 AS should
      FROM items LEFT JOIN stock_movements ON item = items.id GROUP BY items.id
      HAVING current_stock <> coalesce(sum(quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The reserved stock of item ${name} is ${is}; submitted orders reserve ${should}.`,
    sql: `SELECT item_code AS name, reserved_stock / 10000.0 AS "is", coalesce(promised, 0) / 10000.0 AS should
      FROM items LEFT JOIN (
        SELECT item, sum(quantity - invoiced_quantity) AS promised FROM sales_order_lines
        JOIN sales_orders ON sales_orders.id = sales_order WHERE status = 'submitted' GROUP BY item
      ) AS promises ON item = items.id
      WHERE reserved_stock <> CASE item_type WHEN 'Service' THEN 0 ELSE coalesce(promised, 0) END`,
  },
  {
    says: ({ name, is, should }) =>
      `The tax rate of item ${name} is ${is}; the rate of its tax code is ${should}.`,
    sql: `SELECT item_code AS name, items.tax_rate / 10000.0 AS "is", tax_codes.rate / 10000.0 AS should
      FROM items JOIN tax_codes ON tax_codes.id = items.tax_code WHERE items.tax_rate <> tax_codes.rate`,
  },
]
