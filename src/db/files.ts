import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs"

const pieceLength = 1 << 20

/** Copies a file to a new name, readable only by its owner, and syncs it. */
export function copyToDisk(from: string, to: string): void {
  withDescriptor(from, "r", (input) =>
    withDescriptor(to, "wx", (output) => {
      const piece = Buffer.allocUnsafe(pieceLength)
      for (let length = readSync(input, piece); length > 0; length = readSync(input, piece))
        for (let done = 0; done < length;) done += writeSync(output, piece, done, length - done)
      fsyncSync(output)
    }),
  )
}

/** Syncs a file, or the names in a folder, to the disk. */
export const syncFile = (path: string): void => withDescriptor(path, "r", fsyncSync)

function withDescriptor(path: string, flags: "r" | "wx", work: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, 0o600)
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
