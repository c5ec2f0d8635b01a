import { Database } from "bun:sqlite"
import { closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs"
import { Unusable } from "../../../lib/unusable"
import { endTurn } from "../../change-token"
import { keptDescriptor } from "../descriptor"
import type { Database as Connection } from "../../engine"
import { openToLook } from "../../open"
import { clearRest } from "./finish"
import { copyLog } from "./log"
import { mostPages, type Layout, type Notes } from "./page"
import { copyInThread } from "./thread"

/** In bytes. VACUUM INTO takes a few seconds for a file of this size. */
export const largeFrom = 2 ** 30

/**
 * Tells whether a database is copied as bytes, and not row by row. On Windows, SQLite's locks keep other programs from
 * reading a large file. In a file with pages for auto_vacuum, or with very many pages, the kind of a page cannot be told
 * by its first byte.
 */
export function isCopiedAsBytes(db: Connection, source: string, from: number): boolean {
  if (source === ":memory:" || process.platform === "win32" || statSync(source).size < from) return false
  endTurn(db)
  return valueOf(db, "auto_vacuum") === 0 && Number(valueOf(db, "page_count")) < mostPages
}

/**
 * Copies a database as bytes, in the state of one moment. Other processes may write to it. Its tables are checked at the
 * same time, on another core. The copy has nothing of rows that were deleted. It is not synced.
 */
export async function copyAsBytes(source: string, target: string): Promise<void> {
  const db = openToLook(source)
  let copied: { layout: Layout; notes: Notes; inLog: Set<number> }
  try {
    // The transaction begins with its first read. It holds the state that is copied.
    db.run("BEGIN")
    db.query("SELECT count(*) FROM sqlite_schema").get()
    const layout = layoutOf(db, source)
    const log = `${realpathSync(source)}-wal`
    const isLogged = valueOf(db, "journal_mode") === "wal"
    const inLog = isLogged ? copyLog(log, `${target}-wal`, layout.pageSize) : new Set<number>()
    copied = { layout, inLog, notes: await copyAndCheck({ db, source, target, layout, inLog }) }
  } finally {
    db.close()
  }
  applyLog(target)
  clearRest(target, copied.layout, copied.notes, copied.inLog)
}

type Copying = { db: Database; source: string; target: string; layout: Layout; inLog: Set<number> }

function copyAndCheck({ db, source, target, layout, inLog }: Copying): Promise<Notes> {
  const pages = Math.ceil(statSync(source).size / layout.pageSize)
  return withTarget(target, async (to, direct) => {
    const copying = copyInThread({ from: keptDescriptor(source), to, direct, layout, pages, inLog })
    try {
      assertSound(db, tablesOf(db))
    } catch (error) {
      copying.stop()
      await copying.done.catch(() => {})
      throw error
    }
    return copying.done
  })
}

/**
 * Opens the copy for writing, and once more for writing without the system's cache, if the system can do that. This takes
 * half the time, and the database stays in the cache, where its tables are checked.
 */
async function withTarget<T>(
  target: string,
  work: (to: number, direct: number | null) => Promise<T>,
): Promise<T> {
  const to = openSync(target, "r+")
  const direct = openDirect(target)
  try {
    return await work(to, direct)
  } finally {
    closeSync(to)
    if (direct !== null) closeSync(direct)
  }
}

function openDirect(target: string): number | null {
  if (process.platform !== "linux") return null
  try {
    return openSync(target, constants.O_RDWR | constants.O_DIRECT)
  } catch {
    return null
  }
}

/** Writes the pages of the log to the copy, and deletes the log. */
function applyLog(target: string): void {
  const copy = new Database(target, { readwrite: true, strict: true })
  try {
    // Without other connections, SQLite needs no file for shared memory.
    copy.run("PRAGMA locking_mode = EXCLUSIVE")
    copy.run("PRAGMA synchronous = OFF")
    const mode = valueOf(copy, "journal_mode = DELETE")
    if (mode !== "delete") throw new Error(`the write-ahead log was not applied: ${mode}`)
  } finally {
    copy.close()
  }
}

const reservedAt = 20

function layoutOf(db: Database, source: string): Layout {
  const pageSize = Number(valueOf(db, "page_size"))
  const reserved = Buffer.alloc(1)
  readSync(keptDescriptor(source), reserved, 0, 1, reservedAt)
  return { pageSize, usable: pageSize - reserved.readUInt8(0) }
}

/** Virtual tables are left out: they have no pages, and checking their content takes much longer than the copy. */
const tablesOf = (db: Database): string[] =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')",
    )
    .all()
    .map(({ name }) => name)

/** Checks the pages of tables and of their indexes. */
export function assertSound(db: Database, tables: string[]): void {
  for (const table of tables) {
    const found = faultOf(db, table)
    if (found !== "ok") throw new Unusable(`The database is damaged, so there is no backup: ${found}.`)
  }
}

/** Returns "ok" if there is no fault. Some faults are errors of the check itself. */
function faultOf(db: Database, table: string): unknown {
  try {
    return valueOf(db, `quick_check("${table}")`)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_CORRUPT") return error.message
    throw error
  }
}

/** The first value that a pragma returns. */
const valueOf = (db: Connection, pragma: string): unknown => db.query(`PRAGMA ${pragma}`).values()[0]?.[0]
