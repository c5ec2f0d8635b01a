import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import type { NamedTaxCode } from "../../trade/needs"

type Row = Omit<NamedTaxCode, "isActive" | "isUsed"> & { isActive: number; isUsed: number }

export function findTaxCode(db: Database, id: string): NamedTaxCode | null {
  const row = db
    .query<Row, [string]>(
      `SELECT id, code, category, rate, reason, is_active AS isActive, is_used AS isUsed FROM tax_codes WHERE id = ?`,
    )
    .get(id)
  return row && { ...row, isActive: row.isActive === 1, isUsed: row.isUsed === 1 }
}

/** Stores that other records name these tax codes. Returns those that no record named before. */
export const setUsed = (
  db: Database,
  ids: readonly string[],
  now: string,
): { id: string; version: number }[] =>
  db
    .query<{ id: string; version: number }, [string, string]>(
      `UPDATE tax_codes SET is_used = 1, change_count = change_count + 1, updated_at = ?2
       WHERE id IN ${listOf("?1")} AND is_used = 0 RETURNING id, version`,
    )
    .all(JSON.stringify(ids), now)
