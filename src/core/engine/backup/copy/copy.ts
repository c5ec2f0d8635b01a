import { SqliteDatabase } from "../../sqlite/database"
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { Unusable } from "../../../lib/refusal"
import { endTurn } from "../../change-token"
import type { Database as Connection } from "../../engine"
import { openToLook } from "../../sqlite/open"
import { clearUnused, type Layout, mostPages, type Notes } from "./page"
import { copyDescriptor, withDescriptor, keptDescriptor } from "../files"
import type { CopyAnswer, CopyOrder } from "./copy-worker"

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

type Copying = { db: SqliteDatabase; source: string; target: string; layout: Layout; inLog: Set<number> }

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

function applyLog(target: string): void {
  const copy = new SqliteDatabase(target, { readwrite: true, strict: true })
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

function layoutOf(db: SqliteDatabase, source: string): Layout {
  const pageSize = Number(valueOf(db, "page_size"))
  const reserved = Buffer.alloc(1)
  readSync(keptDescriptor(source), reserved, 0, 1, reservedAt)
  return { pageSize, usable: pageSize - reserved.readUInt8(0) }
}

/** Virtual tables are left out: they have no pages, and checking their content takes much longer than the copy. */
const tablesOf = (db: SqliteDatabase): string[] =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')",
    )
    .all()
    .map(({ name }) => name)

/** Checks the pages of tables and of their indexes. */
export function assertSound(db: SqliteDatabase, tables: string[]): void {
  for (const table of tables) {
    const found = faultOf(db, table)
    if (found !== "ok") throw new Unusable(`The database is damaged, so there is no backup: ${found}.`)
  }
}

/** Returns "ok" if there is no fault. Some faults are errors of the check itself. */
function faultOf(db: SqliteDatabase, table: string): unknown {
  try {
    return valueOf(db, `quick_check("${table}")`)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_CORRUPT") return error.message
    throw error
  }
}

const valueOf = (db: Connection, pragma: string): unknown => db.query(`PRAGMA ${pragma}`).values()[0]?.[0]

const headLength = 32
const frameHeadLength = 24

/**
 * Copies the write-ahead log of a database, and returns the numbers of the pages in it. The caller holds a read
 * transaction. There are two cases:
 *
 * - The transaction reads the log. Then nobody can restart the log, and checkpoints write only pages to the file that
 *   are in the copy of the log. So the copy of the file with the copy of the log is the state of the transaction, or a
 *   later one: SQLite ignores an incomplete end of a log.
 * - The log was empty or completely written to the file, and the transaction reads only the file. Then no checkpoint can
 *   write to the file, but a writer can restart the log once. A copy with pages from before and from after that would
 *   bring old pages back, so it is made again. A log that was restarted has only later transactions.
 */
function copyLog(from: string, to: string, pageSize: number): Set<number> {
  for (;;) {
    const before = headOf(from)
    if (before.length < headLength) return new Set()
    rmSync(to, { force: true })
    copyFile(from, to)
    if (headOf(from).equals(before)) return pagesOf(to, pageSize)
    rmSync(to)
  }
}

function headOf(log: string): Buffer {
  if (!existsSync(log)) return Buffer.alloc(0)
  return withDescriptor(log, "r", (descriptor) => {
    const head = Buffer.alloc(headLength)
    return head.subarray(0, readSync(descriptor, head, 0, headLength, 0))
  })
}

const copyFile = (from: string, to: string): void =>
  withDescriptor(from, "r", (input) => withDescriptor(to, "wx", (output) => copyDescriptor(input, output)))

/** The pages of all frames, also of those that SQLite will ignore. */
function pagesOf(log: string, pageSize: number): Set<number> {
  return withDescriptor(log, "r", (descriptor) => {
    const pages = new Set<number>()
    const { size } = statSync(log)
    const number = Buffer.alloc(4)
    for (let at = headLength; at + frameHeadLength + pageSize <= size; at += frameHeadLength + pageSize) {
      readSync(descriptor, number, 0, 4, at)
      pages.add(number.readUInt32BE(0))
    }
    return pages
  })
}

type Copy = { descriptor: number; layout: Layout; notes: Notes }

/**
 * Overwrites what `clearUnused` could not know while the file was copied: the pages that came from the log, the free
 * pages, and the ends of chains. No connection has the copy open.
 */
function clearRest(file: string, layout: Layout, notes: Notes, inLog: Set<number>): void {
  withDescriptor(file, "r+", (descriptor) => {
    const copy = { descriptor, layout, notes }
    const head = read(copy, 1)
    const pages = head.readUInt32BE(28)
    resize(notes, pages)
    const free = freePages(copy, { pages, first: head.readUInt32BE(32), count: head.readUInt32BE(36) })
    for (const page of inLog)
      if (page <= pages && !free.has(page)) {
        const bytes = read(copy, page)
        clearUnused(bytes, page, layout, notes)
        write(copy, page, bytes)
      }
    const isUsed = (page: number) => page !== 0 && page <= pages && !free.has(page)
    assertUnused(free, notes, isUsed)
    clearFree(copy, free)
    clearEnds(copy, isUsed)
  })
}

