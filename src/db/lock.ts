import { FFIType } from "bun:ffi"
import { accessSync, constants, openSync } from "node:fs"
import { libc } from "../lib/libc"
import { Unusable } from "../lib/unusable"

const exclusiveNow = 2 | 4
const held = new Set<string>()

/**
 * Takes the file for this process until it ends, or refuses; what is not there yet cannot be taken. It is an flock on the
 * database file itself: the system lets go of it however the process dies, it leaves nothing on the disk, and SQLite's
 * own locks do not see it. The descriptor is never closed, because closing one would drop SQLite's locks on the same
 * file.
 */
export function holdFile(file: string): void {
  if (file === ":memory:" || held.has(file) || !canRead(file)) return
  const system = libc({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
  if (system && system.flock(openSync(file, "r"), exclusiveNow) !== 0)
    throw new Unusable(`Another Kontor is serving ${file}. Stop it first, or choose another file with --db.`)
  held.add(file)
}

/** Whoever opens a file that cannot be read says why. */
function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
