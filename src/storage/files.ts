import { closeSync, openSync, writeSync } from "node:fs"
import { messageOf, Unusable } from "../core/lib/refusal"

/** Writes a stream to a new file that only its owner can read. Returns the number of bytes. */
export async function writeStream(content: ReadableStream<Uint8Array>, file: string): Promise<number> {
  const descriptor = onDisk(() => openSync(file, "wx", 0o600))
  let bytes = 0
  try {
    for await (const piece of content) {
      onDisk(() => {
        for (let done = 0; done < piece.length;)
          done += writeSync(descriptor, piece, done, piece.length - done)
      })
      bytes += piece.length
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** Distinguishes an error of the disk from an error of the stream. */
function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Unusable(`A temporary file could not be written: ${messageOf(error)}.`)
  }
}
