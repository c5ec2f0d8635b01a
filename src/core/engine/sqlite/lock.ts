import type { Database } from "bun:sqlite"
import { FFIType, dlopen } from "bun:ffi"
import { accessSync, constants, realpathSync } from "node:fs"
import { libc } from "../../lib/process/libc"
import { Unusable } from "../../lib/refusal"
import { keptDescriptor } from "../backup/files"
import type { Lock } from "../engine"

/** LOCK_EX | LOCK_NB, and LOCK_UN. */
const exclusiveNonBlocking = 2 | 4
const unlock = 8
const held = new Set<string>()

/** The lock of a file. It has one server at a time. */
export const fileLock = (db: Database): Lock => ({
  alone: () => holdFile(db.filename),
  async forServer({ isReady, prepare }) {
    holdFile(db.filename)
    if (!isReady()) await prepare()
  },
  isOnlyServer: () => true,
})

/**
 * Locks an existing file for this process until it exits. Throws if another process has locked it. The system releases
 * the lock however the process ends, nothing is left on the disk, and SQLite's own locks do not conflict with it.
 */
export function holdFile(file: string): void {
  if (file === ":memory:" || held.has(file) || !canRead(file)) return
  if (!(process.platform === "win32" ? holdLockFile(file) : holdFileItself(file)))
    throw new Unusable(
      `Another Kontor process is using ${file}. Stop it first, or choose another file with --db.`,
    )
  held.add(file)
}

/** Releases the lock of `holdFile` when a server stops before its process. On Windows it stays until the process exits. */
export function releaseFile(file: string): void {
  if (process.platform === "win32" || !held.delete(file)) return
  flock(file, unlock)
}

/** The lock is an flock on the database file itself. */
const holdFileItself = (file: string): boolean => flock(file, exclusiveNonBlocking)

function flock(file: string, operation: number): boolean {
  const system = libc({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
  return !system || system.flock(keptDescriptor(file), operation) === 0
}

/**
 * On Windows, a lock on the database file would keep SQLite from reading it. So the lock is a file next to it, which is
 * open for one process only and which the system deletes when that process ends.
 */
const holdLockFile = (file: string): boolean => openAlone(`${realpathSync(file)}-lock`)

/** A file that cannot be read is not locked; opening it later reports the reason. */
function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const { ptr, u32, i64_fast: handle } = FFIType
const readWriteAndDelete = 0xc0010000
const shareNothing = 0
const openAlways = 4
const deleteOnClose = 0x04000000
const noHandle = -1

/**
 * Creates or opens a file that no other process can open until this one ends; Windows then deletes it. Returns false if
 * another process has it open. The handle is never closed.
 */
function openAlone(path: string): boolean {
  const kernel = dlopen("kernel32.dll", {
    CreateFileW: { args: [ptr, u32, u32, ptr, u32, u32, ptr], returns: handle },
  })
  const name = Buffer.from(`${path}\0`, "utf16le")
  const opened = kernel.symbols.CreateFileW(
    name,
    readWriteAndDelete,
    shareNothing,
    null,
    openAlways,
    deleteOnClose,
    null,
  )
  return Number(opened) !== noHandle
}
