import { isStuck, waits } from "../recurring-invoices/model"
import type { Database } from "../../core/engine/engine"
import type { LatestOrder, LowItem } from "./model"
import { limited } from "../../core/engine/sql"

/** A position in an index that sorts by `at` and then by id. */
export type Key = { at: string; id: string }
/** The rows after one position, up to and including another. */
export type Slice = { after: Key; to: Key }
type Sums = { month: string; amount: number; count: number }
/** Sums, and the part of them that belongs to invoices that were cancelled. */
type PartedSums = Sums & { undone: number; undoneCount: number }
type Bounds = [string, string, string, string]

/** The indexes along which tables are scanned in slices. */
const walks = {
  orders: "sales_orders WHERE (order_date, id)",
  invoices: "invoices WHERE (invoice_date, id)",
  unpaid: "invoices WHERE status = 'unpaid' AND (created_at, id)",
  partiallyPaid: "invoices WHERE status = 'partially_paid' AND (created_at, id)",
  credited: "invoices WHERE status = 'credited' AND (created_at, id)",
  creditNotes: "credit_notes WHERE (credit_note_date, id)",
}
export type Walk = keyof typeof walks

/** Returns the end of a slice of `size` rows along an index; null when there are fewer. Reads only the index. */
export function findEnd(db: Database, walk: Walk, { after, to }: Slice, size: number): Key | null {
  const [, column = ""] = /\((\w+), id\)$/.exec(walks[walk]) ?? []
  return db
    .query<Key, [...Bounds, number]>(
      `SELECT ${column} AS at, id FROM ${walks[walk]} > (?, ?) AND (${column}, id) <= (?, ?)
       ORDER BY ${column}, id LIMIT 1 OFFSET ?`,
    )
    .get(...boundsOf({ after, to }), size - 1)
}

// `coalesce(status, '')` avoids the index on status, which does not contain dates.

/** The sum of a column as a floating-point number, because a sum of integers fails beyond 64 bits. */
const sumOf = (column: string) => `sum(CAST(${column} AS DOUBLE PRECISION))`

/** Returns the total of the orders per month of a slice. */
export function sumOrders(db: Database, slice: Slice): Sums[] {
  return db
    .query<Sums, Bounds>(
      `SELECT substr(order_date, 1, 7) AS month, ${sumOf("total")} AS amount, count(*) AS count
       FROM sales_orders WHERE (order_date, id) > (?, ?) AND (order_date, id) <= (?, ?)
         AND coalesce(status, '') IN ('submitted', 'completed') GROUP BY month`,
    )
    .all(...boundsOf(slice))
}

/** What a document adds to the sales. What an invoice deducts is a part of the sales of the deposit invoices. */
const sold = "total - deposit_total"

/** The sum and the number of the rows of a condition. */
const partOf = (condition: string) =>
  `${sumOf(`CASE WHEN ${condition} THEN ${sold} ELSE 0 END`)} AS undone,
         sum(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS "undoneCount"`

/** Returns the total of the invoices per month of a slice. The sales of opening invoices are those of another system. */
export function sumInvoices(db: Database, slice: Slice): PartedSums[] {
  return db
    .query<PartedSums, Bounds>(
      `SELECT substr(invoice_date, 1, 7) AS month, ${sumOf(sold)} AS amount, count(*) AS count,
         ${partOf("status = 'cancelled'")}
       FROM invoices WHERE (invoice_date, id) > (?, ?) AND (invoice_date, id) <= (?, ?)
         AND coalesce(status, '') <> 'draft' AND is_opening = 0 AND (coalesce(status, '') <> 'cancelled'
           OR EXISTS (SELECT 1 FROM credit_notes WHERE credit_notes.invoice = invoices.id)) GROUP BY month`,
    )
    .all(...boundsOf(slice))
}

/** Returns the total of the credit notes per month of a slice. */
export function sumCreditNotes(db: Database, slice: Slice): PartedSums[] {
  return db
    .query<PartedSums, Bounds>(
      `SELECT substr(credit_note_date, 1, 7) AS month, ${sumOf(sold)} AS amount, count(*) AS count,
         ${partOf("is_cancellation = 1")}
       FROM credit_notes WHERE (credit_note_date, id) > (?, ?) AND (credit_note_date, id) <= (?, ?) GROUP BY month`,
    )
    .all(...boundsOf(slice))
}

/**
 * Returns the payments per month, for the `size` rows after row `after`. All payments are read, because there is no
 * index by date.
 */
export function sumPayments(
  db: Database,
  { from, until }: { from: string; until: string },
  after: number,
  size: number,
): Sums[] {
  return db
    .query<Sums, [number, number, string, string]>(
      `SELECT substr(payment_date, 1, 7) AS month, ${sumOf("amount")} AS amount, count(*) AS count
       FROM live_payments WHERE seq > ? AND seq <= ? AND payment_date >= ? AND payment_date < ? GROUP BY month`,
    )
    .all(after, after + size, from, until)
}

/** Returns the balance of the invoices of a slice by age group; 0 is not due yet. */
export function sumOpen(
  db: Database,
  walk: "unpaid" | "partiallyPaid" | "credited",
  slice: Slice,
  limits: [string, string, string, string],
) {
  return db
    .query<AgeSum, [...Bounds, ...Bounds]>(
      `SELECT ${age}, ${sumOf("balance")} AS amount, count(*) AS count
       FROM ${walks[walk]} > (?, ?) AND (created_at, id) <= (?, ?) AND balance > 0 GROUP BY age`,
    )
    .all(...limits, ...boundsOf(slice))
}

