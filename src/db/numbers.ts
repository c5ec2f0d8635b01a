import type { Database } from "bun:sqlite"

/** The next number of a series, such as CUST-00001. Taken inside the write that uses it, so a refusal gives it back. */
export function nextNumber(db: Database, series: string): string {
  const row = db
    .query<{ last: number }, [string]>(
      `INSERT INTO number_series (name, last) VALUES (?, 1)
       ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last`,
    )
    .get(series)
  return `${series}-${String(row?.last).padStart(5, "0")}`
}
