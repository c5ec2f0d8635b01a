import { SheetError, shown } from "./sheet-error"

/** A file inside a ZIP file, as its directory describes it. */
export type ZipEntry = {
  name: string
  isEncrypted: boolean
  method: number
  compressed: number
  size: number
  offset: number
}

const megabyte = 1024 * 1024
/** Bytes of one file inside, unpacked. */
export const largestEntry = 64 * megabyte
/** Bytes of all files inside, unpacked. */
export const largestTotal = 256 * megabyte
const mostEntries = 10_000
/** A table is rarely packed to less than a hundredth of its size. */
const highestRatio = 500

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const locatorSignature = 0x07064b50
const end64Signature = 0x06064b50
const longestComment = 0xffff
const none16 = 0xffff
const none32 = 0xffffffff

/** The error of a file that cannot be unpacked. */
export const damaged = (cause?: unknown): SheetError =>
  new SheetError("DAMAGED", "The file is damaged: it is not a valid XLSX file.", { cause })

/**
 * Returns the files inside a ZIP file by its directory. Refuses a file that would take much more memory than it has
 * bytes. That a file inside is not larger than it says is checked when it is unpacked.
 */
export function checkZip(bytes: Uint8Array): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  let total = 0
  for (const entry of directoryOf(bytes)) {
    total += entry.size
    checkEntry(entry, bytes.length)
    if (total > largestTotal) throw tooLarge(largestTotal)
    entries.set(entry.name, entry)
  }
  return entries
}

function checkEntry({ isEncrypted, compressed, size, offset }: ZipEntry, length: number): void {
  if (isEncrypted)
    throw new SheetError("PASSWORD", "The file has a password. Save it without one and try again.")
  if (size > largestEntry) throw tooLarge(largestEntry)
  if (offset + compressed > length) throw damaged()
  if (size > megabyte && size > compressed * highestRatio)
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

/** Reads the directory at the end of a ZIP file. */
function* directoryOf(bytes: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { count, start } = endOf(view)
  if (count > mostEntries) throw damaged()
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) throw damaged()
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true)
    if (next > view.byteLength) throw damaged()
    const [size, compressed, offset] = sizesOf(view, at, at + 46 + nameLength, extraLength)
    yield {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      compressed,
      size,
      offset,
    }
    at = next
  }
}

/** Finds the end record, which says where the directory begins and how many entries it has. */
function endOf(view: DataView): { count: number; start: number } {
  const first = Math.max(0, view.byteLength - 22 - longestComment)
  for (let at = view.byteLength - 22; at >= first; at--) {
    if (view.getUint32(at, true) !== endSignature) continue
    const [count, start] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)]
    return count === none16 || start === none32 ? end64Of(view, at - 20) : { count, start }
  }
  throw damaged()
}

/** The end record of the ZIP64 form. Some programs write it for small files too. */
function end64Of(view: DataView, locator: number): { count: number; start: number } {
  if (locator < 0 || view.getUint32(locator, true) !== locatorSignature) throw damaged()
  const at = number64(view, locator + 8)
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== end64Signature) throw damaged()
  return { count: number64(view, at + 32), start: number64(view, at + 48) }
}

/** The unpacked size, the packed size and the offset of an entry; in the ZIP64 form they are in an extra field. */
function sizesOf(view: DataView, at: number, extra: number, extraLength: number): [number, number, number] {
  const values: [number, number, number] = [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ]
  if (!values.includes(none32)) return values
  let [field, end] = [extra, extra + extraLength]
  while (field + 4 <= end && view.getUint16(field, true) !== 1) field += 4 + view.getUint16(field + 2, true)
  field += 4
  for (const [i, value] of values.entries()) {
    if (value !== none32) continue
    if (field + 8 > end) throw damaged()
    values[i] = number64(view, field)
    field += 8
  }
  return values
}

function number64(view: DataView, at: number): number {
  if (at + 8 > view.byteLength) throw damaged()
  const value = Number(view.getBigUint64(at, true))
  if (!Number.isSafeInteger(value)) throw damaged()
  return value
}
