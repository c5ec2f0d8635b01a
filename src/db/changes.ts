import type { Database } from "bun:sqlite"

/** What another process has written, as it was at the beginning of this turn. */
const versions = new WeakMap<Database, number>()

/**
 * Another number after another process has written to the file. SQLite is asked once in a turn of the event loop: a
 * request that was sent after the other process was done is taken up in a later one.
 */
export function foreignVersion(db: Database): number {
  const known = versions.get(db)
  if (known !== undefined) return known
  const version = db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0
  versions.set(db, version)
  setImmediate(() => versions.delete(db))
  return version
}

/** Another text after anything in the file has changed, whoever has changed it. */
export const markOf = (db: Database): string =>
  `${foreignVersion(db)}.${db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n}`
