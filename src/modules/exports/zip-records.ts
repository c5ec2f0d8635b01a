/** A file in an archive. `start` is the position of its local header. */
export type ZippedFile = {
  name: string
  createdAt: string
  crc: number
  compressed: number
  plain: number
  start: number
}

/** The largest number of a record without ZIP64. As a value, it says that the real one is in a record of ZIP64. */
const largest = 2 ** 32 - 1
const plainVersion = 20
const zip64Version = 45
/** The sizes follow the data, and the name is UTF-8. */
const flags = 0x0808
const deflated = 8

/** A number with its length in bytes. */
type Part = [value: number, bytes: 2 | 4 | 8]

/** Writes numbers with the lowest byte first. */
function bytesOf(parts: readonly Part[], more: Uint8Array = new Uint8Array()): Uint8Array {
  const length = parts.reduce((sum, [, bytes]) => sum + bytes, 0)
  const whole = new Uint8Array(length + more.length)
  const view = new DataView(whole.buffer)
  let at = 0
  for (const [value, bytes] of parts) {
    if (bytes === 2) view.setUint16(at, value, true)
    else if (bytes === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += bytes
  }
  whole.set(more, length)
  return whole
}

/** A time in the format of DOS, in steps of two seconds, without a time zone. It is written in UTC. */
function timeOf(createdAt: string): Part[] {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = createdAt
    .split(/\D/)
    .map(Number)
  return [
    [(hours << 11) | (minutes << 5) | (seconds >> 1), 2],
    [((year - 1980) << 9) | (month << 5) | day, 2],
  ]
}

const encoder = new TextEncoder()

/** What is before the data of a file. */
export function localHeader({ name, createdAt }: ZippedFile): Uint8Array {
  const named = encoder.encode(name)
  const head: Part[] = [[0x04034b50, 4], [plainVersion, 2], [flags, 2], [deflated, 2], ...timeOf(createdAt)]
  // The checksum and the sizes are in the descriptor after the data.
  return bytesOf([...head, [0, 4], [0, 4], [0, 4], [named.length, 2], [0, 2]], named)
}

/** What is after the data of a file. */
export function descriptor({ crc, compressed, plain }: ZippedFile): Uint8Array {
  if (compressed > largest || plain > largest) throw new Error("A file is too large for the archive.")
  return bytesOf([
    [0x08074b50, 4],
    [crc, 4],
    [compressed, 4],
    [plain, 4],
  ])
}

/** The entry of a file in the list at the end of the archive. */
export function centralHeader(file: ZippedFile, largestPlain = largest): Uint8Array {
  const { name, createdAt, crc, compressed, plain, start } = file
  const named = encoder.encode(name)
  const isLarge = start >= largestPlain
  const version = isLarge ? zip64Version : plainVersion
  const extra = isLarge
    ? bytesOf([
        [1, 2],
        [24, 2],
        [plain, 8],
        [compressed, 8],
        [start, 8],
      ])
    : new Uint8Array()
  const [packed, unpacked, at] = isLarge ? [largest, largest, largest] : [compressed, plain, start]
  const head: Part[] = [
    [0x02014b50, 4],
    [version, 2],
    [version, 2],
    [flags, 2],
    [deflated, 2],
    ...timeOf(createdAt),
  ]
  const sizes: Part[] = [
    [crc, 4],
    [packed, 4],
    [unpacked, 4],
    [named.length, 2],
    [extra.length, 2],
  ]
  const rest: Part[] = [
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 4],
    [at, 4],
  ]
  return bytesOf([...head, ...sizes, ...rest], Buffer.concat([named, extra]))
}

/** What ends the archive: how many files its list has, where the list starts, and its size in bytes. */
export function endOfArchive(files: number, start: number, size: number, largestPlain = largest): Uint8Array {
  const isLarge = start >= largestPlain
  const shown: Part[] = isLarge
    ? [
        [0xffff, 2],
        [0xffff, 2],
        [largest, 4],
        [largest, 4],
      ]
    : [
        [files, 2],
        [files, 2],
        [size, 4],
        [start, 4],
      ]
  const plain = bytesOf([[0x06054b50, 4], [0, 2], [0, 2], ...shown, [0, 2]])
  if (!isLarge) return plain
  const end = bytesOf([
    [0x06064b50, 4],
    [44, 8],
    [zip64Version, 2],
    [zip64Version, 2],
    [0, 4],
    [0, 4],
    [files, 8],
    [files, 8],
    [size, 8],
    [start, 8],
  ])
  const locator = bytesOf([
    [0x07064b50, 4],
    [0, 4],
    [start + size, 8],
    [1, 4],
  ])
  return Buffer.concat([end, locator, plain])
}
