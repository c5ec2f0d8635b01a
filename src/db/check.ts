import type { Database } from "bun:sqlite"

/** What SQLite itself finds wrong with the file, a sentence each. */
export function findFaults(db: Database): string[] {
  const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const dangling = db
    .query<{ table: string; rowid: number | null; parent: string }, []>("PRAGMA foreign_key_check")
    .all()
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...dangling.map((row) => `A row of ${row.table} refers to a row of ${row.parent} that is not there.`),
  ]
}
