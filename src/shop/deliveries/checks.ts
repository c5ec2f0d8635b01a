import type { Check } from "../../core/kind/define"
import { mergedCheck, seriesChecks } from "../../trade/documents/checks"

const tables = { noun: "delivery", table: "deliveries", name: "delivery_number" }

/** What has left of a line of an order, with the columns of sales_order_lines. */
const gone =
  "CASE WHEN delivered_quantity > invoiced_quantity THEN delivered_quantity ELSE invoiced_quantity END - returned_quantity"

/** Delivered quantities must match the deliveries, and what left the stock what is delivered, invoiced and returned. */
export const deliveryChecks: readonly Check[] = [
  ...seriesChecks({ ...tables, prefix: "DN" }),
  mergedCheck(tables),
  {
    says: ({ name }) => `Delivery ${name} was sent at another time than its messages say.`,
    sql: `SELECT delivery_number AS name FROM deliveries
      WHERE last_sent_at IS DISTINCT FROM (SELECT max(sent_at) FROM messages WHERE record = deliveries.id)`,
  },
  {
    says: ({ name }) =>
      `Delivery ${name} is of another customer than its order, or of a draft or cancelled one.`,
    sql: `SELECT delivery_number AS name FROM deliveries JOIN sales_orders ON sales_orders.id = sales_order
      WHERE deliveries.customer <> sales_orders.customer OR sales_orders.status = 'draft'
        OR (deliveries.status = 'delivered' AND sales_orders.status = 'cancelled')`,
  },
  {
    says: ({ name }) => `A line of delivery ${name} is not of its order, or has another item.`,
    sql: `SELECT DISTINCT delivery_number AS name FROM delivery_lines AS line
      JOIN deliveries ON deliveries.id = delivery LEFT JOIN sales_order_lines ON sales_order_lines.id = order_line
      WHERE sales_order_lines.sales_order IS DISTINCT FROM deliveries.sales_order
        OR sales_order_lines.item IS DISTINCT FROM line.item`,
  },
  {
    says: ({ name }) => `Delivery ${name} has no lines.`,
    sql: `SELECT delivery_number AS name FROM deliveries
      WHERE NOT EXISTS (SELECT 1 FROM delivery_lines WHERE delivery = deliveries.id)`,
  },
  {
    says: ({ name, is, should }) =>
      `The delivered quantity of a line of sales order ${name} is ${is}; its deliveries add up to ${should}.`,
    sql: `SELECT order_number AS name, delivered_quantity / 10000.0 AS "is", coalesce(sum(brought.quantity), 0) / 10000.0 AS should
      FROM sales_order_lines AS line JOIN sales_orders ON sales_orders.id = line.sales_order
      LEFT JOIN (SELECT order_line, quantity FROM delivery_lines JOIN deliveries ON deliveries.id = delivery
        WHERE status = 'delivered') AS brought ON brought.order_line = line.id
      GROUP BY line.id, order_number HAVING delivered_quantity <> coalesce(sum(brought.quantity), 0)`,
  },
  {
    says: ({ name }) => `The delivery status of sales order ${name} does not match its lines.`,
    sql: `SELECT order_number AS name FROM sales_orders JOIN (
        SELECT sales_order, max(delivered_quantity) AS most,
          max(CASE WHEN coalesce(item_type, 'Service') <> 'Service' THEN 1 ELSE 0 END) AS has_goods,
          max(CASE WHEN coalesce(item_type, 'Service') <> 'Service' AND delivered_quantity < quantity THEN 1 ELSE 0 END) AS lacks_goods,
          max(CASE WHEN delivered_quantity < quantity THEN 1 ELSE 0 END) AS lacks
        FROM sales_order_lines LEFT JOIN items ON items.id = item GROUP BY 1) AS line ON sales_order = sales_orders.id
      WHERE delivery_status <> CASE WHEN most = 0 THEN 'not_delivered'
        WHEN has_goods = 1 AND lacks_goods = 0 OR has_goods = 0 AND lacks = 0 THEN 'delivered'
        ELSE 'partially_delivered' END`,
  },
  {
    says: ({ name }) =>
      `The stock movements of sales order ${name} do not match what is delivered, invoiced and returned of it.`,
    sql: `SELECT DISTINCT order_number AS name FROM (
        SELECT sales_order, item, ${gone} AS quantity FROM sales_order_lines JOIN items ON items.id = item
          WHERE item_type <> 'Service'
        UNION ALL SELECT sales_order, stock_movements.item, quantity FROM stock_movements
          JOIN deliveries ON deliveries.id = source_id
        UNION ALL SELECT sales_order, stock_movements.item, quantity FROM stock_movements
          JOIN invoices ON invoices.id = source_id
        UNION ALL SELECT sales_order, stock_movements.item, quantity FROM stock_movements
          JOIN credit_notes ON credit_notes.id = source_id JOIN invoices ON invoices.id = invoice) AS moved
      JOIN sales_orders ON sales_orders.id = sales_order
      WHERE sales_order IN (SELECT sales_order FROM deliveries)
      GROUP BY sales_order, order_number, item HAVING sum(quantity) <> 0`,
  },
]
