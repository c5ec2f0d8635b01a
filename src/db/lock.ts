import { FFIType } from "bun:ffi"
import { accessSync, constants, openSync } from "node:fs"
import { libc } from "../lib/libc"
import { Unusable } from "../lib/unusable"

/** LOCK_EX | LOCK_NB. */
const exclusiveNonBlocking = 2 | 4
const held = new Set<string>()

/**
 * Locks an existing file for this process until it exits. Throws if another process has locked it. The lock is an flock
 * on the database file itself: the system releases it however the process ends, it leaves nothing on the disk, and
 * SQLite's own locks do not conflict with it. The descriptor is never closed, because closing it would release SQLite's
 * locks on the same file.
 */
export function holdFile(file: string): void {
  if (file === ":memory:" || held.has(file) || !canRead(file)) return
  const system = libc({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
  if (system && system.flock(openSync(file, "r"), exclusiveNonBlocking) !== 0)
    throw new Unusable(
      `Another Kontor process is using ${file}. Stop it first, or choose another file with --db.`,
    )
  held.add(file)
}

/** A file that cannot be read is not locked; opening it later reports the reason. */
function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
