import type { Database } from "../../core/engine/engine"
import { derivedTable, lineTable } from "../../trade/documents/store"
import { type OrderLine, salesOrders } from "./model"

export const ownParts = ["invoicedQuantity", "returnedQuantity", "deliveredQuantity"] as const
export const orderLines = lineTable<OrderLine>(salesOrders, ownParts)

/** Adds to the quantities of order lines that customers have sent back. */
export function addReturned(
  db: Database,
  returned: readonly { orderLine: string; quantity: number }[],
): void {
  db.engine.runEach(
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

/** The invoices of orders. A cancelled one gives back what it took. */
export const invoicesOfOrders = derivedTable(
  "invoices",
  "sales_order",
  "status <> 'cancelled'",
  "invoice_type <> 'deposit'",
)
/** The invoices that ask for deposits on orders. */
export const depositsOfOrders = derivedTable(
  "invoices",
  "sales_order",
  "status <> 'cancelled'",
  "invoice_type = 'deposit'",
)
/** The deliveries of orders. */
export const deliveriesOfOrders = derivedTable("deliveries", "sales_order")

/** True when the order has an invoice that is issued and not cancelled, or a deposit that is not credited either. */
export function hasLiveInvoice(db: Database, order: string): boolean {
  return (
    db
      .query(
        `SELECT 1 FROM invoices WHERE sales_order = ? AND status NOT IN ('draft', 'cancelled')
           AND (invoice_type <> 'deposit' OR status <> 'credited') LIMIT 1`,
      )
      .get(order) !== null
  )
}

/** What the invoices of an order have of a line; `charged` includes tax if the prices of the order do. */
export type Charged = { charged: number; documentDiscount: number }

/**
 * Finds the lines of an order that an invoice or a delivery names, also a cancelled one, with what the invoices that count have
 * of them.
 */
export function findNamedLines(db: Database, order: string): Map<string, Charged> {
  const rows = db
    .query<Charged & { id: string }, [string, string]>(
      `SELECT order_line AS id, sum(CASE WHEN status <> 'cancelled' THEN coalesce(gross_amount, amount) ELSE 0 END) AS charged,
         sum(CASE WHEN status <> 'cancelled' THEN document_discount ELSE 0 END) AS "documentDiscount"
       FROM invoice_lines JOIN invoices ON invoices.id = invoice
       WHERE sales_order = ?1 AND order_line IS NOT NULL GROUP BY order_line
       UNION ALL SELECT DISTINCT order_line, 0, 0 FROM delivery_lines JOIN deliveries ON deliveries.id = delivery
       WHERE sales_order = ?2`,
    )
    .all(order, order)
  const found = new Map<string, Charged>()
  for (const { id, charged, documentDiscount } of rows)
    if (charged > 0 || documentDiscount > 0 || !found.has(id)) found.set(id, { charged, documentDiscount })
  return found
}
