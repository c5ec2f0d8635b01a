/** What the header of a database file says about its pages. `usable` is the part of a page that SQLite uses. */
export type Layout = { pageSize: number; usable: number }

/** What is known about the pages of a copy. The indexes of the arrays are page numbers. */
export type Notes = {
  /** The next page of the chain, for a page that is not of a tree. */
  next: Int32Array
  /** The page that refers to this one as its child or as the begin of a chain. */
  usedBy: Int32Array
  /** Rows that continue in a chain of pages: three numbers for each, see `Chain`. */
  chains: number[]
}

export const newNotes = (pages: number): Notes => ({
  next: new Int32Array(pages + 1),
  usedBy: new Int32Array(pages + 1),
  chains: [],
})

/** The types of pages of trees (see "Database File Format" of SQLite). */
const interiorIndex = 2
const interiorTable = 5
const leafIndex = 10
const leafTable = 13

/**
 * Overwrites the bytes of a page that belong to no row: they may have parts of rows that were deleted, or of the rows of
 * another table that used the page before. At most three bytes between two rows stay. Notes where the page refers to.
 *
 * `bytes` begins with the page. The first byte of a page that is not of a tree is 0, if the file has less than
 * `mostPages` pages.
 */
export function clearUnused(bytes: Buffer, page: number, { usable }: Layout, notes: Notes): void {
  const head = page === 1 ? 100 : 0
  const type = bytes[head] ?? 0
  if (type !== interiorIndex && type !== interiorTable && type !== leafIndex && type !== leafTable)
    return void (notes.next[page] = bytes.readUInt32BE(0))
  const isInterior = type === interiorIndex || type === interiorTable
  const pointers = head + (isInterior ? 12 : 8)
  const cells = bytes.readUInt16BE(head + 3)
  const content = bytes.readUInt16BE(head + 5) || 65_536
  // A page that is not valid is free, or will be replaced from the log, or is found by the check of the tables.
  if (pointers + 2 * cells > content || content > usable) return
  bytes.fill(0, pointers + 2 * cells, content)
  clearFreeBlocks(bytes, bytes.readUInt16BE(head + 1), content, usable)
  const parts = { bytes, page, pointers, cells, usable }
  if (isInterior) noteChildren(parts, bytes.readUInt32BE(head + 8), notes)
  if (type !== interiorTable) noteChains(parts, type, notes)
}

export const mostPages = 1 << 25

/** A free block begins with the place of the next block and its own length. */
function clearFreeBlocks(bytes: Buffer, first: number, content: number, usable: number): void {
  let least = content
  for (let block = first; block !== 0;) {
    if (block < least || block + 4 > usable) return
    const end = block + bytes.readUInt16BE(block + 2)
    if (end < block + 4 || end > usable) return
    bytes.fill(0, block + 4, end)
    block = bytes.readUInt16BE(block)
    least = end
  }
}

type Parts = { bytes: Buffer; page: number; pointers: number; cells: number; usable: number }

function noteChildren(
  { bytes, page, pointers, cells, usable }: Parts,
  last: number,
  { usedBy }: Notes,
): void {
  usedBy[last] = page
  for (let i = 0; i < cells; i++) {
    const cell = bytes.readUInt16BE(pointers + 2 * i)
    if (cell + 4 <= usable) usedBy[bytes.readUInt32BE(cell)] = page
  }
}

/** A row that continues in a chain: the page that it begins in, the first page of the chain, and the bytes in the chain. */
export type Chain = { owner: number; first: number; rest: number }

function noteChains({ bytes, page, pointers, cells, usable }: Parts, type: number, notes: Notes): void {
  const most = type === leafTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  for (let i = 0; i < cells; i++) {
    let at =
      (((bytes[pointers + 2 * i] ?? 0) << 8) | (bytes[pointers + 2 * i + 1] ?? 0)) +
      (type === interiorIndex ? 4 : 0)
    // A length of up to 127 has one byte. Most rows are so short.
    if ((bytes[at] ?? 0) < 128) continue
    let length = 0
    for (; (bytes[at] ?? 0) >= 128; at++) length = length * 128 + ((bytes[at] ?? 0) & 127)
    length = length * 128 + (bytes[at++] ?? 0)
    if (length <= most) continue
    if (type === leafTable) at = afterNumber(bytes, at)
    const wanted = least + ((length - least) % (usable - 4))
    const local = wanted <= most ? wanted : least
    if (at + local + 4 > usable) continue
    const first = bytes.readUInt32BE(at + local)
    notes.usedBy[first] = page
    notes.chains.push(page, first, length - local)
  }
}

/** A number has up to nine bytes; each but the last begins with a bit of 1. */
function afterNumber(bytes: Buffer, from: number): number {
  let at = from
  while (at - from < 8 && (bytes[at] ?? 0) >= 128) at++
  return at + 1
}
