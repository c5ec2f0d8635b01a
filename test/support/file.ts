import { Database } from "bun:sqlite"
import type { Kontor } from "./kontor"

/** Reads or changes the file beside the running server, as time passing or a thief would. */
export function inFile<T>(kontor: Pick<Kontor, "file">, work: (db: Database) => T): T {
  const db = new Database(kontor.file)
  try {
    db.run("PRAGMA busy_timeout = 5000")
    return work(db)
  } finally {
    db.close()
  }
}
