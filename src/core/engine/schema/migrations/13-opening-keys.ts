import type { Database } from "../../engine"
import { lower } from "../../../lib/text"

/**
 * Fills in the keys of the opening invoices that exist. If two numbers differ only in the case of letters outside ASCII,
 * the first one gets the key, and the other one keeps its number without a key.
 */
export function keyOpeningNumbers(db: Database): void {
  const rows = db
    .query<{ id: string; number: string }, []>(
      "SELECT id, invoice_number AS number FROM invoices WHERE is_opening = 1 ORDER BY seq",
    )
    .all()
  const write = db.query("UPDATE invoices SET opening_key = ? WHERE id = ?")
  const keys = new Set<string>()
  for (const { id, number } of rows) {
    const key = lower(number)
    if (!keys.has(key)) write.run(key, id)
    keys.add(key)
  }
}
