import type { Database } from "bun:sqlite"
import type { OrderLine } from "./model"

const columns = [
  "id",
  "position",
  "item",
  "item_code",
  "item_name",
  "uom",
  "quantity",
  "rate",
  "discount",
  "amount",
  "discount_amount",
  "tax_rate",
  "invoiced_quantity",
]
const select = `SELECT sales_order AS salesOrder, id, item, item_code AS itemCode, item_name AS itemName, uom, quantity,
  rate, discount, amount, discount_amount AS discountAmount, tax_rate AS taxRate, invoiced_quantity AS invoicedQuantity
  FROM sales_order_lines`
type Row = OrderLine & { salesOrder: string }

/** The lines of several orders with one query. */
export function findLines(db: Database, orders: readonly string[]): Map<string, OrderLine[]> {
  const rows = db
    .query<Row, [string]>(
      `${select} WHERE sales_order IN (SELECT value FROM json_each(?)) ORDER BY sales_order, position`,
    )
    .all(JSON.stringify(orders))
  const lines = new Map<string, OrderLine[]>(orders.map((order) => [order, []]))
  for (const { salesOrder, ...line } of rows) lines.get(salesOrder)?.push(line)
  return lines
}

/** Makes the lines of an order those given, in their order. */
export function replaceLines(db: Database, order: string, lines: readonly OrderLine[]): void {
  db.query(
    "DELETE FROM sales_order_lines WHERE sales_order = ?1 AND id NOT IN (SELECT value FROM json_each(?2))",
  ).run(order, JSON.stringify(lines.map(({ id }) => id)))
  insertLines(db, order, lines)
}

/** Adds lines with one statement; a line that is there already is overwritten. */
export function insertLines(db: Database, order: string, lines: readonly OrderLine[]): void {
  const rows = lines.map((line, position) => [
    line.id,
    position,
    line.item,
    line.itemCode,
    line.itemName,
    line.uom,
    line.quantity,
    line.rate,
    line.discount,
    line.amount,
    line.discountAmount,
    line.taxRate,
    line.invoicedQuantity,
  ])
  const taken = columns.map((_, i) => `value ->> ${i}`).join(", ")
  const updated = columns
    .slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(", ")
  db.query(
    `INSERT INTO sales_order_lines (sales_order, ${columns.join(", ")}) SELECT ?1, ${taken} FROM json_each(?2) WHERE true
     ON CONFLICT (id) DO UPDATE SET ${updated}`,
  ).run(order, JSON.stringify(rows))
}

export function setInvoicedQuantities(db: Database, lines: readonly OrderLine[]): void {
  const write = db.query("UPDATE sales_order_lines SET invoiced_quantity = ? WHERE id = ?")
  for (const { id, invoicedQuantity } of lines) write.run(invoicedQuantity, id)
}

/** The invoices of several orders, oldest first. */
export function findInvoiceIds(db: Database, orders: readonly string[]): Map<string, string[]> {
  const rows = db
    .query<{ id: string; salesOrder: string }, [string]>(
      `SELECT id, sales_order AS salesOrder FROM invoices
       WHERE sales_order IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .all(JSON.stringify(orders))
  const invoices = new Map<string, string[]>()
  for (const { id, salesOrder } of rows) invoices.set(salesOrder, [...(invoices.get(salesOrder) ?? []), id])
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
