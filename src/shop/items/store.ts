import type { Database } from "../../core/engine/engine"
import { integerIn, listOf, rowsOf, textIn } from "../../core/engine/sql"
import type { SoldItem } from "../../trade/needs"

type Row = Omit<SoldItem, "isActive" | "hasStock"> & { isActive: number; hasStock: number }

export function findSoldItems(db: Database, ids: readonly string[]): Map<string, SoldItem> {
  const rows = db
    .query<Row, [string]>(
      `SELECT id, item_code AS itemCode, item_name AS itemName, uom, selling_price AS sellingPrice, tax_rate AS taxRate,
         tax_code AS taxCode, is_active AS isActive, item_type <> 'Service' AS hasStock, current_stock AS currentStock,
         reserved_stock AS reservedStock
       FROM items WHERE id IN ${listOf("?")}`,
    )
    .all(JSON.stringify([...new Set(ids)]))
  return new Map(
    rows.map((row) => [row.id, { ...row, isActive: row.isActive === 1, hasStock: row.hasStock === 1 }]),
  )
}

/** What to add to the stock of an item, in 1/10000. */
export type StockChange = { item: string; quantity: number }

/** The stock of an item after a change, in 1/10000. */
export type StockedItem = {
  id: string
  version: number
  currentStock: number
  reservedStock: number
  reorderLevel: number
}

/**
 * Adds to the current or the reserved stock of items, of which each is given once. One statement for all takes less time
 * than one for each.
 */
export function addTo(
  db: Database,
  column: "current_stock" | "reserved_stock",
  changes: readonly StockChange[],
  now: string,
): StockedItem[] {
  if (changes.length === 0) return []
  return db
    .query<StockedItem, [string, string]>(
      `UPDATE items SET ${column} = ${column} + change.quantity, change_count = change_count + 1, updated_at = ?2
       FROM (SELECT ${textIn("value", "item")} AS item, ${integerIn("value", "quantity")} AS quantity
         FROM ${rowsOf("?1")}) AS change
       WHERE id = change.item
       RETURNING id, version, current_stock AS currentStock, reserved_stock AS reservedStock,
         reorder_level AS reorderLevel`,
    )
    .all(JSON.stringify(changes), now)
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
