import { Database } from "bun:sqlite"
import { chmodSync, existsSync, closeSync, openSync } from "node:fs"
import { Unusable } from "../lib/unusable"

/** `KNTR`: how a file says that it is ours. */
export const applicationId = 0x4b4e5452

/** Opens (and, unless told not to, creates) the file with the settings every connection must have. */
export function openDatabase(file: string, { create = true } = {}): Database {
  if (file !== ":memory:") {
    if (!create && !existsSync(file)) throw new Unusable(`There is no database at ${file}.`)
    makePrivate(file)
  }
  const db = new Database(file, { create: true, readwrite: true, strict: true })
  try {
    db.run("PRAGMA busy_timeout = 5000")
    db.run("PRAGMA journal_mode = WAL")
    // FULL: what has been answered is on the disk. The writer makes many answers share one sync.
    db.run("PRAGMA synchronous = FULL")
    db.run("PRAGMA foreign_keys = ON")
    db.run("PRAGMA trusted_schema = OFF")
    db.run("PRAGMA cell_size_check = ON")
    db.run("PRAGMA cache_size = -65536")
    db.run("PRAGMA mmap_size = 268435456")
    db.run("PRAGMA temp_store = MEMORY")
  } catch (error) {
    db.close()
    throw new Unusable(reasonOf(file, error))
  }
  return db
}

/** True after another process has written to the file; asked with the same `seen` object each time. */
export function changedElsewhere(db: Database, seen: { version: number }): boolean {
  const version = db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0
  if (version === seen.version) return false
  seen.version = version
  return true
}

// SQLite gives -wal and -shm the mode of the main file, so only that one has to be made in private.
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    throw new Unusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
  }
}

function reasonOf(file: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "SQLITE_NOTADB") return `${file} is not a database.`
  if (code === "SQLITE_CORRUPT") return `${file} is damaged. Restore a backup with "kontor restore FILE".`
  if (code.startsWith("SQLITE_BUSY")) return `${file} is locked by another program.`
  if (code.startsWith("SQLITE_READONLY")) return `${file} is read-only.`
  return `${file} cannot be opened: ${messageOf(error)}.`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
