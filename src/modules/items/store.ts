import type { Database } from "bun:sqlite"

/** The item data that a document needs. Selling price, tax rate and stock are in 1/10000. */
export type SoldItem = {
  id: string
  itemCode: string
  itemName: string
  uom: string
  sellingPrice: number
  taxRate: number
  isActive: boolean
  hasStock: boolean
  currentStock: number
  reservedStock: number
}
type Row = Omit<SoldItem, "isActive" | "hasStock"> & { isActive: number; hasStock: number }

export function findSoldItems(db: Database, ids: readonly string[]): Map<string, SoldItem> {
  const rows = db
    .query<Row, [string]>(
      `SELECT id, item_code AS itemCode, item_name AS itemName, uom, selling_price AS sellingPrice, tax_rate AS taxRate,
         is_active AS isActive, item_type <> 'Service' AS hasStock, current_stock AS currentStock,
         reserved_stock AS reservedStock
       FROM items WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([...new Set(ids)]))
  return new Map(
    rows.map((row) => [row.id, { ...row, isActive: row.isActive === 1, hasStock: row.hasStock === 1 }]),
  )
}

/** Adds to the current or the reserved stock and returns the new value. */
export function addTo(
  db: Database,
  column: "current_stock" | "reserved_stock",
  { id, quantity, now }: { id: string; quantity: number; now: string },
): number {
  const row = db
    .query<{ stock: number }, [number, string, string]>(
      `UPDATE items SET ${column} = ${column} + ?, change_count = change_count + 1, updated_at = ?
       WHERE id = ? RETURNING ${column} AS stock`,
    )
    .get(quantity, now, id)
  return row?.stock ?? 0
}

/** Adds to the current stock of many items with one statement, which takes less time than one for each item. */
export function addStocks(
  db: Database,
  changes: readonly { item: string; quantity: number }[],
  now: string,
): void {
  db.query<void, [string, string]>(
    `UPDATE items SET current_stock = current_stock + change.quantity, change_count = change_count + 1, updated_at = ?2
     FROM (SELECT value ->> 'item' AS item, value ->> 'quantity' AS quantity FROM json_each(?1)) AS change
     WHERE id = change.item`,
  ).run(JSON.stringify(changes), now)
}

/** True when a document line or a stock movement refers to the item. */
export function isUsed(db: Database, id: string): boolean {
  return (
    db
      .query<{ used: number }, [string]>(
        `SELECT EXISTS (SELECT 1 FROM sales_order_lines WHERE item = ?1)
           OR EXISTS (SELECT 1 FROM invoice_lines WHERE item = ?1)
           OR EXISTS (SELECT 1 FROM stock_movements WHERE item = ?1) AS used`,
      )
      .get(id)?.used === 1
  )
}
