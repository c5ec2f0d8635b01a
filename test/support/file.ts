import { Database } from "bun:sqlite"
import type { Kontor } from "./kontor"

/** Reads or changes the file while the server runs, to simulate elapsed time or an attacker. */
export function inFile<T>(kontor: Pick<Kontor, "file">, work: (db: Database) => T): T {
  const db = new Database(kontor.file)
  try {
    db.run("PRAGMA busy_timeout = 5000")
    return work(db)
  } finally {
    db.close()
  }
}

/**
 * Changes the file like another process while a request waits: the request begins before the change is committed, and
 * writes after it.
 */
export async function changeAhead<T>(
  kontor: Pick<Kontor, "file">,
  change: (db: Database) => unknown,
  request: () => Promise<T>,
): Promise<T> {
  const db = new Database(kontor.file)
  try {
    db.run("PRAGMA busy_timeout = 5000")
    db.run("PRAGMA foreign_keys = ON")
    db.run("BEGIN IMMEDIATE")
    change(db)
    const answer = request()
    await Bun.sleep(300)
    db.run("COMMIT")
    return await answer
  } finally {
    db.close()
  }
}
