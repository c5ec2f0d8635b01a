import type { Database } from "bun:sqlite"

/** Returns how far a job has come, or null when it has never run. */
export const findPosition = (db: Database, job: string): string | null =>
  db.query<{ position: string }, [string]>("SELECT position FROM jobs WHERE name = ?").get(job)?.position ??
  null

export function storePosition(db: Database, job: string, position: string): void {
  db.query(
    "INSERT INTO jobs (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
  ).run(job, position)
}
