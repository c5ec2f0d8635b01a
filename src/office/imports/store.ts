import type { Database } from "../../core/engine/engine"
import { valueOf, valuesOf } from "../../core/engine/sql"

export function insertPiece(db: Database, job: string, position: number, bytes: Uint8Array): void {
  db.query("INSERT INTO uploads (job, position, bytes) VALUES (?, ?, ?)").run(job, position, bytes)
}

export const findPiece = (db: Database, job: string, position: number): Uint8Array | null =>
  valueOf(db, "SELECT bytes FROM uploads WHERE job = ? AND position = ?", job, position)

/** Deletes one piece of a file. Returns false when there is none. One at a time, because deleting 32 MB takes long. */
export const deletePiece = (db: Database, job: string): boolean =>
  db
    .query(
      "DELETE FROM uploads WHERE job = ?1 AND position = (SELECT max(position) FROM uploads WHERE job = ?1)",
    )
    .run(job).changes > 0

/** Returns the files that no unfinished import needs. */
export const findUnusedUploads = (db: Database): string[] =>
  valuesOf(
    db,
    `SELECT DISTINCT job FROM uploads
     WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = uploads.job AND finished_at IS NULL)`,
  )

export const findUserName = (db: Database, id: string): string | null =>
  db.query<{ name: string }, [string]>("SELECT name FROM users WHERE id = ?").get(id)?.name ?? null
