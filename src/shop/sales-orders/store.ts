import type { Database } from "../../core/engine/engine"
import { runEach } from "../../core/engine/run-each"
import { listOf } from "../../core/engine/sql"
import { lineTable } from "../../trade/documents/store"
import type { OrderLine } from "./model"

export const orderLines = lineTable<OrderLine>("sales_order_lines", "sales_order", [
  "invoicedQuantity",
  "returnedQuantity",
])

/** Adds to the quantities of order lines that customers have sent back. */
export function addReturned(
  db: Database,
  returned: readonly { orderLine: string; quantity: number }[],
): void {
  runEach(
    db,
    "UPDATE sales_order_lines SET returned_quantity = returned_quantity + ? WHERE id = ?",
    returned.map(({ orderLine, quantity }) => [quantity, orderLine]),
  )
}

/** Counts a change of an order that is not an edit, and returns its version. */
export const countChange = (db: Database, id: string, now: string): number =>
  db
    .query<{ version: number }, [string, string]>(
      "UPDATE sales_orders SET change_count = change_count + 1, updated_at = ? WHERE id = ? RETURNING version",
    )
    .get(now, id)?.version ?? 0

/** Finds the invoices of several orders, oldest first. */
export function findInvoiceIds(db: Database, orders: readonly string[]): Map<string, string[]> {
  const rows = db
    .query<{ id: string; salesOrder: string }, [string]>(
      `SELECT id, sales_order AS salesOrder FROM invoices
       WHERE sales_order IN ${listOf("?")} ORDER BY id`,
    )
    .all(JSON.stringify(orders))
  const invoices = new Map<string, string[]>(orders.map((order) => [order, []]))
  for (const { id, salesOrder } of rows) invoices.get(salesOrder)?.push(id)
  return invoices
}

/** True when the order has an invoice that is issued and not cancelled. */
export function hasLiveInvoice(db: Database, order: string): boolean {
  return (
    db
      .query("SELECT 1 FROM invoices WHERE sales_order = ? AND status NOT IN ('draft', 'cancelled') LIMIT 1")
      .get(order) !== null
  )
}
