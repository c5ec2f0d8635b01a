import { Deflate } from "fflate"
import { crc32 } from "node:zlib"
import { centralHeader, descriptor, endOfArchive, localHeader, type ZippedFile } from "./zip-records"

/** Higher levels take twice as long and save a few percent. */
const level = 4

/**
 * Writes a ZIP file. What is compressed is in memory until it is taken. A file in it has less than 4 GiB; the archive may
 * be larger, and then has the records of ZIP64. They are also written from `largestPlain` on, for tests.
 */
export function zipped(createdAt: string, largestPlain?: number) {
  const waiting: Uint8Array[] = []
  const files: ZippedFile[] = []
  let size = 0
  const add = (bytes: Uint8Array): void => {
    size += bytes.length
    waiting.push(bytes)
  }
  return {
    /** Begins a file. The one before must be complete. */
    begin(name: string) {
      const file: ZippedFile = { name, createdAt, crc: 0, compressed: 0, plain: 0, start: size }
      const deflate = new Deflate({ level }, (bytes) => {
        file.compressed += bytes.length
        add(bytes)
      })
      add(localHeader(file))
      return {
        write(bytes: Uint8Array): void {
          file.plain += bytes.length
          file.crc = crc32(bytes, file.crc)
          deflate.push(bytes)
        },
        end(): void {
          deflate.push(new Uint8Array(), true)
          add(descriptor(file))
          files.push(file)
        },
      }
    },
    /** Writes the list of files, which ends the archive. */
    end(): void {
      const start = size
      for (const file of files) add(centralHeader(file, largestPlain))
      add(endOfArchive(files.length, start, size - start, largestPlain))
    },
    /** Returns what is written since the last call. */
    take: (): Uint8Array[] => waiting.splice(0),
  }
}

export type Zipped = ReturnType<typeof zipped>
