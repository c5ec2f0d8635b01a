import { crc32 } from "node:zlib"
import { fromBufferPromise, type Entry, type ZipFile } from "yauzl"
import { SheetError, shown } from "../sheet-error"

/** The files inside a ZIP file by their names. Each is unpacked as text, some at a time. */
export type ZipParts = ReadonlyMap<string, () => AsyncIterable<string>>

const megabyte = 1024 * 1024
/** Bytes of one file inside, unpacked. */
const largestEntry = 64 * megabyte
/** Bytes of all files inside, unpacked. */
const largestTotal = 256 * megabyte
const mostEntries = 10_000
/** A table is rarely packed to less than a hundredth of its size. */
const highestRatio = 500

/** The error of a file that cannot be unpacked. */
export const damaged = (cause?: unknown): SheetError =>
  new SheetError("DAMAGED", "The file is damaged: it is not a valid XLSX file.", { cause })

const failure = (error: unknown): SheetError => (error instanceof SheetError ? error : damaged(error))

/**
 * Returns the files inside a ZIP file by its directory. Refuses a file that would take much more memory than it has
 * bytes. That a file inside has the size and the checksum that it says is checked when it is unpacked.
 */
export async function openZip(bytes: Buffer): Promise<ZipParts> {
  const parts = new Map<string, () => AsyncIterable<string>>()
  let total = 0
  try {
    const zip = await fromBufferPromise(bytes, { decodeStrings: false })
    if (zip.entryCount > mostEntries) throw damaged()
    for await (const entry of zip.eachEntry()) {
      checkEntry(entry)
      total += entry.uncompressedSize
      if (total > largestTotal) throw tooLarge(largestTotal)
      parts.set(entry.fileNameRaw.toString(), () => textOf(zip, entry))
    }
  } catch (error) {
    throw failure(error)
  }
  return parts
}

function checkEntry(entry: Entry): void {
  if (entry.isEncrypted())
    throw new SheetError("PASSWORD", "The file has a password. Save it without one and try again.")
  const size = entry.uncompressedSize
  if (size > largestEntry) throw tooLarge(largestEntry)
  if (size > megabyte && size > entry.compressedSize * highestRatio)
    throw new SheetError(
      "UNPACKS_TOO_LARGE",
      `The file cannot be read: it unpacks to more than ${highestRatio} times its size.`,
    )
}

const tooLarge = (limit: number): SheetError =>
  new SheetError(
    "UNPACKS_TOO_LARGE",
    `The file is too large: unpacked, it has more than ${shown(limit / megabyte)} MB. Save the table as CSV and try again.`,
  )

let tell: () => void = () => {}
/** Calls a function after each megabyte that this thread has unpacked and read. */
export const onUnpacked = (call: () => void): void => void (tell = call)

/** Unpacks a file inside. It is stopped when it is larger than it says. */
async function* textOf(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let [crc, untold] = [0, 0]
  try {
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc)
      yield decoder.decode(chunk, { stream: true })
      untold += chunk.length
      if (untold < megabyte) continue
      untold = 0
      tell()
    }
    yield decoder.decode()
  } catch (error) {
    throw failure(error)
  }
  if (crc !== entry.crc32) throw damaged()
}
