import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import type { DeliveryLine } from "./model"

const columns =
  'id, order_line AS "orderLine", item, item_code AS "itemCode", item_name AS "itemName", description, uom, quantity'

/** Stores the lines of a new delivery. They never change. */
export function insertLines(db: Database, delivery: string, lines: readonly DeliveryLine[]): void {
  db.engine.runEach(
    `INSERT INTO delivery_lines (delivery, position, id, order_line, item, item_code, item_name, description, uom, quantity)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    lines.map(({ id, orderLine, item, itemCode, itemName, description, uom, quantity }, position) => [
      delivery,
      position,
      id,
      orderLine,
      item,
      itemCode,
      itemName,
      description,
      uom,
      quantity,
    ]),
  )
}

/** Finds the lines of several deliveries with one query. */
export function findLines(db: Database, deliveries: readonly string[]): Map<string, DeliveryLine[]> {
  const rows = db
    .query<DeliveryLine & { delivery: string }, [string]>(
      `SELECT delivery, ${columns} FROM delivery_lines WHERE delivery IN ${listOf("?")} ORDER BY delivery, position`,
    )
    .all(JSON.stringify(deliveries))
  const lines = new Map<string, DeliveryLine[]>(deliveries.map((id) => [id, []]))
  for (const { delivery, ...line } of rows) lines.get(delivery)?.push(line)
  return lines
}

/** Counts the lines of several deliveries. */
export function countLines(db: Database, deliveries: readonly string[]): Map<string, number> {
  const rows = db
    .query<{ delivery: string; n: number }, [string]>(
      `SELECT delivery, count(*) AS n FROM delivery_lines WHERE delivery IN ${listOf("?")} GROUP BY delivery`,
    )
    .all(JSON.stringify(deliveries))
  return new Map(rows.map(({ delivery, n }) => [delivery, n]))
}
