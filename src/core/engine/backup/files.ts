import {
  closeSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  writeSync,
  fstatSync,
  realpathSync,
} from "node:fs"

const pieceLength = 1 << 20

/** Copies a file to a new name, readable only by its owner, and syncs it. */
export function copyToDisk(from: string, to: string): void {
  withDescriptor(from, "r", (input) =>
    withDescriptor(to, "wx", (output) => {
      copyDescriptor(input, output)
      fsyncSync(output)
    }),
  )
}

/** Copies an open file to another one. */
export function copyDescriptor(input: number, output: number): void {
  const piece = Buffer.allocUnsafe(pieceLength)
  for (let length = readSync(input, piece); length > 0; length = readSync(input, piece))
    for (let done = 0; done < length;) done += writeSync(output, piece, done, length - done)
}

/**
 * Syncs a file, or the names in a folder, to the disk. Windows syncs only files that are open for writing, and cannot
 * sync a folder: its file system keeps a journal of the names.
 */
export function syncFile(path: string): void {
  if (process.platform !== "win32") return withDescriptor(path, "r", fsyncSync)
  if (!statSync(path).isDirectory()) withDescriptor(path, "r+", fsyncSync)
}

/** Opens a file, which is readable only by its owner if it is new, and closes it after `work`. */
export function withDescriptor<T>(
  path: string,
  flags: "r" | "r+" | "wx",
  work: (descriptor: number) => T,
): T {
  const descriptor = openSync(path, flags, 0o600)
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

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
