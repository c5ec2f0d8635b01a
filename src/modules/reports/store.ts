import type { Database } from "bun:sqlite"
import type { LatestOrder, LowItem } from "./model"
import { limited } from "../../resource/statements"

/** A place in an index that sorts by `at` and then by id. */
export type Key = { at: string; id: string }
/** What lies after one place, up to and including another. */
export type Stretch = { after: Key; to: Key }
type Sums = { month: string; amount: number; count: number }
type Bounds = [string, string, string, string]

/** The indexes that are summed up along, in stretches. */
const walks = {
  orders: "sales_orders WHERE (order_date, id)",
  invoices: "invoices WHERE (invoice_date, id)",
  unpaid: "invoices WHERE status = 'unpaid' AND (created_at, id)",
  partiallyPaid: "invoices WHERE status = 'partially_paid' AND (created_at, id)",
}
export type Walk = keyof typeof walks

/** Where a stretch of `size` rows along an index ends; null where there are fewer. Reads nothing but the index. */
export function findEnd(db: Database, walk: Walk, { after, to }: Stretch, size: number): Key | null {
  const [, column = ""] = /\((\w+), id\)$/.exec(walks[walk]) ?? []
  return db
    .query<Key, [...Bounds, number]>(
      `SELECT ${column} AS at, id FROM ${walks[walk]} > (?, ?) AND (${column}, id) <= (?, ?)
       ORDER BY ${column}, id LIMIT 1 OFFSET ?`,
    )
    .get(...boundsOf({ after, to }), size - 1)
}

// total() is sum() without its error on figures beyond 64 bits; +status keeps off its index, which knows no dates.

/** What was ordered in each month of a stretch. */
export function sumOrders(db: Database, stretch: Stretch): Sums[] {
  return db
    .query<Sums, Bounds>(
      `SELECT substr(order_date, 1, 7) AS month, total(total) AS amount, count(*) AS count
       FROM sales_orders WHERE (order_date, id) > (?, ?) AND (order_date, id) <= (?, ?)
         AND +status IN ('submitted', 'completed') GROUP BY month`,
    )
    .all(...boundsOf(stretch))
}

/** What was invoiced in each month of a stretch. */
export function sumInvoices(db: Database, stretch: Stretch): Sums[] {
  return db
    .query<Sums, Bounds>(
      `SELECT substr(invoice_date, 1, 7) AS month, total(total) AS amount, count(*) AS count
       FROM invoices WHERE (invoice_date, id) > (?, ?) AND (invoice_date, id) <= (?, ?)
         AND +status NOT IN ('draft', 'cancelled') GROUP BY month`,
    )
    .all(...boundsOf(stretch))
}

/** What was paid in each month, of so many rows after one. There is no index by date: the ledger is read whole. */
export function sumPayments(
  db: Database,
  { from, until }: { from: string; until: string },
  after: number,
  size: number,
): Sums[] {
  return db
    .query<Sums, [number, number, string, string]>(
      `SELECT substr(payment_date, 1, 7) AS month, total(amount) AS amount, count(*) AS count
       FROM payments WHERE seq > ? AND seq <= ? AND payment_date >= ? AND payment_date < ? GROUP BY month`,
    )
    .all(after, after + size, from, until)
}

/** What is open on the invoices of a stretch, by how long they have been due: 0 is not yet. */
export function sumOpen(
  db: Database,
  walk: "unpaid" | "partiallyPaid",
  stretch: Stretch,
  limits: [string, string, string, string],
) {
  return db
    .query<{ age: number; amount: number; count: number }, [...Bounds, ...Bounds]>(
      `SELECT CASE WHEN due_date >= ? THEN 0 WHEN due_date >= ? THEN 1 WHEN due_date >= ? THEN 2
           WHEN due_date >= ? THEN 3 ELSE 4 END AS age,
         total(balance) AS amount, count(*) AS count
       FROM ${walks[walk]} > (?, ?) AND (created_at, id) <= (?, ?) GROUP BY age`,
    )
    .all(...limits, ...boundsOf(stretch))
}

/** The items of so many rows after one that are to be ordered again; stock in 1/10000. */
export function findLowItems(db: Database, after: number, size: number): LowItem[] {
  return db
    .query<LowItem, [number, number]>(
      `SELECT id, item_code AS itemCode, item_name AS itemName, uom, current_stock AS currentStock,
         reserved_stock AS reservedStock, current_stock - reserved_stock AS availableStock,
         reorder_level AS reorderLevel
       FROM items WHERE seq > ? AND seq <= ? AND is_active = 1 AND item_type <> 'Service' AND reorder_level > 0
         AND current_stock - reserved_stock <= reorder_level`,
    )
    .all(after, after + size)
}

/** The orders that were made last, amounts in the minor unit. */
export function findLatestOrders(db: Database, limit: number): LatestOrder[] {
  return db
    .query<LatestOrder, [number]>(
      `SELECT id, order_number AS orderNumber, customer_name AS customerName, status, order_date AS orderDate, total
       FROM sales_orders ORDER BY created_at DESC, id DESC ${limited}`,
    )
    .all(limit)
}

/** The last row of a table that is read whole. */
export function lastRow(db: Database, table: "items" | "payments"): number {
  return db.query<{ last: number | null }, []>(`SELECT max(seq) AS last FROM ${table}`).get()?.last ?? 0
}

/** How many there are, from indexes alone. */
export function countAll(db: Database) {
  return db
    .query<{ items: number; customers: number; openOrders: number; openInvoices: number }, []>(
      `SELECT (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM customers) AS customers,
         (SELECT count(*) FROM sales_orders WHERE status = 'submitted') AS openOrders,
         (SELECT count(*) FROM invoices WHERE status IN ('unpaid', 'partially_paid')) AS openInvoices`,
    )
    .get()
}

const boundsOf = ({ after, to }: Stretch): Bounds => [after.at, after.id, to.at, to.id]
