import type { Database } from "./engine"
import { valueOf } from "./sql"

/** Returns how far a repeated task has come, or null when it has never run. */
export const findPosition = (db: Database, task: string): string | null =>
  valueOf(db, "SELECT position FROM positions WHERE name = ?", task)

export function storePosition(db: Database, task: string, position: string): void {
  db.query(
    "INSERT INTO positions (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
  ).run(task, position)
}
