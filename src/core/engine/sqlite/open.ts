import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs"
import { constants as sqliteFlags } from "bun:sqlite"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { compilePattern } from "./pattern"
import { fold } from "../../lib/text"
import { messageOf, Unusable } from "../../lib/refusal"
import { SqliteDatabase } from "./database"
import { applicationId } from "./schema"

const magic = "SQLite format 3\0"
const applicationIdAt = 68

/** Opens or creates a file with the settings that every connection needs. */
export function openFile(file: string): SqliteDatabase {
  return opened(file, () => {
    if (file !== ":memory:") {
      // A file whose header has our application ID needs no further check.
      if (existsSync(file) && statSync(file).size > 0 && !hasOurHeader(file)) openToLook(file).close()
      makePrivate(file)
    }
    const db = new SqliteDatabase(file, { create: true, readwrite: true, strict: true })
    db.run("PRAGMA busy_timeout = 5000")
    db.run("PRAGMA journal_mode = WAL")
    // FULL: a write is on disk before its response is sent. The writer lets many responses share one sync.
    db.run("PRAGMA synchronous = FULL")
    db.run("PRAGMA foreign_keys = ON")
    db.run("PRAGMA cell_size_check = ON")
    // A page cache instead of memory mapping: SQLite checks a mapped page on every read, a cached page only once.
    db.run("PRAGMA cache_size = -40960")
    db.run("PRAGMA mmap_size = 0")
    return configured(db)
  })
}

/** Opens the bytes of a database as a database in memory, which can be written. It has at most 1 GiB. */
export function openFileCopy(bytes: Uint8Array): SqliteDatabase {
  const db = new SqliteDatabase(bytes as unknown as string, { readwrite: true, strict: true })
  db.run("PRAGMA foreign_keys = ON")
  return configured(db)
}

function configured(db: SqliteDatabase): SqliteDatabase {
  db.run("PRAGMA temp_store = MEMORY")
  db.run("PRAGMA trusted_schema = OFF")
  addFunctions(db)
  return db
}

/**
 * Opens a file for reading, without changing it. Refuses a file that is not a Kontor database. The connection has write
 * access only if a power failure left a partial write, which must be rolled back before the file can be read. Only SQLite
 * opens the file: the server does this in threads, and closing another descriptor would release its locks. In a place that
 * cannot be written, SQLite cannot create the files that it needs beside a file in WAL mode; a file that is complete is
 * read there as one that nobody changes, for which it needs none.
 */
export function openToLook(file: string): SqliteDatabase {
  if (!existsSync(file)) throw new Unusable(`There is no database at ${file}.`)
  return opened(file, () => {
    const isFixed = !mayChange(file) && logsOf(file).length === 0
    // A program that has the file open has a log beside it.
    if (isFixed && !existsSync(`${realpathSync(file)}-wal`)) return look(file, { immutable: true })
    try {
      return look(file, { readonly: true })
    } catch (error) {
      if (isFixed) return look(file, { immutable: true })
      if (codeOf(error) !== "SQLITE_READONLY_ROLLBACK") throw error
      return look(file, { readwrite: true })
    }
  })
}

/** How the names of the files end that have a part of a database: those beside it that are not empty. */
export const logsOf = (file: string): string[] =>
  ["-wal", "-journal"].filter((suffix) => {
    const log = realpathSync(file) + suffix
    return existsSync(log) && statSync(log).size > 0
  })

/** True if a file and its folder can be written. */
export const mayChange = (file: string): boolean => mayWrite(file) && mayWrite(dirname(realpathSync(file)))

/**
 * Opens a file for reading in its current state: the connection does not see later writes. `source` is the path of the
 * file, or the bytes of a database in memory. Large sorts use temporary files, so that they take no memory.
 */
export function openFileSnapshot(source: string | Uint8Array): SqliteDatabase {
  const db = typeof source === "string" ? openToLook(source) : openBytes(source)
  db.run("PRAGMA temp_store = FILE")
  addFunctions(db)
  db.run("BEGIN")
  // The transaction sees the state at its first read.
  db.query("SELECT count(*) FROM sqlite_schema").get()
  return db
}

/** bun:sqlite takes the bytes of a database instead of its name, as `Database.deserialize` gives them. */
const openBytes = (bytes: Uint8Array): SqliteDatabase =>
  new SqliteDatabase(bytes as unknown as string, { readonly: true, strict: true })

/** Opens a file for a command that only reads it. It may be in a place that cannot be written. */
export function openFileToRead(file: string): SqliteDatabase {
  const db = openToLook(file)
  db.run("PRAGMA busy_timeout = 5000")
  db.run("PRAGMA cell_size_check = ON")
  db.run("PRAGMA cache_size = -40960")
  db.run("PRAGMA temp_store = MEMORY")
  db.run("PRAGMA trusted_schema = OFF")
  addFunctions(db)
  return db
}

/** Opens a file for long reads in another thread. Each query sees what was committed before it. */
export function openFileReader(file: string): SqliteDatabase {
  const db = openToLook(file)
  db.run("PRAGMA busy_timeout = 5000")
  db.run("PRAGMA cache_size = -16384")
  addFunctions(db)
  return db
}

type Way = { readonly: true } | { readwrite: true } | { immutable: true }

function look(file: string, way: Way): SqliteDatabase {
  const db =
    "immutable" in way
      ? new SqliteDatabase(`${pathToFileURL(realpathSync(file))}?immutable=1`, asAddress)
      : new SqliteDatabase(file, { ...way, strict: true })
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

/** Bun passes only numbers to SQLite as they are. */
const asAddress = sqliteFlags.SQLITE_OPEN_READONLY | sqliteFlags.SQLITE_OPEN_URI

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
function addFunctions(db: SqliteDatabase): void {
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

function opened(file: string, open: () => SqliteDatabase): SqliteDatabase {
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

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "")
