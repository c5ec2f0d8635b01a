import { postgresOf, type Database } from "./engine"
import { beginPostgresWrite } from "./postgres/write-lock"

/** Returns a function that begins a write, which waits for the writes of other processes. */
export function writeBegin(db: Database): () => void {
  const postgres = postgresOf(db)
  if (postgres) return () => beginPostgresWrite(postgres)
  const begin = db.prepare("BEGIN IMMEDIATE")
  return () => void begin.run()
}