/** The log may have added pages to the file, or removed pages from its end. */
function resize(notes: Notes, pages: number): void {
  for (const name of ["next", "usedBy"] as const) {
    const resized = new Int32Array(pages + 1)
    resized.set(notes[name].subarray(0, pages + 1))
    notes[name] = resized
  }
}

type FreeList = { pages: number; first: number; count: number }

/** Returns the free pages, with the number of bytes at the begin of each that SQLite uses for its list of them. */
function freePages(copy: Copy, { pages, first, count }: FreeList): Map<number, number> {
  const free = new Map<number, number>()
  const add = (page: number, used: number) => {
    if (page < 2 || page > pages || free.has(page)) throw damaged(`the list of free pages has page ${page}`)
    free.set(page, used)
  }
  for (let trunk = first; trunk !== 0;) {
    const bytes = read(copy, trunk)
    const leaves = bytes.readUInt32BE(4)
    if (8 + 4 * leaves > copy.layout.usable)
      throw damaged(`the list of free pages is too long at page ${trunk}`)
    add(trunk, 8 + 4 * leaves)
    for (let i = 0; i < leaves; i++) add(bytes.readUInt32BE(8 + 4 * i), 0)
    trunk = bytes.readUInt32BE(0)
  }
  if (free.size !== count) throw damaged(`${count} pages should be free, but ${free.size} are`)
  return free
}

/** A free page that is in use would lose its rows. */
function assertUnused(
  free: Map<number, number>,
  { usedBy, next }: Notes,
  isUsed: (page: number) => boolean,
): void {
  const refuse = (page: number, user: number) => {
    throw damaged(`page ${page} is free, but page ${user} uses it`)
  }
  for (const page of free.keys()) if (isUsed(usedBy[page] ?? 0)) refuse(page, usedBy[page] ?? 0)
  next.forEach((after, page) => {
    if (after !== 0 && free.has(after) && isUsed(page)) refuse(after, page)
  })
}

function clearFree(copy: Copy, free: Map<number, number>): void {
  const zeros = Buffer.alloc(copy.layout.pageSize)
  for (const [page, used] of free) write(copy, page, zeros.subarray(used), used)
}

/** Overwrites what is behind the end of a row in the last page of its chain. */
function clearEnds(copy: Copy, isUsed: (page: number) => boolean): void {
  const { notes, layout } = copy
  const perPage = layout.usable - 4
  const zeros = Buffer.alloc(perPage)
  for (let i = 0; i < notes.chains.length; i += 3) {
    const [owner = 0, first = 0, length = 0] = notes.chains.slice(i, i + 3)
    if (!isUsed(owner)) continue
    let page = first
    let rest = length
    for (; rest > perPage; rest -= perPage) page = notes.next[page] ?? 0
    if (!isUsed(page) || notes.next[page] !== 0) throw damaged(`a row in page ${owner} is not complete`)
    if (rest < perPage) write(copy, page, zeros.subarray(rest), 4 + rest)
  }
}

const damaged = (what: string): Unusable => new Unusable(`The database is damaged: ${what}.`)

function read({ descriptor, layout: { pageSize } }: Copy, page: number): Buffer {
  const bytes = Buffer.alloc(pageSize)
  readSync(descriptor, bytes, 0, pageSize, (page - 1) * pageSize)
  return bytes
}

function write({ descriptor, layout: { pageSize } }: Copy, page: number, bytes: Buffer, from = 0): void {
  writeSync(descriptor, bytes, 0, bytes.length, (page - 1) * pageSize + from)
}

/** Copies a database in a separate thread. `stop` ends the copy, and `done` resolves when the thread does nothing more. */
function copyInThread(order: Omit<CopyOrder, "stop">): { done: Promise<Notes>; stop: () => void } {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL("./copy-worker.ts", import.meta.url).href, { smol: true })
  const { promise, resolve, reject } = Promise.withResolvers<Notes>()
  thread.onmessage = ({ data }: MessageEvent<CopyAnswer>) =>
    "error" in data ? reject(Object.assign(new Error(data.error), { code: data.code })) : resolve(data.notes)
  thread.onerror = ({ message }) => reject(new Error(message || "the copy failed"))
  thread.postMessage({ ...order, stop } satisfies CopyOrder)
  return {
    done: promise.finally(() => thread.terminate()),
    stop: () => void Atomics.store(stop, 0, 1),
  }
}
