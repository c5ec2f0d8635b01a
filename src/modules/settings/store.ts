import type { Database } from "bun:sqlite"

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

/** True when documents contain amounts in the currency. */
export function hasDocuments(db: Database): boolean {
  return db.query("SELECT 1 FROM sales_orders UNION ALL SELECT 1 FROM invoices LIMIT 1").get() !== null
}
