import type { Database } from "../../core/engine/engine"

export type SettingsRow = { body: string; version: number; updatedAt: string }

export function findSettings(db: Database): SettingsRow | null {
  return db.query<SettingsRow, []>("SELECT body, version, updated_at AS updatedAt FROM settings").get()
}

export function writeSettings(db: Database, { body, version, updatedAt }: SettingsRow): void {
  db.query(
    `INSERT INTO settings (id, body, version, updated_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, version = excluded.version, updated_at = excluded.updated_at`,
  ).run(body, version, updatedAt)
}

/** True when documents or payments contain amounts in the currency. */
export function hasAmounts(db: Database): boolean {
  const sql =
    "SELECT 1 FROM sales_orders UNION ALL SELECT 1 FROM invoices UNION ALL SELECT 1 FROM payments LIMIT 1"
  return db.query(sql).get() !== null
}

export const findTaxCode = (db: Database, id: string): { code: string; isActive: number } | null =>
  db
    .query<{ code: string; isActive: number }, [string]>(
      "SELECT code, is_active AS isActive FROM tax_codes WHERE id = ?",
    )
    .get(id)

/** Notes that a tax code is used. After that its category and rate do not change. */
export const markTaxCodeUsed = (db: Database, id: string, now: string): { version: number } | null =>
  db
    .query<{ version: number }, [string, string]>(
      `UPDATE tax_codes SET is_used = 1, change_count = change_count + 1, updated_at = ?
       WHERE id = ? AND is_used = 0 RETURNING version`,
    )
    .get(now, id)

/** An image, and the SHA-256 of its bytes. */
export type Logo = { hash: string; type: string; bytes: Uint8Array }

export const findLogo = (db: Database, hash: string): Logo | null =>
  db.query<Logo, [string]>("SELECT hash, type, bytes FROM logos WHERE hash = ?").get(hash)

export const allLogos = (db: Database): IterableIterator<Logo> =>
  db.query<Logo, []>("SELECT hash, type, bytes FROM logos ORDER BY hash").iterate()

export function keepLogo(db: Database, { hash, type, bytes }: Logo): void {
  db.query("INSERT INTO logos (hash, type, bytes) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING").run(
    hash,
    type,
    bytes,
  )
}
