import type { Database } from "bun:sqlite"
import { newSecret } from "../lib/secret"

/** The named secret of this file, made on first use. */
export function secretOf(db: Database, name: "tokens" | "refresh" | "cursors" | "oauth"): string {
  db.query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING").run(
    name,
    newSecret(),
  )
  const row = db.query<{ value: string }, [string]>("SELECT value FROM secrets WHERE name = ?").get(name)
  if (!row) throw new Error(`The secret ${name} could not be kept.`)
  return row.value
}
