import { Zip, ZipDeflate } from "fflate"

/** The format of a ZIP file without extensions counts its bytes with 32 bits. */
const largestArchive = 2 ** 32 - 1
/** Higher levels take twice as long and save a few percent. */
const level = 4

/** Writes a ZIP file. What is compressed is in memory until it is taken. */
export function zipped(createdAt: string) {
  const waiting: Uint8Array[] = []
  let size = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    size += bytes.length
    if (size > largestArchive) throw new Error("The data is too large for a ZIP file.")
    waiting.push(bytes)
  })
  return {
    /** Begins a file. The one before must be complete. */
    begin(name: string) {
      const file = new ZipDeflate(name, { level })
      file.mtime = createdAt
      zip.add(file)
      return {
        write: (bytes: Uint8Array): void => file.push(bytes),
        end: (): void => file.push(new Uint8Array(), true),
      }
    },
    /** Writes the list of files, which ends the archive. */
    end: (): void => zip.end(),
    /** Returns what is written since the last call. */
    take: (): Uint8Array[] => waiting.splice(0),
  }
}

export type Zipped = ReturnType<typeof zipped>
