import type { Database } from "bun:sqlite"
import type { Tx } from "./writer"

/**
 * Returns the next number of a series, such as CUST-00001. The series is updated in the transaction that uses the
 * number, so a refused write uses no number.
 */
export function nextNumber(db: Database, tx: Tx, series: string): string {
  const row = db
    .query<{ last: number }, [string]>(
      `INSERT INTO number_series (name, last) VALUES (?, 1)
       ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last`,
    )
    .get(series)
  const number = `${series}-${String(row?.last).padStart(5, "0")}`
  tx.numbers.push(number)
  return number
}
