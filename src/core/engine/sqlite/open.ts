import { Database } from "bun:sqlite"
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from "node:fs"
import { dirname } from "node:path"
import { compilePattern } from "../../lib/pattern"
import { fold } from "../../lib/text"
import { Unusable } from "../../lib/unusable"
import { endTurn } from "../change-token"
import { isPostgresAddress, postgresOf, type Database as Connection } from "../engine"
import { openPostgres, openPostgresReader, openPostgresSnapshot } from "../postgres/open"

/** `KNTR`: marks a file as a Kontor database. */
export const applicationId = 0x4b4e5452
const magic = "SQLite format 3\0"
const applicationIdAt = 68

// The cache must have space for all statements, so that each is prepared only once. The default size is 20.
Database.MAX_QUERY_CACHE_SIZE = 500

/** Opens a database. A database of another program is not changed. */
export const openDatabase = (file: string): Connection =>
  isPostgresAddress(file) ? openPostgres(file) : openFile(file)

/** Opens or creates a file with the settings that every connection needs. */
export function openFile(file: string): Database {
  return opened(file, () => {
    if (file !== ":memory:") {
      // A file whose header has our application ID needs no further check.
      if (existsSync(file) && statSync(file).size > 0 && !hasOurHeader(file)) openToLook(file).close()
      makePrivate(file)
    }
    const db = new Database(file, { create: true, readwrite: true, strict: true })
    db.run("PRAGMA busy_timeout = 5000")
    db.run("PRAGMA journal_mode = WAL")
    // FULL: a write is on disk before its response is sent. The writer lets many responses share one sync.
    db.run("PRAGMA synchronous = FULL")
    db.run("PRAGMA foreign_keys = ON")
    db.run("PRAGMA cell_size_check = ON")
    // A page cache instead of memory mapping: SQLite checks a mapped page on every read, a cached page only once.
    db.run("PRAGMA cache_size = -40960")
    db.run("PRAGMA mmap_size = 0")
    db.run("PRAGMA temp_store = MEMORY")
    db.run("PRAGMA trusted_schema = OFF")
    addFunctions(db)
    return db
  })
}

/**
 * Opens a file for reading, without changing it. Refuses a file that is not a Kontor database. The connection has write
 * access only if a power failure left a partial write, which must be rolled back before the file can be read. Only SQLite
 * opens the file: the server does this in threads, and closing another descriptor would release its locks.
 */
export function openToLook(file: string): Database {
  if (!existsSync(file)) throw new Unusable(`There is no database at ${file}.`)
  return opened(file, () => {
    try {
      return look(file, { readonly: true })
    } catch (error) {
      if (codeOf(error) !== "SQLITE_READONLY_ROLLBACK") throw error
      return look(file, { readwrite: true })
    }
  })
}

/**
 * Opens a database for reading in its current state: the connection does not see later writes. `source` is the path of the
 * file, or the bytes of a database in memory. Large sorts use temporary files, so that they take no memory.
 */
export function openSnapshot(source: string | Uint8Array): Connection {
  if (typeof source === "string" && isPostgresAddress(source)) return openPostgresSnapshot(source)
  const db =
    typeof source === "string"
      ? openToLook(source)
      : Database.deserialize(source, { readonly: true, strict: true })
  db.run("PRAGMA temp_store = FILE")
  addFunctions(db)
  db.run("BEGIN")
  // The transaction sees the state at its first read.
  db.query("SELECT count(*) FROM sqlite_schema").get()
  return db
}

/** What `openSnapshot` opens: only this thread can read a database in memory, so another one gets its bytes. */
export const snapshotSource = (db: Connection, file: string): string | Uint8Array<ArrayBuffer> =>
  file === ":memory:" && db instanceof Database ? new Uint8Array(db.serialize()) : file

/** Opens a database for long reads in another thread. Each query sees what was committed before it. */
export function openReader(file: string): Connection {
  if (isPostgresAddress(file)) return openPostgresReader(file)
  const db = openToLook(file)
  db.run("PRAGMA busy_timeout = 5000")
  db.run("PRAGMA cache_size = -16384")
  addFunctions(db)
  return db
}

function look(file: string, way: { readonly: true } | { readwrite: true }): Database {
  const db = new Database(file, { ...way, strict: true })
  try {
    const id = db.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id
    const tables = db.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0
    if (tables > 0 && id !== applicationId)
      throw new Unusable(`${file} is a database of another program, not a Kontor database.`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Frees the memory of cached pages. PostgreSQL's are in the server. */
export function shrinkCache(db: Connection): void {
  if (!postgresOf(db)) db.run("PRAGMA shrink_memory")
}

/** Closes a database. A file gets the content of its write-ahead log first. */
export function closeDatabase(db: Connection): void {
  endTurn(db)
  if (!postgresOf(db)) db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}

/** Creates the file if it does not exist, readable only by its owner. SQLite gives -wal and -shm the same mode. */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    if (codeOf(error) === "EROFS") throw new Unusable(inReadOnly(file))
    throw new Unusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
  }
}

/**
 * Adds functions that replace LIKE and lower(), which handle only ASCII in SQLite. The schema does not use them, so
 * that any program can read the file.
 */
function addFunctions(db: Database): void {
  let compiled = { pattern: "", matches: compilePattern("") }
  db.function("matches_pattern", { deterministic: true }, (text: unknown, pattern: string) => {
    if (text === null) return null
    if (compiled.pattern !== pattern) compiled = { pattern, matches: compilePattern(pattern) }
    return compiled.matches(String(text)) ? 1 : 0
  })
  let splitWords = { words: "", each: [""] }
  db.function("has_words", { deterministic: true }, (text: unknown, words: string) => {
    if (splitWords.words !== words) splitWords = { words, each: words.split("\n") }
    const folded = fold(String(text))
    return splitWords.each.every((word) => folded.includes(word)) ? 1 : 0
  })
  db.function("folded", { deterministic: true }, (text: unknown) =>
    text === null ? null : fold(String(text)),
  )
}

function opened(file: string, open: () => Database): Database {
  try {
    return open()
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable(reasonOf(file, error))
  }
}

const isSqlite = (head: Buffer) => head.toString("latin1", 0, magic.length) === magic

function hasOurHeader(file: string): boolean {
  const head = headOf(file)
  return isSqlite(head) && head.readUInt32BE(applicationIdAt) === applicationId
}

/** The header of a database file, padded with zeros when the file is shorter. */
function headOf(file: string): Buffer {
  const descriptor = openSync(file, "r")
  try {
    const head = Buffer.alloc(100)
    readSync(descriptor, head, 0, head.length, 0)
    return head
  } finally {
    closeSync(descriptor)
  }
}

function reasonOf(file: string, error: unknown): string {
  const code = codeOf(error)
  if (code === "SQLITE_NOTADB") return `${file} is not a database.`
  if (code === "SQLITE_CORRUPT")
    return `${file} is damaged. Restore a backup with "kontor restore BACKUP-FILE --db ${file}".`
  if (code.startsWith("SQLITE_BUSY")) return `${file} is locked by another program.`
  if (code.startsWith("SQLITE_READONLY")) return `${file} is read-only.`
  if (code.startsWith("SQLITE_CANTOPEN") && !mayWrite(dirname(file))) return inReadOnly(file)
  return `${file} cannot be opened: ${messageOf(error)}.`
}

const inReadOnly = (file: string) => `${file} cannot be opened: its folder is read-only.`

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "")
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
