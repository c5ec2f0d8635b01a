import { dlopen, FFIType } from "bun:ffi"
import { accessSync, constants, openSync } from "node:fs"
import { Unusable } from "../lib/unusable"

const exclusiveNow = 2 | 4
const libraries: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
}

const held = new Set<string>()

/**
 * Takes the file for this process until it ends, or refuses; what is not there yet cannot be taken. It is an flock on the
 * database file itself: the system lets go of it however the process dies, it leaves nothing on the disk, and SQLite's
 * own locks do not see it. The descriptor is never closed, because closing one would drop SQLite's locks on the same
 * file.
 */
export function holdFile(file: string): void {
  if (file === ":memory:" || held.has(file) || !canRead(file)) return
  const flock = findFlock()
  if (flock && flock(openSync(file, "r"), exclusiveNow) !== 0)
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

function findFlock(): ((descriptor: number, operation: number) => number) | null {
  for (const library of libraries[process.platform] ?? []) {
    try {
      return dlopen(library, { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } }).symbols
        .flock
    } catch {
      continue
    }
  }
  return null
}
