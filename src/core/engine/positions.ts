import type { Database } from "./engine"

/** Returns how far a repeated task has come, or null when it has never run. */
export const findPosition = (db: Database, task: string): string | null =>
  db.query<{ position: string }, [string]>("SELECT position FROM positions WHERE name = ?").get(task)
    ?.position ?? null

export function storePosition(db: Database, task: string, position: string): void {
  db.query(
    "INSERT INTO positions (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
  ).run(task, position)
}
