import { fstatSync, openSync, realpathSync, statSync } from "node:fs"

const kept = new Map<string, number>()

/**
 * Opens a database file for reading, once. The descriptor is never closed: on POSIX systems, closing any descriptor of a
 * file releases all locks that SQLite has on it in this process.
 */
export function keptDescriptor(file: string): number {
  const path = realpathSync(file)
  const known = kept.get(path)
  if (known !== undefined && fstatSync(known).ino === statSync(path).ino) return known
  const descriptor = openSync(path, "r")
  kept.set(path, descriptor)
  return descriptor
}

/** Makes a descriptor that another thread of this process has opened known in this one. */
export const keepDescriptor = (file: string, descriptor: number): void =>
  void kept.set(realpathSync(file), descriptor)
