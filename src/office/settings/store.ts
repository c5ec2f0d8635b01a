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

/** True when one of these tables has rows. */
export const hasRows = (db: Database, tables: readonly string[]): boolean =>
  tables.some((table) => db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null)

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
