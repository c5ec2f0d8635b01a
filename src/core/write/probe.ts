import type { Database } from "../engine/engine"
import type { Tx } from "./writer"

/** Checks that the file can be written. */
export function probeWrite(db: Database, tx: Tx): void {
  db.query(
    "INSERT INTO write_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
  ).run(tx.now)
}
