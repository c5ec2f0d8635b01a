import type { Database } from "./engine"
import { valueOf } from "./sql"
import { newSecret } from "../lib/secret"

export type SecretName = "tokens" | "refresh" | "cursors" | "oauth" | "events" | "challenges"

/** The named secret of this file; null before its first use, and in a backup. */
export const findSecret = (db: Database, name: SecretName): string | null =>
  valueOf(db, "SELECT value FROM secrets WHERE name = ?", name)

/** The named secret of this file, created on first use. */
export function secretOf(db: Database, name: SecretName): string {
  const find = () => findSecret(db, name)
  const make = () =>
    db
      .query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
      .run(name, newSecret())
  const known = find() ?? (make(), find())
  if (known === null) throw new Error(`The secret ${name} could not be stored.`)
  return known
}