type AgeSum = { age: number; amount: number; count: number }

const age = `CASE WHEN due_date >= ? THEN 0 WHEN due_date >= ? THEN 1 WHEN due_date >= ? THEN 2
  WHEN due_date >= ? THEN 3 ELSE 4 END AS age`

/** A past day, and the moment when it had ended. */
export type PastDay = { date: string; end: string }

/**
 * Returns what was left to pay of the invoices of a slice on a past day, by age group. Documents, payments and their
 * parts count from their own date on. What was voided or cancelled counts until that happened; an invoice that was
 * cancelled by a credit note counts until the date of the credit note.
 */
export function sumOpenAt(
  db: Database,
  slice: Slice,
  limits: [string, string, string, string],
  { date, end }: PastDay,
): AgeSum[] {
  return db
    .query<AgeSum, string[]>(
      `SELECT ${age}, ${sumOf("open")} AS amount, count(*) AS count FROM (
         SELECT due_date, total - deposit_total
           - coalesce((SELECT sum(applied_to_invoice) FROM credit_notes
               WHERE credit_notes.invoice = invoices.id AND credit_note_date <= ?), 0)
           - coalesce((SELECT sum(amount) FROM settlements
               WHERE settlements.invoice = invoices.id AND date <= ? AND coalesce(voided_at, '9') >= ?), 0)
           - coalesce((SELECT sum(amount) FROM write_offs
               WHERE write_offs.invoice = invoices.id AND write_off_date <= ?
                 AND coalesce(voided_at, '9') >= ?), 0) AS open
         FROM invoices WHERE (invoice_date, id) > (?, ?) AND (invoice_date, id) <= (?, ?)
           AND issued_at IS NOT NULL AND (coalesce(cancelled_at, '9') >= ? OR credited_total > 0)
       ) AS then_open WHERE open > 0 GROUP BY age`,
    )
    .all(...limits, date, date, end, date, end, ...boundsOf(slice), end)
}

/** Finds the items with low stock among the `size` rows after row `after`; stock in 1/10000. */
export function findLowItems(db: Database, after: number, size: number): LowItem[] {
  return db
    .query<LowItem, [number, number]>(
      `SELECT id, item_code AS itemCode, item_name AS itemName, uom, current_stock AS currentStock,
         reserved_stock AS reservedStock, current_stock - reserved_stock AS availableStock,
         reorder_level AS reorderLevel
       FROM items WHERE seq > ? AND seq <= ? AND is_active = 1 AND item_type <> 'Service'
         AND (current_stock < reserved_stock
           OR (reorder_level > 0 AND current_stock - reserved_stock <= reorder_level))`,
    )
    .all(after, after + size)
}

/** Finds the orders that were created last, amounts in the minor unit. */
export function findLatestOrders(db: Database, limit: number): LatestOrder[] {
  return db
    .query<LatestOrder, [number]>(
      `SELECT id, order_number AS orderNumber, customer_name AS customerName, status, order_date AS orderDate, total
       FROM sales_orders ORDER BY created_at DESC, id DESC ${limited}`,
    )
    .all(limit)
}

/** Returns the number of the last row of a table. */
export function lastRow(db: Database, table: "items" | "payments"): number {
  return db.query<{ last: number | null }, []>(`SELECT max(seq) AS last FROM ${table}`).get()?.last ?? 0
}

/** Counts the records, from indexes alone. */
export function countAll(db: Database) {
  return db
    .query<{ items: number; customers: number; openOrders: number; openInvoices: number }, []>(
      `SELECT (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM customers) AS customers,
         (SELECT count(*) FROM sales_orders WHERE status = 'submitted') AS openOrders,
         (SELECT count(*) FROM invoices WHERE status IN ('unpaid', 'partially_paid')) AS openInvoices`,
    )
    .get()
}

/** Counts the messages about documents that were not sent, and after which no other was written about the document. */
export const countMessages = (db: Database, status: "failed" | "uncertain", since: string): number =>
  db
    .query<{ n: number }, [string, string]>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM messages WHERE status = ? AND created_at >= ? AND kind <> 'users' AND NOT EXISTS (
           SELECT 1 FROM messages AS later WHERE later.record = messages.record AND later.seq > messages.seq)
         LIMIT 1000) AS few`,
    )
    .get(status, since)?.n ?? 0

/** Counts the recurring invoices that need a person, and those that have skipped periods since a time. */
export const countRecurring = (
  db: Database,
  since: string,
): { recurringProblems: number; recurringSkipped: number } => ({
  recurringProblems:
    db
      .query<{ n: number }, []>(
        `SELECT (SELECT count(*) FROM (
             SELECT DISTINCT recurring_invoice FROM invoices AS made WHERE ${waits} LIMIT 1000) AS few)
           + (SELECT count(*) FROM (
             SELECT 1 FROM recurring_invoices WHERE ${isStuck} LIMIT 1000) AS few) AS n`,
      )
      .get()?.n ?? 0,
  recurringSkipped:
    db
      .query<{ n: number }, [string]>(
        "SELECT count(*) AS n FROM recurring_invoices WHERE last_skipped_at >= ?",
      )
      .get(since)?.n ?? 0,
})

const boundsOf = ({ after, to }: Slice): Bounds => [after.at, after.id, to.at, to.id]
